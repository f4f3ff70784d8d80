package io.everheap.memory.crypt;

import io.everheap.memory.crypt.SectorKeys.Salt;
import io.everheap.memory.crypt.SectorKeys.Series;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts and decrypts sectors with AES-256-GCM, one at a time; see {@link SealedLayout}. The tag
 * covers the file, the number of the sector in it, and the contents. Not thread-safe.
 */
final class SectorCipher {
  private static final int NONCE = 12;
  private static final int TAG_BITS = 8 * SealedLayout.TAG_BYTES;
  private static final int CIPHERTEXT = SealedLayout.CIPHERTEXT;

  private final SectorKeys keys;
  private final Cipher cipher;
  private final byte[] nonce = new byte[NONCE];
  private final byte[] place = new byte[24];

  /** Creates it with a cipher of its own. */
  SectorCipher(SectorKeys keys) {
    this.keys = keys;
    try {
      this.cipher = Cipher.getInstance("AES/GCM/NoPadding");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no AES-GCM", e);
    }
  }

  /**
   * Encrypts a sector under a nonce that was not used before.
   *
   * @param file that the sector belongs to
   * @param number of the sector in the file
   * @param plain contents, of {@link SealedLayout#PAYLOAD} bytes
   * @param target receives the sector
   * @param at index of its first byte
   */
  void seal(FileId file, long number, byte[] plain, byte[] target, int at) {
    Series series = keys.current();
    long count = series.count().getAndIncrement();
    seal(series.salt(), count, file, number, plain, target, at);
  }

  /** Encrypts a sector under a given nonce; for {@link #seal} and known answers. */
  void seal(Salt salt, long count, FileId file, long number, byte[] plain, byte[] target, int at) {
    Words.put(target, at + SealedLayout.SALT, salt.high());
    Words.put(target, at + SealedLayout.SALT + 8, salt.low());
    Words.put(target, at + SealedLayout.COUNTER, count);
    Words.put(target, at + SealedLayout.RESERVED, 0);
    Words.put(target, at + SealedLayout.RESERVED + 8, 0);
    try {
      begin(Cipher.ENCRYPT_MODE, keys.key(salt), count, file, number);
      cipher.doFinal(plain, 0, SealedLayout.PAYLOAD, target, at + CIPHERTEXT);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES-GCM refuses to encrypt", e);
    }
  }

  /**
   * Decrypts a sector.
   *
   * @param source has the sector
   * @param at index of its first byte
   * @param plain receives the contents
   * @return whether it is authentic; a sector of zeros is, and reads as zeros
   */
  boolean open(FileId file, long number, byte[] source, int at, byte[] plain) {
    Salt salt =
        new Salt(
            Words.get(source, at + SealedLayout.SALT),
            Words.get(source, at + SealedLayout.SALT + 8));
    if (salt.isZero()) {
      Arrays.fill(plain, (byte) 0);
      return Words.isZero(source, at, SealedLayout.SECTOR);
    }
    if (!Words.isZero(source, at + SealedLayout.RESERVED, CIPHERTEXT - SealedLayout.RESERVED)) {
      return false;
    }
    try {
      long count = Words.get(source, at + SealedLayout.COUNTER);
      SecretKeySpec key = keys.key(salt);
      begin(Cipher.DECRYPT_MODE, key, count, file, number);
      cipher.doFinal(source, at + CIPHERTEXT, SealedLayout.SECTOR - CIPHERTEXT, plain, 0);
      keys.keep(salt, key);
      return true;
    } catch (AEADBadTagException e) {
      return false;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES-GCM refuses to decrypt", e);
    }
  }

  private void begin(int mode, SecretKeySpec key, long count, FileId file, long number)
      throws GeneralSecurityException {
    Words.put(nonce, 0, count);
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    Words.put(place, 0, file.high());
    Words.put(place, 8, file.low());
    Words.put(place, 16, number);
    cipher.updateAAD(place);
  }
}
