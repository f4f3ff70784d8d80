package io.everheap.encryption;

import io.everheap.error.EncryptionException;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * A key as text of 64 hexadecimal digits, which white space may follow. Messages name where the
 * text came from and never quote it.
 *
 * @param where the text comes from, for messages
 * @param text returns the bytes of the text, which are erased
 */
record KeyText(String where, Supplier<byte[]> text) implements Supplier<byte[]> {
  @Override
  public byte[] get() {
    byte[] digits = text.get();
    try {
      int length = digits.length;
      while (length > 0 && Character.isWhitespace(digits[length - 1])) {
        length--;
      }
      if (length != 2 * WrappingKey.BYTES) {
        throw malformed();
      }
      byte[] key = new byte[WrappingKey.BYTES];
      for (int i = 0; i < key.length; i++) {
        int high = Character.digit(digits[2 * i], 16);
        int low = Character.digit(digits[2 * i + 1], 16);
        if (high < 0 || low < 0) {
          Arrays.fill(key, (byte) 0);
          throw malformed();
        }
        key[i] = (byte) (high << 4 | low);
      }
      return key;
    } finally {
      Arrays.fill(digits, (byte) 0);
    }
  }

  private EncryptionException malformed() {
    return new EncryptionException(
        "In "
            + where
            + " is no key: a key is 64 hexadecimal digits, as openssl rand -hex 32 prints them.");
  }
}
