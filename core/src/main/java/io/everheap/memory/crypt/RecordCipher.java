package io.everheap.memory.crypt;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts and authenticates small records that have no room for a nonce, with a synthetic one
 * (SIV; Rogaway, Shrimpton: Deterministic authenticated encryption). HMAC-SHA-256 of the place and
 * the record, cut to 16 bytes, is the tag, and the first counter block of AES-256-CTR:
 *
 * <pre>
 *   0     16
 *   +-----+-------------------+
 *   | tag | record, encrypted |
 *   +-----+-------------------+
 * </pre>
 *
 * <p>So there is nothing to repeat: the same record at the same place gives the same bytes, and
 * another one has another tag. Not thread-safe.
 */
final class RecordCipher {
  /** Bytes that a record is longer when it is encrypted. */
  static final int TAG = 16;

  private final SecretKeySpec key;
  private final Mac mac;
  private final Cipher cipher;

  RecordCipher(byte[] authentication, byte[] encryption) {
    mac = Hmac.of(authentication);
    try {
      cipher = Cipher.getInstance("AES/CTR/NoPadding");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no AES-CTR", e);
    }
    key = new SecretKeySpec(encryption, "AES");
  }

  /** Encrypts a record that belongs to a place. */
  byte[] seal(byte[] place, byte[] record) {
    byte[] sealed = Arrays.copyOf(tag(place, record), TAG + record.length);
    crypt(Cipher.ENCRYPT_MODE, sealed, record, 0, record.length, sealed, TAG);
    return sealed;
  }

  /** Decrypts a record; null if it is not authentic, or that of another place. */
  byte @Nullable [] open(byte[] place, byte[] sealed) {
    byte[] record = new byte[sealed.length - TAG];
    crypt(Cipher.DECRYPT_MODE, sealed, sealed, TAG, record.length, record, 0);
    byte[] tag = Arrays.copyOf(sealed, TAG);
    return MessageDigest.isEqual(tag, tag(place, record)) ? record : null;
  }

  private byte[] tag(byte[] place, byte[] record) {
    byte[] length = new byte[Long.BYTES];
    Words.put(length, 0, place.length);
    mac.update(length);
    mac.update(place);
    mac.update(record);
    return Arrays.copyOf(mac.doFinal(), TAG);
  }

  private void crypt(int mode, byte[] tag, byte[] from, int at, int length, byte[] to, int toAt) {
    try {
      cipher.init(mode, key, new IvParameterSpec(tag, 0, TAG));
      cipher.doFinal(from, at, length, to, toAt);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES-CTR refuses to work", e);
    }
  }
}
