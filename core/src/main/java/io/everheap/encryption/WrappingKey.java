package io.everheap.encryption;

import io.everheap.error.EncryptionException;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.function.Supplier;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Wraps data keys with AES-256-GCM and a random nonce, which comes before the ciphertext. A
 * wrapping key wraps one data key for each heap and rekeying, far fewer than the 2^32 messages for
 * which random nonces are safe (NIST SP 800-38D).
 */
final class WrappingKey implements KeyProvider {
  /** Size of a key. */
  static final int BYTES = 32;

  private static final int NONCE = 12;
  private static final int TAG_BITS = 128;

  private final Supplier<byte[]> source;

  /** Creates a provider that erases the arrays which {@code source} returns. */
  WrappingKey(Supplier<byte[]> source) {
    this.source = source;
  }

  @Override
  public byte[] wrap(byte[] dataKey, byte[] context) {
    byte[] nonce = new byte[NONCE];
    new SecureRandom().nextBytes(nonce);
    try {
      Cipher cipher = cipher(Cipher.ENCRYPT_MODE, nonce, context);
      byte[] wrapped = Arrays.copyOf(nonce, NONCE + cipher.getOutputSize(dataKey.length));
      cipher.doFinal(dataKey, 0, dataKey.length, wrapped, NONCE);
      return wrapped;
    } catch (GeneralSecurityException e) {
      throw new EncryptionException("The data key cannot be wrapped: " + e.getMessage(), e);
    }
  }

  @Override
  public byte[] unwrap(byte[] wrapped, byte[] context) {
    if (wrapped.length < NONCE) {
      throw new EncryptionException("A wrapped key of " + wrapped.length + " bytes is too short.");
    }
    try {
      Cipher cipher = cipher(Cipher.DECRYPT_MODE, Arrays.copyOf(wrapped, NONCE), context);
      return cipher.doFinal(wrapped, NONCE, wrapped.length - NONCE);
    } catch (AEADBadTagException e) {
      throw new EncryptionException(
          "The given key is not the one that the heap's data key is wrapped with, or the wrapped"
              + " key was changed.",
          e);
    } catch (GeneralSecurityException e) {
      throw new EncryptionException("The data key cannot be unwrapped: " + e.getMessage(), e);
    }
  }

  private Cipher cipher(int mode, byte[] nonce, byte[] context) throws GeneralSecurityException {
    byte[] key = source.get();
    try {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
      cipher.updateAAD(context);
      return cipher;
    } finally {
      Arrays.fill(key, (byte) 0);
    }
  }
}
