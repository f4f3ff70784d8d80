package io.everheap.codec.derived;

import io.everheap.codec.Codec;
import io.everheap.codec.check.BuiltIns;
import io.everheap.codec.composite.ArrayCodec;
import io.everheap.codec.composite.CollectionCodec;
import io.everheap.codec.composite.EnumCodec;
import io.everheap.codec.composite.MapCodec;
import io.everheap.codec.composite.OptionalCodec;
import io.everheap.codec.composite.RecordCodec;
import io.everheap.codec.composite.SealedCodec;
import io.everheap.error.UnsupportedTypeException;
import java.lang.annotation.Annotation;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One search for the codec of a type and of all types that it refers to. The codec of a record or a
 * sealed type is known before its parts are, so that a type can refer to itself. Runs in one
 * thread, with the registry's lock held.
 */
final class Resolution {
  /**
   * The limits end a search among types that refer to ever larger types, such as {@code P<T>} to
   * {@code P<List<T>>}.
   */
  private static final int MAX_DEPTH = 200;

  private static final int MAX_TYPES = 10_000;

  private final Map<Class<?>, Codec<?>> registered;
  private final List<MethodHandles.Lookup> lookups;
  private final Map<TypeShape, Codec<?>> known;
  private final Function<Class<?>, @Nullable Codec<?>> provider;
  private final Map<TypeShape, Codec<?>> found = new HashMap<>();
  private final Deque<String> path = new ArrayDeque<>();

  Resolution(
      Map<Class<?>, Codec<?>> registered,
      List<MethodHandles.Lookup> lookups,
      Map<TypeShape, Codec<?>> known,
      Function<Class<?>, @Nullable Codec<?>> provider) {
    this.provider = provider;
    this.registered = registered;
    this.lookups = lookups;
    this.known = known;
  }

  /** The codecs made so far: of the type that was asked for, and of those that it refers to. */
  Map<TypeShape, Codec<?>> found() {
    return found;
  }

  Codec<?> resolve(TypeShape type) {
    path.addLast(type.raw().getSimpleName());
    return codec(type);
  }

  private Codec<?> part(TypeShape type, String step) {
    path.addLast(step);
    Codec<?> codec = codec(type);
    path.removeLast();
    return codec;
  }

  private Codec<?> codec(TypeShape type) {
    Codec<?> existing = existing(type);
    if (existing != null) {
      return existing;
    }
    if (path.size() > MAX_DEPTH || found.size() > MAX_TYPES) {
      throw unsupported(type, "its type arguments grow without end", null);
    }
    Codec<?> codec = create(type);
    found.put(type, codec);
    return codec;
  }

  private @Nullable Codec<?> existing(TypeShape type) {
    Codec<?> codec = registered.get(type.raw());
    if (codec == null) {
      codec = BuiltIns.of(type.raw());
    }
    if (codec == null) {
      codec = known.get(type);
    }
    return codec != null ? codec : found.get(type);
  }

  private Codec<?> create(TypeShape type) {
    Class<?> raw = type.raw();
    Codec<?> provided = provider.apply(raw);
    if (provided != null) {
      return provided;
    }
    if (raw.isArray()) {
      return new ArrayCodec<>(erased(raw.getComponentType()), element(type, 0, "element"));
    }
    if (raw == List.class) {
      return CollectionCodec.list(element(type, 0, "element"));
    }
    if (raw == Set.class) {
      return CollectionCodec.set(element(type, 0, "element"));
    }
    if (raw == Map.class) {
      return new MapCodec<>(element(type, 0, "key"), element(type, 1, "value"));
    }
    if (raw == Optional.class) {
      return new OptionalCodec<>(element(type, 0, "value"));
    }
    if (raw.isEnum()) {
      return enumeration(raw);
    }
    if (raw.isRecord()) {
      return record(type);
    }
    if (raw.isSealed() && Modifier.isAbstract(raw.getModifiers())) {
      return sealed(type);
    }
    throw unsupported(type, advice(raw), null);
  }

  private static String advice(Class<?> raw) {
    if (raw == Object.class) {
      return "give the type argument that is missing, or a type of which all values are known";
    }
    if (Iterable.class.isAssignableFrom(raw) || Map.class.isAssignableFrom(raw)) {
      return "declare it as List, Set or Map, or register a Codec for it";
    }
    return isKotlin(raw)
        ? "register a Codec for it, annotate it with @JvmRecord if it is a data class, or make it a"
            + " plain @Durable class"
        : "register a Codec for it, make it a record, an enum or a sealed interface of those, or a"
            + " plain @Durable class";
  }

  /** Whether Kotlin made the class: its data classes are records only with an annotation. */
  private static boolean isKotlin(Class<?> raw) {
    for (Annotation annotation : raw.getAnnotations()) {
      if (annotation.annotationType().getName().equals("kotlin.Metadata")) {
        return true;
      }
    }
    return false;
  }

  @SuppressWarnings("unchecked") // the codec is used for values of this type only
  private Codec<Object> element(TypeShape type, int index, String step) {
    if (type.arguments().size() <= index) {
      throw unsupported(
          type,
          "it has no type arguments; give a parameterized type, or a Codec made for it",
          null);
    }
    return (Codec<Object>) part(type.arguments().get(index), step);
  }

  @SuppressWarnings("unchecked") // an array of it is an array of objects
  private static Class<Object> erased(Class<?> type) {
    return (Class<Object>) type;
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // it was tested to be an enum
  private static Codec<?> enumeration(Class<?> type) {
    return new EnumCodec(type);
  }

  private Codec<?> record(TypeShape type) {
    RecordCodec<?> codec = reach(type);
    found.put(type, codec);
    RecordComponent[] components = type.raw().getRecordComponents();
    for (int i = 0; i < components.length; i++) {
      TypeShape component = TypeShape.of(components[i].getGenericType(), type.bindings());
      codec.link(i, part(component, components[i].getName()));
    }
    return codec;
  }

  /** Tries the public lookup, then the given ones, then that of this module. */
  private RecordCodec<?> reach(TypeShape type) {
    try {
      return new RecordCodec<>(type.raw(), type.toString(), MethodHandles.publicLookup());
    } catch (IllegalAccessException e) {
      // not public
    }
    for (MethodHandles.Lookup lookup : lookups) {
      try {
        return new RecordCodec<>(
            type.raw(), type.toString(), MethodHandles.privateLookupIn(type.raw(), lookup));
      } catch (IllegalAccessException e) {
        // the next lookup may have access
      }
    }
    try {
      Resolution.class.getModule().addReads(type.raw().getModule());
      return new RecordCodec<>(
          type.raw(),
          type.toString(),
          MethodHandles.privateLookupIn(type.raw(), MethodHandles.lookup()));
    } catch (IllegalAccessException e) {
      throw unsupported(
          type,
          "its constructor cannot be reached; give CodecRegistry.lookup a MethodHandles.lookup()"
              + " made in its module, or register a Codec for it",
          e);
    }
  }

  private Codec<?> sealed(TypeShape type) {
    var codec = new SealedCodec<>(type.raw(), type.toString());
    found.put(type, codec);
    Map<Class<?>, TypeShape> leaves = new HashMap<>();
    collectLeaves(type, leaves);
    for (Map.Entry<String, TypeShape> leaf : byTag(leaves.values()).entrySet()) {
      TypeShape shape = leaf.getValue();
      codec.link(leaf.getKey(), shape.raw(), part(shape, shape.raw().getSimpleName()));
    }
    return codec;
  }

  /** The classes that values can have; a class with a registered codec is not subdivided. */
  private void collectLeaves(TypeShape type, Map<Class<?>, TypeShape> leaves) {
    for (Class<?> permitted : type.raw().getPermittedSubclasses()) {
      TypeShape shape = type.subtype(permitted);
      if (permitted.isSealed() && !permitted.isEnum() && !registered.containsKey(permitted)) {
        collectLeaves(shape, leaves);
      } else {
        leaves.putIfAbsent(permitted, shape);
      }
    }
  }

  /** By simple names, and by full ones where several classes have the same simple name; sorted. */
  private static Map<String, TypeShape> byTag(Collection<TypeShape> leaves) {
    Map<String, Integer> uses = new HashMap<>();
    leaves.forEach(leaf -> uses.merge(leaf.raw().getSimpleName(), 1, Integer::sum));
    Map<String, TypeShape> tags = new TreeMap<>();
    for (TypeShape leaf : leaves) {
      String simple = leaf.raw().getSimpleName();
      boolean unique = uses.getOrDefault(simple, 0) == 1;
      tags.put(unique ? simple : leaf.raw().getName(), leaf);
    }
    return tags;
  }

  private UnsupportedTypeException unsupported(
      TypeShape type, String advice, @Nullable Throwable cause) {
    return new UnsupportedTypeException(type.toString(), String.join(".", path), advice, cause);
  }
}
