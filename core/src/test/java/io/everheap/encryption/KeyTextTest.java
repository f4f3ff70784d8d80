package io.everheap.encryption;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.EncryptionException;
import java.util.HexFormat;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys as text. */
class KeyTextTest {
  private static final String DIGITS =
      "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1cfdfeff";

  private static byte[] key(String text) {
    return new KeyText("the test", () -> text.getBytes(ISO_8859_1)).get();
  }

  private static void requireRefused(String text) {
    assertThatThrownBy(() -> key(text))
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("In the test is no key: a key is 64 hexadecimal digits")
        .message()
        .doesNotContain("0a0b0c0d");
  }

  @Test
  void allDigitsAreRead() {
    assertThat(key(DIGITS)).isEqualTo(HexFormat.of().parseHex(DIGITS));
    assertThat(key(DIGITS.toUpperCase(Locale.ROOT))).isEqualTo(HexFormat.of().parseHex(DIGITS));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n", " ", "\t \n\n"})
  void whiteSpaceMayFollow(String space) {
    assertThat(key(DIGITS + space)).isEqualTo(key(DIGITS));
  }

  @Test
  void aTextOfAnotherLengthIsRefused() {
    requireRefused("");
    requireRefused("\n");
    requireRefused(DIGITS.substring(1));
    requireRefused(DIGITS.substring(2));
    requireRefused(DIGITS + "0");
    requireRefused(DIGITS + "00");
    requireRefused(" " + DIGITS);
    requireRefused(DIGITS + "\n" + DIGITS);
  }

  @Test
  void aCharacterThatIsNoDigitIsRefusedInEachPlace() {
    for (int at = 0; at < DIGITS.length(); at++) {
      for (char c : new char[] {'g', ' ', '-', '/', ':', '@', '`', '\u00b2'}) {
        if (c != ' ' || at < DIGITS.length() - 1) {
          requireRefused(DIGITS.substring(0, at) + c + DIGITS.substring(at + 1));
        }
      }
    }
  }

  @Test
  void theTextIsErased() {
    byte[] text = (DIGITS + "\n").getBytes(ISO_8859_1);
    assertThat(new KeyText("the test", () -> text).get()).hasSize(32);
    assertThat(text).containsOnly(0);
    byte[] wrong = "no key".getBytes(ISO_8859_1);
    assertThatThrownBy(() -> new KeyText("the test", () -> wrong).get())
        .isInstanceOf(EncryptionException.class);
    assertThat(wrong).containsOnly(0);
  }
}
