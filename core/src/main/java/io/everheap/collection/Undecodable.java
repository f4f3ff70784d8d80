package io.everheap.collection;

import io.everheap.error.CorruptValueException;
import io.everheap.stability.Stable;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A stored element or entry that this program cannot decode: its class refuses the value, its codec
 * throws, or the JVM lacks what the value names, such as a time zone. The bytes may be sound, so
 * that another version of the program can decode them. {@link Structure#undecodable} finds them.
 *
 * @param position key of the entry, or index of the element from 0 on; of a queue, in the order of
 *     its iterator; the stored bytes of a key that does not decode itself
 * @param type name of the codec that was to decode it
 * @param bytes as they are stored; a value that the heap keeps as a word is 8 bytes, little-endian
 * @param value the stored bytes of the entry's value if the key does not decode; empty otherwise
 * @param reason names root, position and codec; its cause is what the codec or the class threw
 * @since 0.9
 */
@SuppressWarnings("ArrayRecordComponent") // copied in and out, and compared by contents
@Stable
public record Undecodable(
    Object position, String type, byte[] bytes, byte[] value, CorruptValueException reason) {
  private static final byte[] NO_VALUE = {};

  /** Copies the bytes. */
  public Undecodable {
    Objects.requireNonNull(position, "position");
    Objects.requireNonNull(type, "type");
    bytes = bytes.clone();
    value = value.clone();
    Objects.requireNonNull(reason, "reason");
  }

  /** Describes an element, or an entry whose key decodes. */
  public Undecodable(Object position, String type, byte[] bytes, CorruptValueException reason) {
    this(position, type, bytes, NO_VALUE, reason);
  }

  /** A copy of the stored bytes. */
  @Override
  public byte[] bytes() {
    return bytes.clone();
  }

  /** A copy of the stored bytes of the value. */
  @Override
  public byte[] value() {
    return value.clone();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Undecodable that
        && Objects.deepEquals(position, that.position)
        && type.equals(that.type)
        && Arrays.equals(bytes, that.bytes)
        && Arrays.equals(value, that.value);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** Returns the reason; the bytes are not shown. */
  @Override
  public String toString() {
    return String.valueOf(reason.getMessage());
  }
}
