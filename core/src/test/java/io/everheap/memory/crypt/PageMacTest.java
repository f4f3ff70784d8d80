package io.everheap.memory.crypt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class PageMacTest {
  private static final BigInteger WORD = BigInteger.ONE.shiftLeft(64);
  private static final byte[] SECRET = random(new Random(1), 32);

  private final PageMac mac = new PageMac(SECRET);

  private static byte[] random(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static BigInteger word(byte[] bytes, int at) {
    return new BigInteger(Long.toUnsignedString(Words.get(bytes, at)));
  }

  /** The definition, in numbers of any size. */
  private static long expected(byte[] secret, long number, byte[] page) throws Exception {
    byte[] counters = new byte[PageMac.PAGE + 16];
    for (int i = 0; i < counters.length / 16; i++) {
      counters[i * 16] = (byte) i;
      counters[i * 16 + 1] = (byte) (i >> 8);
    }
    Cipher aes = Cipher.getInstance("AES/ECB/NoPadding");
    aes.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(secret, "AES"));
    byte[] key = aes.doFinal(counters);
    BigInteger sum = BigInteger.ZERO;
    for (int at = 0; at < PageMac.PAGE; at += 16) {
      BigInteger x = word(page, at).add(word(key, at)).mod(WORD);
      BigInteger y = word(page, at + 8).add(word(key, at + 8)).mod(WORD);
      sum = sum.add(x.multiply(y));
    }
    byte[] last = new byte[24];
    Words.put(last, 0, number);
    Words.put(last, 8, sum.longValue());
    Words.put(last, 16, sum.shiftRight(64).longValue());
    byte[] sip = new byte[16];
    System.arraycopy(key, PageMac.PAGE, sip, 0, 16);
    return new SipHash(sip).hash(last) << 1 | 1;
  }

  @Test
  void itIsNhAndSipHash() throws Exception {
    Random random = new Random(2);
    for (int i = 0; i < 50; i++) {
      byte[] secret = random(random, 32);
      byte[] page = random(random, PageMac.PAGE);
      if (i % 3 == 0) { // carries
        java.util.Arrays.fill(page, (byte) -1);
      }
      long number = random.nextLong();
      assertThat(new PageMac(secret).of(number, ByteBuffer.wrap(page), 0))
          .isEqualTo(expected(secret, number, page));
    }
  }

  @Test
  void everyBitCounts() {
    byte[] page = random(new Random(3), PageMac.PAGE);
    Set<Long> seen = new HashSet<>();
    seen.add(mac.of(5, ByteBuffer.wrap(page), 0));
    for (int bit = 0; bit < 8 * PageMac.PAGE; bit++) {
      page[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(seen.add(mac.of(5, ByteBuffer.wrap(page), 0))).as("bit %d", bit).isTrue();
      page[bit / 8] ^= (byte) (1 << bit % 8);
    }
    assertThat(seen.add(mac.of(6, ByteBuffer.wrap(page), 0))).as("another place").isTrue();
    assertThat(seen).as("odd, so no digest is 0").allMatch(digest -> (digest & 1) == 1);
  }

  /** Swapped words and pairs, and two changes that a sum would not see. */
  @Test
  void theOrderOfWordsCounts() {
    byte[] page = random(new Random(4), PageMac.PAGE);
    long whole = mac.of(1, ByteBuffer.wrap(page), 0);
    for (int distance : new int[] {8, 16, 2048}) {
      byte[] swapped = page.clone();
      System.arraycopy(page, 0, swapped, distance, 8);
      System.arraycopy(page, distance, swapped, 0, 8);
      assertThat(mac.of(1, ByteBuffer.wrap(swapped), 0)).isNotEqualTo(whole);
    }
  }

  @Test
  void buffersOfAnyKindHaveOneDigest() {
    byte[] page = random(new Random(5), PageMac.PAGE);
    long whole = mac.of(9, ByteBuffer.wrap(page), 0);
    ByteBuffer direct = ByteBuffer.allocateDirect(3 * PageMac.PAGE).order(ByteOrder.LITTLE_ENDIAN);
    direct.put(PageMac.PAGE + 8, page).position(17).limit(100);
    assertThat(mac.of(9, direct, PageMac.PAGE + 8)).isEqualTo(whole);
    assertThat(direct.position()).isEqualTo(17);
    assertThat(direct.limit()).isEqualTo(100);
  }

  @Test
  void anotherKeyGivesAnotherDigest() {
    byte[] secret = SECRET.clone();
    secret[31] ^= 1;
    ByteBuffer zeros = ByteBuffer.allocate(PageMac.PAGE);
    assertThat(new PageMac(secret).of(0, zeros, 0)).isNotEqualTo(mac.of(0, zeros, 0));
  }

  @Test
  void aShortKeyIsRefused() {
    assertThatThrownBy(() -> new PageMac(new byte[31]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("31");
  }
}
