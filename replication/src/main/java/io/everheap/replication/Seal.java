package io.everheap.replication;

import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Encrypts and authenticates the messages of one connection with AES-256-GCM. Each direction has a
 * key, and counts its messages: the number is the nonce, so a message that is left out, repeated or
 * moved is refused like one that was changed. One thread sends and one receives.
 */
final class Seal {
  /** Bytes by which a sealed message is longer. */
  static final int TAG = 16;

  private static final int NONCE = 12;

  private final SecretKey sendKey;
  private final SecretKey receiveKey;
  private final Cipher sending;
  private final Cipher receiving;
  private long sent;
  private long received;

  Seal(SecretKey sendKey, SecretKey receiveKey) throws GeneralSecurityException {
    this.sendKey = sendKey;
    this.receiveKey = receiveKey;
    this.sending = Cipher.getInstance("AES/GCM/NoPadding");
    this.receiving = Cipher.getInstance("AES/GCM/NoPadding");
  }

  private static GCMParameterSpec nonce(long number) {
    return new GCMParameterSpec(
        8 * TAG, ByteBuffer.allocate(NONCE).putLong(NONCE - Long.BYTES, number).array());
  }

  /** The next message that is sent: its type and body, encrypted, and a tag. */
  byte[] seal(int type, byte[] body) {
    try {
      sending.init(Cipher.ENCRYPT_MODE, sendKey, nonce(sent++));
      byte[] sealed = new byte[1 + body.length + TAG];
      int n = sending.update(new byte[] {(byte) type}, 0, 1, sealed, 0);
      sending.doFinal(body, 0, body.length, sealed, n);
      return sealed;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * The next message that is received.
   *
   * @return its type, and its body
   * @throws ProtocolException if it is not the one that the other end sent
   */
  byte[] open(byte[] sealed, String peer) throws ProtocolException {
    try {
      receiving.init(Cipher.DECRYPT_MODE, receiveKey, nonce(received++));
      return receiving.doFinal(sealed);
    } catch (AEADBadTagException e) {
      throw new ProtocolException(
          peer + " sent a message that was changed on its way, or it does not know the secret.");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The body of what {@link #open} returned. */
  static byte[] body(byte[] opened) {
    return Arrays.copyOfRange(opened, 1, opened.length);
  }
}
