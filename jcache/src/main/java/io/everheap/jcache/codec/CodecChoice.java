package io.everheap.jcache.codec;

import io.everheap.codec.Codec;
import io.everheap.codec.derived.CodecRegistry;
import io.everheap.error.UnsupportedTypeException;
import java.lang.reflect.Modifier;

/** Which codec a type has that a program gave none for. */
public final class CodecChoice {
  private CodecChoice() {}

  /**
   * Returns the codec of keys: one that the library derives from the class, if equal keys have
   * equal bytes with it; else one of any class.
   */
  public static <K> Codec<K> ofKeys(Class<K> type, ClassLoader loader) {
    Codec<K> codec = ofValues(type, loader);
    return codec.canonical() ? codec : new DynamicCodec<>(type, loader);
  }

  /** Returns the codec of values: one that is derived from the class; else one of any class. */
  public static <V> Codec<V> ofValues(Class<V> type, ClassLoader loader) {
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
        || Modifier.isFinal(type.getModifiers()) && !isArrayOfOthers(type);
  }

  private static boolean isArrayOfOthers(Class<?> type) {
    return type.isArray() && !type.getComponentType().isPrimitive();
  }
}
