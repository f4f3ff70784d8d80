package io.everheap.cache.codec;

import io.everheap.codec.Codec;
import io.everheap.codec.derived.CodecRegistry;
import io.everheap.error.UnsupportedTypeException;
import java.lang.reflect.Modifier;

/**
 * Codecs of any class, for caches that take what a program gives them, as those of JCache and
 * Spring do. A scalar of the library, an enum, a record or a sealed type of such has the codec that
 * the library derives. Anything else has its class stored with each value: the most usual types by
 * their own codecs, others by Java's serialization.
 *
 * <p>What is serialized is deserialized from the files of the cache. A directory that others may
 * write to lets them choose what is deserialized; {@code jdk.serialFilter} limits it. A value whose
 * class is not found, or does not accept the bytes any more, is a miss.
 */
public final class CacheCodecs {
  private CacheCodecs() {}

  /**
   * Returns a codec of keys. Two keys are the same exactly if their bytes are: for classes that are
   * serialized that is so if all that is serialized of them is equal, in the same order. Equal
   * strings and boxed numbers within a key need not be the same objects.
   *
   * @param <K> the type of the keys
   * @param type their class, or a class or interface that all of them have
   * @param loader finds the classes of what is deserialized
   * @return the codec, which claims to be canonical
   */
  public static <K> Codec<K> keys(Class<K> type, ClassLoader loader) {
    Codec<K> codec = values(type, loader);
    return codec.canonical() ? codec : new DynamicCodec<>(type, loader);
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
    if (hasNoSubclass(type)) {
      try {
        return new CodecRegistry().forClass(type);
      } catch (UnsupportedTypeException e) {
        return new DynamicCodec<>(type, loader);
      }
    }
    return new DynamicCodec<>(type, loader);
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
