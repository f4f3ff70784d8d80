package io.everheap.memory.crypt;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.CorruptException;
import io.everheap.error.EncryptionException;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The file of keys beside an encrypted heap: the data key, wrapped by a {@link KeyProvider}, which
 * authenticates the id of the key with it.
 *
 * <pre>
 *   0       8         12       16       32            32 + length
 *   +-------+---------+--------+--------+-------------+-----+
 *   | magic | version | length | key id | wrapped key | crc |
 *   +-------+---------+--------+--------+-------------+-----+
 * </pre>
 *
 * <p>The file is replaced by one that is durable before it is renamed, so that after a crash there
 * is the old one or the new one.
 */
public final class KeyFile {
  /** Name of the file. */
  public static final String NAME = "keys";

  /** Name of a new file until it is durable. */
  static final String UNFINISHED = "keys.new";

  /** "EVHPKEYS", little-endian. */
  private static final long MAGIC = 0x5359_454B_5048_5645L;

  private static final int VERSION = 1;
  private static final int WRAPPED = 32;
  private static final int KEY_BYTES = 32;

  private final FileId id;
  private final byte[] wrapped;

  private KeyFile(FileId id, byte[] wrapped) {
    this.id = id;
    this.wrapped = wrapped;
  }

  static boolean isKeyFile(String name) {
    return name.equals(NAME) || name.equals(UNFINISHED);
  }

  /** Id of the data key, which the headers of all files name. */
  FileId id() {
    return id;
  }

  /** Makes a random data key, and its file; durable on return. */
  static KeyFile create(Medium medium, KeyProvider provider) {
    SecureRandom random = new SecureRandom();
    FileId id = new FileId(random.nextLong(), random.nextLong());
    byte[] key = new byte[KEY_BYTES];
    random.nextBytes(key);
    try {
      KeyFile file = wrap(id, key, provider);
      file.write(medium);
      return file;
    } finally {
      Arrays.fill(key, (byte) 0);
    }
  }

  private static KeyFile wrap(FileId id, byte[] key, KeyProvider provider) {
    byte[] wrapped = wrapped(id, key, provider);
    if (wrapped.length > KeyProvider.MAX_WRAPPED) {
      throw new EncryptionException(
          "The key provider wrapped the data key in " + wrapped.length + " bytes; 4096 are most.");
    }
    requireUnwraps(wrapped, id, key, provider);
    return new KeyFile(id, wrapped);
  }

  /** Wraps a copy: a provider that changes its arrays must not change the key or the file. */
  private static byte[] wrapped(FileId id, byte[] key, KeyProvider provider) {
    byte[] copy = key.clone();
    try {
      return provider.wrap(copy, context(id)).clone();
    } finally {
      Arrays.fill(copy, (byte) 0);
    }
  }

  /** Checks a wrapped key before it replaces anything: a heap whose key cannot be had is lost. */
  private static void requireUnwraps(byte[] wrapped, FileId id, byte[] key, KeyProvider provider) {
    byte[] again = provider.unwrap(wrapped.clone(), context(id));
    boolean same = MessageDigest.isEqual(again, key);
    Arrays.fill(again, (byte) 0);
    if (!same || MessageDigest.isEqual(wrapped, key)) {
      throw new EncryptionException(
          "The key provider "
              + (same ? "does not encrypt the data key." : "does not give back what it wrapped.")
              + " Nothing was changed.");
    }
  }

  /** Writes it to a medium, durably. */
  public void write(Medium medium) {
    medium.delete(UNFINISHED);
    try (MediumFile file = medium.create(UNFINISHED)) {
      file.write(encode(), 0);
      file.sync();
    }
    medium.rename(UNFINISHED, NAME);
    medium.syncDirectory("");
  }

  /** Reads the file of a medium. */
  public static KeyFile read(Medium medium) {
    ByteBuffer b = ByteBuffer.allocate(WRAPPED + KeyProvider.MAX_WRAPPED + Integer.BYTES);
    try (MediumFile file = medium.open(NAME)) {
      file.read(b, 0);
    }
    b.flip().order(ByteOrder.LITTLE_ENDIAN);
    String where = medium.location() + "/" + NAME;
    if (b.limit() < WRAPPED || b.getLong(0) != MAGIC) {
      throw CorruptException.heap(
          where,
          0,
          where + " is not a file of keys. Restore it; without it the heap cannot be read.");
    }
    if (b.getInt(8) != VERSION) {
      throw new EncryptionException(where + " has version " + b.getInt(8) + ", not 1.");
    }
    int length = b.getInt(12);
    if (length < 0
        || length > b.limit() - WRAPPED - Integer.BYTES
        || b.getInt(WRAPPED + length) != crc(b, WRAPPED + length)) {
      throw CorruptException.heap(
          where, 0, where + " is damaged. Restore it; without it the heap cannot be read.");
    }
    byte[] wrapped = new byte[length];
    b.get(WRAPPED, wrapped);
    return new KeyFile(new FileId(b.getLong(16), b.getLong(24)), wrapped);
  }

  /** Makes the file durable: a copy of the directory may never have been synced. */
  static void sync(Medium medium) {
    try (MediumFile file = medium.open(NAME)) {
      file.sync();
    }
  }

  /** Unwraps the data key; the caller erases it. */
  byte[] dataKey(Medium medium, KeyProvider provider) {
    byte[] unwrapped = provider.unwrap(wrapped.clone(), context(id));
    byte[] key = unwrapped.clone(); // the provider may change its array later
    Arrays.fill(unwrapped, (byte) 0);
    if (key.length != KEY_BYTES || MessageDigest.isEqual(key, new byte[KEY_BYTES])) {
      Arrays.fill(key, (byte) 0);
      throw new EncryptionException(
          "The key provider unwrapped "
              + medium.location()
              + "/"
              + NAME
              + (key.length == KEY_BYTES
                  ? " to zeros: it must return another array each time, which is erased after use."
                  : " to " + key.length + " bytes; a data key has 32."));
    }
    return key;
  }

  /**
   * Unwraps the data key of a file that was just created; deletes the file if that fails, since a
   * later call may come with another provider.
   */
  byte[] dataKeyOrDelete(Medium medium, KeyProvider provider) {
    try {
      return dataKey(medium, provider);
    } catch (RuntimeException | Error e) {
      medium.delete(NAME);
      medium.syncDirectory("");
      throw e;
    }
  }

  /**
   * Wraps the data key with another wrapping key. Nothing is written: the caller calls {@link
   * #write} on the result.
   *
   * @param medium with the files that the data key opens
   * @throws EncryptionException if {@code old} is not the present wrapping key, or one of the
   *     providers fails or errs
   */
  public KeyFile rewrapped(Medium medium, KeyProvider old, KeyProvider fresh) {
    byte[] key = dataKey(medium, old);
    try {
      SealedMedium.requireOpens(medium, id, key);
      return wrap(id, key, fresh);
    } finally {
      Arrays.fill(key, (byte) 0);
    }
  }

  /** Wraps the data key with another wrapping key, durably; see {@link #rewrapped}. */
  public void rewrap(Medium medium, KeyProvider old, KeyProvider fresh) {
    rewrapped(medium, old, fresh).write(medium);
  }

  /**
   * Checks that the data key is wrapped with a provider's wrapping key.
   *
   * @param medium with the files that the data key opens
   * @throws EncryptionException if it is not, or the provider fails or errs
   */
  public void requireKey(Medium medium, KeyProvider provider) {
    byte[] key = dataKey(medium, provider);
    try {
      SealedMedium.requireOpens(medium, id, key);
    } finally {
      Arrays.fill(key, (byte) 0);
    }
  }

  /**
   * Overwrites the wrapped key and deletes its file, durably: from then on nothing of the heap can
   * be read, unless the file system, the device or somebody kept a copy of the file.
   */
  public static void destroy(Medium medium) {
    for (String name : new String[] {NAME, UNFINISHED}) {
      if (medium.exists(name)) {
        try (MediumFile file = medium.open(name)) {
          byte[] noise = new byte[(int) Math.min(file.size(), 2 * KeyProvider.MAX_WRAPPED)];
          new SecureRandom().nextBytes(noise);
          file.write(ByteBuffer.wrap(noise), 0);
          file.sync();
        }
        medium.delete(name);
      }
    }
    medium.syncDirectory("");
  }

  private ByteBuffer encode() {
    ByteBuffer b =
        ByteBuffer.allocate(WRAPPED + wrapped.length + Integer.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN);
    b.put(0, context(id));
    b.putInt(12, wrapped.length);
    b.put(WRAPPED, wrapped);
    return b.putInt(WRAPPED + wrapped.length, crc(b, WRAPPED + wrapped.length));
  }

  /** What is authenticated with the key: the part of the file before it, without its length. */
  private static byte[] context(FileId id) {
    ByteBuffer b = ByteBuffer.allocate(WRAPPED).order(ByteOrder.LITTLE_ENDIAN);
    b.putLong(0, MAGIC).putInt(8, VERSION).putLong(16, id.high()).putLong(24, id.low());
    return b.array();
  }

  private static int crc(ByteBuffer b, int length) {
    CRC32C crc = new CRC32C();
    crc.update(b.slice(0, length));
    return (int) crc.getValue();
  }
}
