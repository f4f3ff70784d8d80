package io.everheap.codec;

/**
 * Texts as bytes in the order of {@code String.compareTo}, which is that of UTF-16 code units. Each
 * unit, also a surrogate, becomes the one to three bytes that UTF-8 has for a character of that
 * number (CESU-8, Unicode Technical Report 26). UTF-8 itself would put characters above U+FFFF
 * behind U+E000 to U+FFFF; their surrogates come before.
 */
final class OrderedText {
  private static final int ONE_BYTE = 0x80;
  private static final int TWO_BYTES = 0x800;

  private OrderedText() {}

  static void write(String text, CodecOutput out) {
    int length = text.length();
    int bits = 0;
    for (int i = 0; i < length; i++) {
      bits |= text.charAt(i);
    }
    if (bits < ONE_BYTE) {
      out.writeLatin1(text);
      return;
    }
    for (int i = 0; i < length; i++) {
      int c = text.charAt(i);
      if (c < ONE_BYTE) {
        out.writeByte(c);
      } else if (c < TWO_BYTES) {
        out.writeByte(0xC0 | (c >> 6));
        out.writeByte(0x80 | (c & 0x3F));
      } else {
        out.writeByte(0xE0 | (c >> 12));
        out.writeByte(0x80 | ((c >> 6) & 0x3F));
        out.writeByte(0x80 | (c & 0x3F));
      }
    }
  }

  static String read(CodecInput in) {
    if (in.isAscii()) {
      return in.readLatin1(in.remaining());
    }
    byte[] bytes = in.readBytes(in.remaining());
    char[] chars = new char[bytes.length];
    int length = 0;
    int at = 0;
    while (at < bytes.length) {
      int first = bytes[at++] & 0xFF;
      if (first < ONE_BYTE) {
        chars[length++] = (char) first;
        continue;
      }
      int more = first >= 0xE0 ? 2 : 1;
      int c = first & (more == 2 ? 0x0F : 0x1F);
      boolean sound = first >= 0xC0 && first < 0xF0 && at + more <= bytes.length;
      for (int i = 0; sound && i < more; i++) {
        int next = bytes[at++];
        sound = (next & 0xC0) == 0x80;
        c = (c << 6) | (next & 0x3F);
      }
      if (!sound || c < (more == 2 ? TWO_BYTES : ONE_BYTE)) {
        throw in.corrupt("found no text before byte " + at);
      }
      chars[length++] = (char) c;
    }
    return new String(chars, 0, length);
  }
}
