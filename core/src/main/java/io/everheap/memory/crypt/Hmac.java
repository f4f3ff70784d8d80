package io.everheap.memory.crypt;

import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Makes HMAC-SHA-256. Stateless. */
public final class Hmac {
  private static final String NAME = "HmacSHA256";

  private Hmac() {}

  /** One with a key, for one thread at a time. */
  public static Mac of(byte[] key) {
    try {
      Mac mac = Mac.getInstance(NAME);
      mac.init(new SecretKeySpec(key, NAME));
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no HMAC-SHA-256", e);
    }
  }
}
