package io.everheap.codec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The encoding of a text: a header, then as many bytes as its upper bits say.
 *
 * <pre>
 *   LEB128: length in bytes &lt;&lt; 2 | form      length bytes
 *   form 0  Latin-1: all characters are Latin-1
 *   form 1  UTF-8: not Latin-1, and all surrogates are paired
 *   form 2  UTF-16 little-endian: there is an unpaired surrogate, which UTF-8 cannot express
 * </pre>
 *
 * The form follows from the text alone, so equal texts have equal bytes.
 */
final class TextEncoding {
  private static final int LATIN_1 = 0;
  private static final int FORM_UTF_8 = 1;
  private static final int FORM_UTF_16 = 2;

  /** From this length on, comparing with a copy is faster than testing each character. */
  private static final int LONG_TEXT = 48;

  private TextEncoding() {}

  static void write(String text, CodecOutput out) {
    if (isLatin1(text)) {
      writeHeader(text.length(), LATIN_1, out);
      out.writeLatin1(text);
    } else if (isPaired(text)) {
      byte[] bytes = text.getBytes(UTF_8);
      writeHeader(bytes.length, FORM_UTF_8, out);
      out.writeBytes(bytes, 0, bytes.length);
    } else {
      writeHeader(2L * text.length(), FORM_UTF_16, out);
      out.writeUtf16(text);
    }
  }

  static String read(CodecInput in) {
    long header = in.readVarLong();
    long length = header >>> 2;
    if (length > in.remaining()) {
      throw in.corrupt("found a text of " + length + " bytes where " + in.remaining() + " remain");
    }
    int form = (int) header & 3;
    if (form == LATIN_1) {
      return in.readLatin1((int) length);
    }
    if (form == FORM_UTF_8) {
      return in.readUtf8((int) length);
    }
    if (form == FORM_UTF_16 && (length & 1) == 0) {
      return in.readUtf16((int) length);
    }
    throw in.corrupt("found a text of form " + form + " and " + length + " bytes");
  }

  private static void writeHeader(long length, int form, CodecOutput out) {
    out.writeVarLong(length << 2 | form);
  }

  private static boolean isLatin1(String text) {
    int length = text.length();
    if (length >= LONG_TEXT) {
      return isLatin1Long(text);
    }
    int bits = 0;
    for (int i = 0; i < length; i++) {
      bits |= text.charAt(i);
    }
    return bits <= 0xFF;
  }

  /** Copies and compares, both by vector instructions, if the beginning is Latin-1. */
  private static boolean isLatin1Long(String text) {
    for (int i = 0; i < LONG_TEXT; i++) {
      if (text.charAt(i) > 0xFF) {
        return false;
      }
    }
    return new String(text.getBytes(ISO_8859_1), ISO_8859_1).equals(text);
  }

  /** Whether all surrogates come in pairs. */
  private static boolean isPaired(String text) {
    int length = text.length();
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        if (!Character.isHighSurrogate(c)
            || i + 1 == length
            || !Character.isLowSurrogate(text.charAt(i + 1))) {
          return false;
        }
        i++;
      }
    }
    return true;
  }
}
