package io.everheap.durable.bind;

import io.everheap.codec.Codec;
import io.everheap.codec.derived.CodecRegistry;
import io.everheap.durable.TypeDifference;
import io.everheap.durable.handle.BoundType;
import io.everheap.durable.handle.ObjectMemory;
import java.lang.reflect.Type;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The durable interfaces and classes that the program uses with a heap. A type is bound together
 * with all types that its fields lead to, or none of them is.
 *
 * <p>Lookups take no lock. Binding holds the monitor of the codec registry, since the registry
 * calls back for the codecs of durable types.
 */
final class BoundTypes implements BoundType.Types {
  private final CodecRegistry codecs;
  private final ObjectMemory memory;
  private final Binder binder;
  private final Map<Class<?>, BoundType> byClass = new ConcurrentHashMap<>();
  private final Map<String, BoundType> byName = new ConcurrentHashMap<>();

  /**
   * Classes whose codecs were requested while others are being bound, to be bound next; null at
   * other times. Guarded by the monitor of {@link #codecs}.
   */
  private @Nullable List<Class<?>> asked;

  @SuppressWarnings("this-escape") // used after the constructor only
  BoundTypes(
      ObjectMemory memory,
      CodecRegistry registered,
      Function<CodecRegistry, Function<Type, @Nullable Codec<?>>> structures) {
    this.memory = memory;
    this.codecs = new CodecRegistry(registered, this::codec);
    this.binder = new Binder(memory, this, codecs, structures.apply(codecs));
  }

  /** The codecs of the heap: those of the program, and of references to objects. */
  CodecRegistry codecs() {
    return codecs;
  }

  private @Nullable Codec<?> codec(Class<?> type) {
    if (!ClassModel.isDurable(type)) {
      return null;
    }
    List<Class<?>> later = asked;
    if (later != null) {
      later.add(type);
    } else {
      BoundType _ = of(type);
    }
    return new HeapObjectCodec<>(this, memory, type);
  }

  /**
   * Returns the type of a class; binds it, and those that it leads to, if it is not bound yet.
   *
   * @throws IllegalArgumentException if one is not marked as durable, or not woven
   * @throws io.everheap.error.SchemaMismatchException if one cannot read what the heap has
   * @throws io.everheap.error.UnsupportedTypeException if a field has no codec
   */
  @Override
  public BoundType of(Class<?> type) {
    BoundType known = byClass.get(type);
    return known != null ? known : bindAll(type);
  }

  @Override
  public @Nullable BoundType named(String name) {
    return byName.get(name);
  }

  @Override
  public @Nullable BoundType anyBelow(Class<?> type) {
    return byName.values().stream()
        .filter(known -> known.hasObjects() && type.isAssignableFrom(known.javaClass()))
        .min(Comparator.comparing(known -> known.descriptor().name()))
        .orElse(null);
  }

  /** Binds all types or none, so that a binding that failed fails again when it is retried. */
  private BoundType bindAll(Class<?> type) {
    synchronized (codecs) {
      Map<Class<?>, BoundType> bound = new HashMap<>();
      Deque<Class<?>> open = new ArrayDeque<>(List.of(type));
      while (!open.isEmpty()) {
        Class<?> next = open.remove();
        if (!byClass.containsKey(next) && !bound.containsKey(next)) {
          List<Class<?>> referred = new ArrayList<>();
          asked = referred;
          try {
            bound.put(next, binder.bind(next, referred));
          } finally {
            asked = null;
          }
          open.addAll(referred);
        }
      }
      Map<String, BoundType> names = new HashMap<>();
      for (BoundType each : bound.values()) {
        requireOne(each, names.putIfAbsent(each.descriptor().name(), each));
        requireOne(each, byName.get(each.descriptor().name()));
      }
      byName.putAll(names);
      byClass.putAll(bound);
      BoundType found = byClass.get(type);
      if (found == null) {
        throw new AssertionError(type);
      }
      return found;
    }
  }

  private static void requireOne(BoundType type, @Nullable BoundType other) {
    if (other != null) {
      throw new IllegalArgumentException(
          "Two types of this program have the durable name "
              + type.descriptor().name()
              + ": "
              + type.javaClass()
              + " of "
              + type.javaClass().getClassLoader()
              + " and "
              + other.javaClass()
              + " of "
              + other.javaClass().getClassLoader());
    }
  }

  /** Returns how a class differs from the type that the heap has stored; binds nothing. */
  TypeDifference compare(Class<?> type) {
    synchronized (codecs) {
      asked = new ArrayList<>();
      try {
        return binder.compare(type);
      } finally {
        asked = null;
      }
    }
  }
}
