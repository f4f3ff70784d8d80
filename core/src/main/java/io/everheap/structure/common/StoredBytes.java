package io.everheap.structure.common;

import io.everheap.collection.Undecodable;
import io.everheap.error.CorruptValueException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Shows stored keys and values as bytes, whether the heap keeps them as words or as bytes. */
public final class StoredBytes {
  private StoredBytes() {}

  /** The bytes of a stored value; a word is 8 bytes, little-endian. */
  public static byte[] of(Encoded value) {
    byte[] bytes = value.bytes;
    return bytes == null
        ? ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(value.word).array()
        : Arrays.copyOf(bytes, value.length);
  }

  /** Describes a stored value that does not decode. */
  public static Undecodable undecodable(
      Object position, String type, Encoded value, CorruptValueException reason) {
    return new Undecodable(position, type, of(value), reason);
  }

  /** Describes a stored entry whose key does not decode. */
  public static Undecodable undecodableKey(
      String type, Encoded key, byte[] value, CorruptValueException reason) {
    byte[] bytes = of(key);
    return new Undecodable(bytes, type, bytes, value, Contents.ofKey(bytes, reason));
  }
}
