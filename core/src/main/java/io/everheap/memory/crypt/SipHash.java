package io.everheap.memory.crypt;

/**
 * SipHash-2-4 (Aumasson, Bernstein: SipHash, a fast short-input PRF): 64 bits that tell nothing of
 * their input to somebody who does not have the key. Thread-safe.
 */
final class SipHash {
  private final long k0;
  private final long k1;

  /** Takes the first 16 bytes of a key. */
  SipHash(byte[] key) {
    k0 = Words.get(key, 0);
    k1 = Words.get(key, 8);
  }

  /** The hash of bytes. */
  long hash(byte[] bytes) {
    long v0 = k0 ^ 0x736f_6d65_7073_6575L;
    long v1 = k1 ^ 0x646f_7261_6e64_6f6dL;
    long v2 = k0 ^ 0x6c79_6765_6e65_7261L;
    long v3 = k1 ^ 0x7465_6462_7974_6573L;
    int whole = bytes.length / Long.BYTES * Long.BYTES;
    long last = (long) bytes.length << 56;
    for (int i = whole; i < bytes.length; i++) {
      last |= (bytes[i] & 0xFFL) << (8 * (i - whole));
    }
    for (int i = 0; i <= whole + 2 * Long.BYTES; i += Long.BYTES) {
      boolean ends = i > whole; // two steps of four rounds in all
      long word = i < whole ? Words.get(bytes, i) : last;
      if (i == whole + Long.BYTES) {
        v2 ^= 0xFF;
      }
      v3 ^= ends ? 0 : word;
      for (int round = 0; round < 2; round++) {
        v0 += v1;
        v2 += v3;
        v1 = Long.rotateLeft(v1, 13) ^ v0;
        v3 = Long.rotateLeft(v3, 16) ^ v2;
        v0 = Long.rotateLeft(v0, 32);
        v2 += v1;
        v0 += v3;
        v1 = Long.rotateLeft(v1, 17) ^ v2;
        v3 = Long.rotateLeft(v3, 21) ^ v0;
        v2 = Long.rotateLeft(v2, 32);
      }
      v0 ^= ends ? 0 : word;
    }
    return v0 ^ v1 ^ v2 ^ v3;
  }
}
