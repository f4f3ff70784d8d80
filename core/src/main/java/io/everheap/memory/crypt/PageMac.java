package io.everheap.memory.crypt;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;

/**
 * A keyed digest of pages, 63 bits long, which nobody without the key can compute or predict: NH, a
 * universal hash of the words of a page (Krovetz and Dai: VMAC; RFC 4418 has it with half words),
 * and SipHash of its 128 bits together with the number of the page.
 *
 * <p>Two different pages have the same NH with a probability of at most 2<sup>-64</sup> over the
 * keys, and SipHash hides it, so that digests tell nothing of the key. Whoever puts a page in the
 * place of another one hits its digest with a probability of 2<sup>-63</sup>.
 *
 * <p>Thread-safe.
 */
public final class PageMac {
  /** Size of a page in bytes. */
  public static final int PAGE = SealedLayout.BLOCK;

  private static final int WORDS = PAGE / Long.BYTES;
  private static final int KEY = 32;
  private static final int LABEL = 16;

  private final long[] key = new long[WORDS];
  private final SipHash hash;

  /**
   * Creates it.
   *
   * @param secret 32 bytes, derived for this purpose only
   */
  public PageMac(byte[] secret) {
    ByteBuffer expanded = expand(secret);
    for (int i = 0; i < WORDS; i++) {
      key[i] = expanded.getLong(i * Long.BYTES);
    }
    byte[] sip = new byte[LABEL];
    expanded.get(PAGE, sip);
    hash = new SipHash(sip);
  }

  /** AES-256 of a counter: the words of the key, then the key of SipHash. */
  private static ByteBuffer expand(byte[] secret) {
    if (secret.length != KEY) {
      throw new IllegalArgumentException("a key of 32 bytes, not " + secret.length);
    }
    byte[] blocks = new byte[PAGE + LABEL];
    for (int i = 0; i < blocks.length / LABEL; i++) {
      Words.put(blocks, i * LABEL, i);
    }
    try {
      byte[] expanded = AesBlocks.encrypting(secret).doFinal(blocks);
      return ByteBuffer.wrap(expanded).order(ByteOrder.LITTLE_ENDIAN);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES refuses to encrypt", e);
    }
  }

  /**
   * The digest of a page.
   *
   * @param number of the page
   * @param pages has the page; its position does not change
   * @param at index of its first byte
   * @return an odd number, so it is never 0
   */
  public long of(long number, ByteBuffer pages, int at) {
    ByteBuffer from = pages.duplicate().order(ByteOrder.LITTLE_ENDIAN).clear();
    long high = 0;
    long low = 0;
    for (int i = 0; i < WORDS; i += 2) {
      long x = from.getLong(at + i * Long.BYTES) + key[i];
      long y = from.getLong(at + (i + 1) * Long.BYTES) + key[i + 1];
      long product = x * y;
      low += product;
      high += Math.unsignedMultiplyHigh(x, y);
      high += Long.compareUnsigned(low, product) < 0 ? 1 : 0;
    }
    byte[] words = new byte[3 * Long.BYTES];
    Words.put(words, 0, number);
    Words.put(words, 8, low);
    Words.put(words, 16, high);
    return hash.hash(words) << 1 | 1;
  }
}
