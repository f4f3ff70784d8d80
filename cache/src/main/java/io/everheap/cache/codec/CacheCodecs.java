package io.everheap.cache.codec;

import io.everheap.codec.Codec;
import io.everheap.codec.derived.CodecRegistry;
import io.everheap.error.UnsupportedTypeException;
import io.everheap.stability.Evolving;
import java.io.ObjectInputFilter;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;

/**
 * Codecs of any class, for caches that take what a program gives them, as those of JCache and
 * Spring do. A scalar of the library, an enum, a record or a sealed type of such has the codec that
 * the library derives. Anything else has its class stored with each value: the most usual types by
 * their own codecs, others by Java's serialization. Records and {@link java.util.Optional}, also
 * those within other objects, need not be {@link java.io.Serializable}: then their components are
 * serialized, and a record whose class has other components since is a miss.
 *
 * <p>What is serialized is deserialized from the files of the cache, and whoever can write to them
 * chooses what that is. So only these classes are serialized and deserialized: values and
 * collections of the JDK; the classes of the package of the declared type, and of the packages
 * below, with its subclasses; and those that a filter allows, such as {@code
 * ObjectInputFilter.Config.createFilter("com.example.shop.**")}. Objects of other classes are
 * refused by an {@link IllegalArgumentException} when they are written; in files they are misses,
 * as is what is nested more than 200 levels deep, has arrays of more elements than bytes, or is not
 * read after five seconds. The first such miss is logged. A filter of the JVM, {@code
 * jdk.serialFilter}, counts as well. A value whose class is not found, or does not accept the
 * stored bytes, is also a miss.
 *
 * @since 0.9
 */
@Evolving
public final class CacheCodecs {
  private CacheCodecs() {}

  /**
   * Returns a codec of keys. Two keys are the same exactly if their bytes are, and equal keys have
   * the same bytes, as follows:
   *
   * <ul>
   *   <li>Lists, sets, maps and entries of maps are equal by the contracts of these interfaces,
   *       whatever their classes, also within other keys. They are read as other classes: as {@link
   *       java.util.ArrayList}, {@link java.util.LinkedHashSet}, {@link java.util.LinkedHashMap}.
   *   <li>Of other classes, equal keys have the same bytes if all that is serialized of them is
   *       equal. A class whose {@code equals} takes other contents for equal has different keys.
   *   <li>Keys without {@code equals}, arrays among them, are the same if their contents are.
   *   <li>Keys that are equal to what no bytes can tell are refused by an {@link
   *       IllegalArgumentException}: sorted sets and maps with a comparator other than the natural
   *       order and its reverse, {@link java.util.IdentityHashMap}, {@link java.net.URL}.
   * </ul>
   *
   * @param <K> the type of the keys
   * @param type their class, or a class or interface that all of them have
   * @param loader loads the classes of deserialized objects
   * @return the codec, which is canonical
   */
  public static <K> Codec<K> keys(Class<K> type, ClassLoader loader) {
    return keys(type, loader, null);
  }

  /**
   * Returns a codec of keys, as {@link #keys(Class, ClassLoader)} does.
   *
   * @param <K> the type of the keys
   * @param type their class, or a class or interface that all of them have
   * @param loader loads the classes of deserialized objects
   * @param filter allows and rejects further classes, and is {@code UNDECIDED} of all others; null
   *     for none
   * @return the codec, which is canonical
   */
  public static <K> Codec<K> keys(
      Class<K> type, ClassLoader loader, @Nullable ObjectInputFilter filter) {
    Codec<K> codec = derived(type);
    return codec != null && codec.canonical()
        ? codec
        : new OneFormCodec<>(type, loader, new SerialFilter(type, filter));
  }

  /**
   * Returns a codec of values.
   *
   * @param <V> the type of the values
   * @param type their class, or a class or interface that all of them have
   * @param loader loads the classes of deserialized objects
   * @return the codec
   */
  public static <V> Codec<V> values(Class<V> type, ClassLoader loader) {
    return values(type, loader, null);
  }

  /**
   * Returns a codec of values.
   *
   * @param <V> the type of the values
   * @param type their class, or a class or interface that all of them have
   * @param loader loads the classes of deserialized objects
   * @param filter allows and rejects further classes, and is {@code UNDECIDED} of all others; null
   *     for none
   * @return the codec
   */
  public static <V> Codec<V> values(
      Class<V> type, ClassLoader loader, @Nullable ObjectInputFilter filter) {
    Codec<V> codec = derived(type);
    return codec != null ? codec : new DynamicCodec<>(type, loader, new SerialFilter(type, filter));
  }

  /** The codec that the library has for a class; null if it has none. */
  private static <T> @Nullable Codec<T> derived(Class<T> type) {
    if (!hasNoSubclass(type)) {
      return null;
    }
    try {
      return new CodecRegistry().forClass(type);
    } catch (UnsupportedTypeException e) {
      return null;
    }
  }

  /** Whether all values are of the class itself, so that reading gives back what was written. */
  private static boolean hasNoSubclass(Class<?> type) {
    return type.isSealed()
        || type.isEnum()
        || (Modifier.isFinal(type.getModifiers()) && !isArrayOfOthers(type));
  }

  private static boolean isArrayOfOthers(Class<?> type) {
    return type.isArray() && !type.getComponentType().isPrimitive();
  }
}
