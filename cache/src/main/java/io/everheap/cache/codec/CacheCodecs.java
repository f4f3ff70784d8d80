package io.everheap.cache.codec;

import io.everheap.codec.Codec;
import io.everheap.codec.derived.CodecRegistry;
import io.everheap.error.UnsupportedTypeException;
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
 * <p>What is serialized is deserialized from the files of the cache. A directory that others may
 * write to lets them choose what is deserialized; {@code jdk.serialFilter} limits it. A value whose
 * class is not found, or does not accept the bytes any more, is a miss.
 */
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
   * @param loader finds the classes of what is deserialized
   * @return the codec, which is canonical
   */
  public static <K> Codec<K> keys(Class<K> type, ClassLoader loader) {
    Codec<K> codec = derived(type);
    return codec != null && codec.canonical() ? codec : new OneFormCodec<>(type, loader);
  }

  /**
   * Returns a codec of values.
   *
   * @param <V> the type of the values
   * @param type their class, or a class or interface that all of them have
   * @param loader finds the classes of what is deserialized
   * @return the codec
   */
  public static <V> Codec<V> values(Class<V> type, ClassLoader loader) {
    Codec<V> codec = derived(type);
    return codec != null ? codec : new DynamicCodec<>(type, loader);
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
