package io.everheap.memory.crypt;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.zip.CRC32C;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Another implementation of encrypted files, from section 15 of docs/format.md alone: it uses
 * nothing of the library. A file of the library must be one of this, and the reverse.
 */
final class SealedByFormat {
  private final byte[] dataKey;
  private final byte[] keyId;
  private final byte[] fileId;

  /** For the files with an id, encrypted with a data key. */
  SealedByFormat(byte[] dataKey, byte[] keyId, byte[] fileId) {
    this.dataKey = dataKey;
    this.keyId = keyId;
    this.fileId = fileId;
  }

  /** The file of keys, whose wrapped key is given. */
  static byte[] keys(byte[] keyId, byte[] wrapped) {
    ByteBuffer b = ByteBuffer.allocate(36 + wrapped.length).order(ByteOrder.LITTLE_ENDIAN);
    b.putLong(0, 0x5359454B50485645L).putInt(8, 1).putInt(12, wrapped.length);
    b.put(16, keyId).put(32, wrapped);
    return b.putInt(32 + wrapped.length, crc(b.array(), 32 + wrapped.length)).array();
  }

  /** The header of the file. */
  byte[] header() {
    ByteBuffer b = ByteBuffer.allocate(4096).order(ByteOrder.LITTLE_ENDIAN);
    b.putLong(0, 0x44454C4145535645L).putInt(8, 1).put(16, keyId).put(32, fileId);
    return b.putInt(48, crc(b.array(), 48)).array();
  }

  private static int crc(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }

  /** A file with contents of whole blocks, under one salt, with counters from 0 on. */
  byte[] file(byte[] contents, byte[] salt) {
    int blocks = contents.length / 4096;
    ByteBuffer b = ByteBuffer.allocate(4096 + blocks * 4608).put(header());
    long counter = 0;
    for (int block = 0; block < blocks; block++) {
      for (int s = 0; s < 9; s++) {
        int from = block * 4096 + 456 * s;
        byte[] plain =
            Arrays.copyOf(
                Arrays.copyOfRange(contents, from, Math.min(from + 456, (block + 1) * 4096)), 456);
        b.put(sector(9L * block + s, salt, counter++, plain));
      }
    }
    return b.array();
  }

  /** A sector. */
  byte[] sector(long number, byte[] salt, long counter, byte[] plain) {
    try {
      Cipher cipher = cipher(Cipher.ENCRYPT_MODE, number, salt, counter);
      return ByteBuffer.allocate(512)
          .order(ByteOrder.LITTLE_ENDIAN)
          .put(0, salt)
          .putLong(16, counter)
          .put(40, cipher.doFinal(plain))
          .array();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private Cipher cipher(int mode, long number, byte[] salt, long counter)
      throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(dataKey, "HmacSHA256"));
    mac.update((byte) 1);
    byte[] key = mac.doFinal(salt);
    byte[] nonce = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN).putLong(counter).array();
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(128, nonce));
    cipher.updateAAD(fileId);
    cipher.updateAAD(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(number).array());
    return cipher;
  }

  /** The contents of a stored file; null if a sector is not authentic. */
  byte @Nullable [] contents(byte[] stored) {
    int blocks = (stored.length - 4096) / 4608;
    byte[] contents = new byte[blocks * 4096];
    for (int block = 0; block < blocks; block++) {
      for (int s = 0; s < 9; s++) {
        int at = 4096 + block * 4608 + s * 512;
        byte[] plain = plain(9L * block + s, Arrays.copyOfRange(stored, at, at + 512));
        if (plain == null) {
          return null;
        }
        System.arraycopy(plain, 0, contents, block * 4096 + 456 * s, s == 8 ? 448 : 456);
      }
    }
    return contents;
  }

  /** The contents of a sector; null if it is not authentic. */
  byte @Nullable [] plain(long number, byte[] sector) {
    if (Arrays.equals(sector, new byte[512])) {
      return new byte[456];
    }
    ByteBuffer b = ByteBuffer.wrap(sector).order(ByteOrder.LITTLE_ENDIAN);
    if (b.getLong(24) != 0 || b.getLong(32) != 0) {
      return null;
    }
    try {
      byte[] salt = Arrays.copyOf(sector, 16);
      return cipher(Cipher.DECRYPT_MODE, number, salt, b.getLong(16)).doFinal(sector, 40, 472);
    } catch (AEADBadTagException e) {
      return null;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
