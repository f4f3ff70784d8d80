package io.everheap.codec.check;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.WordCodec;
import java.util.function.Supplier;

/**
 * Finds codecs that cannot read what they wrote, before it is stored: a value is decoded once it is
 * encoded, and all of its bytes must be taken. For use by the library.
 */
public final class CodecCheck {
  private static final int MOST_TEXT = 80;

  /** Assertions are on in tests: then every value is checked. */
  public static final boolean ALWAYS = CodecCheck.class.desiredAssertionStatus();

  private CodecCheck() {}

  /**
   * Checks what was just encoded.
   *
   * @param place what is to hold the value, for the message
   * @throws IllegalArgumentException if the codec does not read it, or leaves bytes
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

  /** The same of a word. */
  public static <T> void word(WordCodec<T> codec, T value, long word, Supplier<String> place) {
    try {
      T _ = codec.fromWord(word);
    } catch (RuntimeException e) {
      throw refused(codec, value, "the word " + word, place, e);
    }
  }

  private static IllegalArgumentException refused(
      Codec<?> codec, Object value, String written, Supplier<String> place, RuntimeException e) {
    return new IllegalArgumentException(
        "The codec %s (%s) cannot read what it wrote, so nothing was stored in %s: for the value %s it wrote %s, and reading them failed with %s"
            .formatted(
                codec.name(), codec.getClass().getName(), place.get(), text(value), written, e),
        e);
  }

  private static String text(Object value) {
    String text;
    try {
      text = String.valueOf(value);
    } catch (RuntimeException e) {
      text = "of " + value.getClass();
    }
    return text.length() <= MOST_TEXT ? text : text.substring(0, MOST_TEXT) + "...";
  }
}
