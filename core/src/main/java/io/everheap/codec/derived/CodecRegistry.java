package io.everheap.codec.derived;

import io.everheap.codec.Codec;
import io.everheap.codec.composite.CodecNames;
import io.everheap.stability.Evolving;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds the codec of a Java type: a registered one, a built-in one, or one made for a record, an
 * enum, a sealed type, an array of objects, or a {@code List}, {@code Set}, {@code Map} or {@code
 * Optional} of such types. Records may be generic and may refer to themselves.
 *
 * <p>Records and sealed types are stored as follows. A component of a record that is not primitive
 * may be {@code null}. A value of a sealed type is preceded by the simple name of its class, or the
 * full name if two permitted classes have the same simple name; classes may be added later.
 *
 * <p>Safe for use by any number of threads. A codec that was returned does not change: register
 * codecs and lookups before the first use.
 *
 * @since 0.9
 */
@Evolving
public final class CodecRegistry {
  private final Map<Class<?>, Codec<?>> registered = new ConcurrentHashMap<>();
  private final List<MethodHandles.Lookup> lookups = new CopyOnWriteArrayList<>();

  /**
   * The codecs returned so far, read without a lock; all maps are changed with the monitor held.
   */
  private final Map<TypeShape, Codec<?>> known = new ConcurrentHashMap<>();

  private final Function<Class<?>, @Nullable Codec<?>> provider;

  /** Creates a registry of the built-in codecs. */
  public CodecRegistry() {
    this.provider = type -> null;
  }

  /**
   * Creates a copy of a registry for one heap. For use by the heap.
   *
   * @param other whose registered codecs and lookups are copied
   * @param provider makes the codecs of classes that only the heap has codecs for, or returns null;
   *     called with this registry's lock held
   */
  public CodecRegistry(CodecRegistry other, Function<Class<?>, @Nullable Codec<?>> provider) {
    synchronized (other) {
      registered.putAll(other.registered);
      lookups.addAll(other.lookups);
    }
    this.provider = Objects.requireNonNull(provider, "provider");
  }

  /** Returns the lookups in the order in which they were given. For use by the heap. */
  public List<MethodHandles.Lookup> lookups() {
    return List.copyOf(lookups);
  }

  /**
   * Uses a codec for a class, in place of any other, whatever the type arguments of the class are.
   * Components of primitive types are stored as they are, whatever is registered for their boxes.
   *
   * @param <T> the class
   * @param type the class
   * @param codec for values of this class
   * @return this
   * @throws IllegalArgumentException if the class is primitive or the codec's name is not allowed
   */
  public synchronized <T> CodecRegistry register(Class<T> type, Codec<T> codec) {
    if (type.isPrimitive()) {
      throw new IllegalArgumentException(type + " is always stored as it is; use its box");
    }
    CodecNames.require(Objects.requireNonNull(codec, "codec"));
    registered.put(type, codec);
    known.clear();
    return this;
  }

  /**
   * Uses a lookup to access records that are not public, or whose package is neither exported nor
   * open to this library. It gives access to all records of its module.
   *
   * @param lookup made by {@code MethodHandles.lookup()} in the module of the records
   * @return this
   */
  public synchronized CodecRegistry lookup(MethodHandles.Lookup lookup) {
    lookups.add(Objects.requireNonNull(lookup, "lookup"));
    return this;
  }

  /**
   * Returns the codec of a class.
   *
   * @param <T> the class
   * @param type a class without type parameters, or a primitive type
   * @return the codec
   * @throws io.everheap.error.UnsupportedTypeException if it or a type that it refers to has none
   */
  @SuppressWarnings("unchecked") // codecs are found by their class
  public <T> Codec<T> forClass(Class<T> type) {
    return (Codec<T>) forType(type);
  }

  /**
   * Returns the codec of a type.
   *
   * @param type a class or a parameterized type such as {@code List<String>}
   * @return the codec
   * @throws io.everheap.error.UnsupportedTypeException if it or a type that it refers to has none
   */
  public Codec<?> forType(Type type) {
    TypeShape shape = TypeShape.of(Objects.requireNonNull(type, "type"), new HashMap<>());
    Codec<?> codec = known.get(shape);
    return codec != null ? codec : resolve(shape);
  }

  private synchronized Codec<?> resolve(TypeShape shape) {
    var resolution = new Resolution(registered, lookups, known, provider);
    Codec<?> codec = resolution.resolve(shape);
    known.putAll(resolution.found());
    return codec;
  }
}
