package io.everheap.engine.home;

import io.everheap.memory.crypt.AesBlocks;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import javax.crypto.Cipher;

/**
 * A digest of a table of words that changes with each word in constant time: the sum, modulo 2^128,
 * of AES-256 of each place and its word. A word of 0 adds nothing. Not thread-safe.
 */
final class KeyedSum {
  private final Cipher cipher;
  private final byte[] block = new byte[16];
  private final ByteBuffer words = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
  private long high;
  private long low;

  /**
   * Creates the sum of no words.
   *
   * @param key 32 bytes, derived for this purpose
   */
  KeyedSum(byte[] key) {
    this.cipher = AesBlocks.encrypting(key);
  }

  long high() {
    return high;
  }

  long low() {
    return low;
  }

  void set(long newHigh, long newLow) {
    high = newHigh;
    low = newLow;
  }

  void set(KeyedSum other) {
    set(other.high, other.low);
  }

  void add(KeyedSum other) {
    add(other.high, other.low);
  }

  private void add(long otherHigh, long otherLow) {
    low += otherLow;
    high += otherHigh + (Long.compareUnsigned(low, otherLow) < 0 ? 1 : 0);
  }

  /** Turns this sum into what has to be added to it for zero. */
  KeyedSum negated() {
    set(low == 0 ? -high : ~high, -low);
    return this;
  }

  /** Accounts for a word that replaces another one. */
  void replace(long place, long before, long after) {
    if (before == after) {
      return;
    }
    if (before != 0) {
      digest(place, before);
      long termLow = words.getLong(0);
      add(termLow == 0 ? -words.getLong(8) : ~words.getLong(8), -termLow);
    }
    if (after != 0) {
      digest(place, after);
      add(words.getLong(8), words.getLong(0));
    }
  }

  private void digest(long place, long word) {
    words.putLong(0, place).putLong(8, word);
    try {
      cipher.update(block, 0, block.length, block, 0);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES refuses to encrypt", e);
    }
  }

  /** Whether two sums are equal; their keys are the caller's business. */
  boolean isSame(KeyedSum other) {
    return high == other.high && low == other.low;
  }
}
