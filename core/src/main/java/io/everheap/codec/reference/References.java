package io.everheap.codec.reference;

import io.everheap.codec.Codec;

/**
 * Tells by the name of a codec whether its values may hold references to objects or structures. For
 * use by the library.
 */
public final class References {
  private static final String OBJECT = "object ";
  private static final String STRUCTURE = "ref ";

  private References() {}

  /** Whether values of a codec may hold references. */
  public static boolean inCodec(Codec<?> codec) {
    return inType(codec.name());
  }

  /** Whether values of the codec with this name may hold references. */
  public static boolean inType(String name) {
    return name.startsWith(STRUCTURE) || name.contains(OBJECT);
  }
}
