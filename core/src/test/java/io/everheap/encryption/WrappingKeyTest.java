package io.everheap.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.EncryptionException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The wrapping of data keys by a key that the program has. */
class WrappingKeyTest {
  /** The data key 00 .. 1f under 20 .. 3f, as docs/format.md has it: nonce, ciphertext, tag. */
  private static final String WRAPPED =
      "505152535455565758595a5b"
          + "b1a1aa11352a710a3c06001161048da0ccfd5d2c6ce36f17bae5c241ac173e26"
          + "e9f946705cdc773af6eb5145853be59c";

  private static final String CONTEXT =
      "455648504b4559530100000000000000404142434445464748494a4b4c4d4e4f";

  private final KeyProvider provider = KeyProvider.of(from(0x20, 32));

  private static byte[] from(int first, int count) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) (first + i);
    }
    return bytes;
  }

  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits);
  }

  private static byte[] flipped(byte[] bytes, int at) {
    byte[] changed = bytes.clone();
    changed[at] ^= 1;
    return changed;
  }

  @Test
  void aKnownKeyIsUnwrapped() {
    assertThat(provider.unwrap(hex(WRAPPED), hex(CONTEXT))).isEqualTo(from(0, 32));
  }

  @Test
  void eachChangedByteIsRefused() {
    for (int at = 0; at < 60; at++) {
      byte[] changed = flipped(hex(WRAPPED), at);
      assertThatThrownBy(() -> provider.unwrap(changed, hex(CONTEXT)))
          .as("wrapped byte %s", at)
          .isInstanceOf(EncryptionException.class)
          .hasMessageContaining("not the one that the heap's data key is wrapped with");
    }
    for (int at = 0; at < 32; at++) {
      byte[] context = flipped(hex(CONTEXT), at);
      assertThatThrownBy(() -> provider.unwrap(hex(WRAPPED), context))
          .as("context byte %s", at)
          .isInstanceOf(EncryptionException.class);
      KeyProvider other = KeyProvider.of(flipped(from(0x20, 32), at));
      assertThatThrownBy(() -> other.unwrap(hex(WRAPPED), hex(CONTEXT)))
          .as("key byte %s", at)
          .isInstanceOf(EncryptionException.class);
    }
  }

  @Test
  void eachShorterOrLongerTextIsRefused() {
    for (int length = 0; length < 60; length++) {
      byte[] cut = Arrays.copyOf(hex(WRAPPED), length);
      assertThatThrownBy(() -> provider.unwrap(cut, hex(CONTEXT)))
          .as("%s bytes", length)
          .isInstanceOf(EncryptionException.class)
          .hasMessageContaining(
              length < 12 ? "A wrapped key of " + length + " bytes is too short." : "");
    }
    byte[] longer = Arrays.copyOf(hex(WRAPPED), 61);
    assertThatThrownBy(() -> provider.unwrap(longer, hex(CONTEXT)))
        .isInstanceOf(EncryptionException.class);
    assertThatThrownBy(() -> provider.unwrap(new byte[12], hex(CONTEXT)))
        .isInstanceOf(EncryptionException.class)
        .message()
        .doesNotContain("too short");
  }

  @Test
  void eachWrappingHasAnotherNonceAndIsNoPlaintext() {
    Set<String> nonces = new HashSet<>();
    for (int i = 0; i < 20; i++) {
      byte[] wrapped = provider.wrap(from(0, 32), hex(CONTEXT));
      assertThat(wrapped).hasSize(60);
      assertThat(nonces.add(HexFormat.of().formatHex(wrapped, 0, 12))).isTrue();
      assertThat(HexFormat.of().formatHex(wrapped)).doesNotContain("0001020304");
      assertThat(provider.unwrap(wrapped, hex(CONTEXT))).isEqualTo(from(0, 32));
      assertThatThrownBy(() -> provider.unwrap(wrapped, new byte[32]))
          .isInstanceOf(EncryptionException.class);
    }
  }

  @Test
  void theKeyOfTheSourceIsErasedAfterEachUse() {
    List<byte[]> given = new ArrayList<>();
    WrappingKey key =
        new WrappingKey(
            () -> {
              byte[] bytes = from(0x20, 32);
              given.add(bytes);
              return bytes;
            });
    byte[] wrapped = key.wrap(from(0, 32), hex(CONTEXT));
    assertThat(key.unwrap(wrapped, hex(CONTEXT))).isEqualTo(from(0, 32));
    assertThat(given).hasSize(2).allSatisfy(bytes -> assertThat(bytes).containsOnly(0));
  }

  @Test
  void aKeyOfNoCipherIsRefused() {
    WrappingKey key = new WrappingKey(() -> new byte[7]);
    assertThatThrownBy(() -> key.wrap(new byte[32], new byte[32]))
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("cannot be wrapped");
    assertThatThrownBy(() -> key.unwrap(new byte[60], new byte[32]))
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("cannot be unwrapped");
  }
}
