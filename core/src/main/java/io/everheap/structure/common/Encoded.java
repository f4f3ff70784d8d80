package io.everheap.structure.common;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A key or value in the form in which the heap keeps it: one word, or the first bytes of an array.
 */
public final class Encoded {
  /** Stands for no key and no value. */
  public static final Encoded NOTHING = ofWord(0);

  /** The word; meaningless when there are bytes. */
  public final long word;

  /** The bytes, or null when it is a word. */
  public final byte @Nullable [] bytes;

  /** Its size in bytes. */
  public final int length;

  private Encoded(long word, byte @Nullable [] bytes, int length) {
    this.word = word;
    this.bytes = bytes;
    this.length = length;
  }

  public static Encoded ofWord(long word) {
    return new Encoded(word, null, Long.BYTES);
  }

  public static Encoded ofBytes(byte[] bytes, int length) {
    return new Encoded(0, bytes, length);
  }

  public long hash(MapHash hash) {
    byte[] b = bytes;
    return b == null ? hash.ofWord(word) : hash.ofBytes(b, length);
  }

  public boolean sameAs(Encoded other) {
    byte[] a = bytes;
    byte[] b = other.bytes;
    if (a == null || b == null) {
      return a == null && b == null && word == other.word;
    }
    return Arrays.equals(a, 0, length, b, 0, other.length);
  }
}
