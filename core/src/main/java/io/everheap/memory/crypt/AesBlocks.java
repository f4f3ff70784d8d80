package io.everheap.memory.crypt;

import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/** Makes AES-256 of single blocks, as a function with a secret key. Stateless. */
public final class AesBlocks {
  private AesBlocks() {}

  /** A cipher that encrypts blocks with a key of 32 bytes, for one thread at a time. */
  public static Cipher encrypting(byte[] key) {
    try {
      Cipher cipher = Cipher.getInstance("AES/ECB/NoPadding");
      cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"));
      return cipher;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no AES", e);
    }
  }
}
