package io.everheap.codec.check;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.WordCodec;
import io.everheap.error.EverheapException;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Finds codecs that cannot read what they wrote, before it is stored: decodes an encoded value,
 * which must consume all of its bytes.
 */
public final class CodecCheck {
  /** Whether every value is checked: assertions are on, as in tests. */
  public static final boolean ALWAYS = CodecCheck.class.desiredAssertionStatus();

  private CodecCheck() {}

  /**
   * Checks the bytes of a value.
   *
   * @param place where the value is to be stored, for the message
   * @throws IllegalArgumentException if the codec cannot read them, or leaves some unread
   */
  public static <T> void bytes(
      Codec<T> codec, T value, byte[] bytes, int length, Supplier<String> place) {
    try {
      CodecInput in = new CodecInput(bytes, 0, length);
      T _ = codec.read(in);
      in.expectEnd();
    } catch (RuntimeException e) {
      throw refused(codec, value, length + " bytes", place, e);
    }
  }

  /** Checks the word of a value, as {@link #bytes} does. */
  public static <T> void word(WordCodec<T> codec, T value, long word, Supplier<String> place) {
    try {
      T _ = codec.fromWord(word);
    } catch (RuntimeException e) {
      throw refused(codec, value, "a word", place, e);
    }
  }

  private static IllegalArgumentException refused(
      Codec<?> codec, Object value, String written, Supplier<String> place, RuntimeException e) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "The codec %s (%s) cannot read what it wrote, so nothing was stored in %s: for a value of"
                + " %s it wrote %s, and reading that failed with %s",
            codec.name(),
            codec.getClass().getName(),
            place.get(),
            value.getClass().getName(),
            written,
            reason(e)),
        e);
  }

  /** The message of another exception may have the value, which no message of ours shows. */
  private static String reason(RuntimeException e) {
    return e instanceof EverheapException ? e.toString() : e.getClass().getName();
  }
}
