package io.everheap.memory.crypt;

import io.everheap.error.CorruptException;
import java.security.SecureRandom;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Encrypts and decrypts for the files of a medium. Thread-safe: each call borrows a {@link Bench}.
 */
final class Sealer implements AutoCloseable {
  private final FileId keyId;
  private final String location;
  private final Refusal refusal;
  private final SectorKeys keys;
  private final SecureRandom random = new SecureRandom();
  private final ConcurrentLinkedQueue<Bench> benches = new ConcurrentLinkedQueue<>();

  /**
   * Creates a sealer.
   *
   * @param location of the medium, for messages
   * @param keyId of the data key
   * @param dataKey which is erased when the sealer is closed
   * @param refusal of what is not authentic
   */
  Sealer(String location, FileId keyId, byte[] dataKey, Refusal refusal) {
    this.location = location;
    this.refusal = refusal;
    this.keyId = keyId;
    this.keys = new SectorKeys(dataKey);
  }

  /** A cipher and buffers, for one thread at a time. */
  static final class Bench {
    /** Blocks that fit into {@link #stored}. */
    static final int BLOCKS = 64;

    final SectorCipher cipher;

    /** Sectors as they are in the file. */
    final byte[] stored = new byte[BLOCKS * SealedLayout.STORED];

    /** The contents of one sector. */
    final byte[] plain = new byte[SealedLayout.PAYLOAD];

    Bench(SectorKeys keys) {
      this.cipher = new SectorCipher(keys);
    }
  }

  Bench borrow() {
    Bench free = benches.poll();
    return free != null ? free : new Bench(keys);
  }

  void giveBack(Bench bench) {
    benches.add(bench);
  }

  /** A header of a version with a new id. */
  FileHeader newHeader(int version) {
    return new FileHeader(version, keyId, new FileId(random.nextLong(), random.nextLong()));
  }

  /** A key for another purpose than sectors. */
  byte[] derivedKey(String purpose) {
    return keys.derivedKey(purpose);
  }

  /** Whether a file was encrypted with the data key of this sealer. */
  boolean has(FileHeader header) {
    return header.key().equals(keyId);
  }

  /** Refuses a sector that is not authentic; returns if it is to be read as zeros. */
  void refuse(String file, long block, int sector) {
    long position = SealedLayout.position(block, sector);
    refuse(
        file,
        position,
        CorruptException.heap(
            location + "/" + file,
            position,
            location
                + "/"
                + file
                + " was damaged or changed at byte "
                + position
                + ": the sector there, of contents from byte "
                + (block * SealedLayout.BLOCK + (long) sector * SealedLayout.PAYLOAD)
                + " on, is not authentic. It is not used. Restore the file from a backup, or mend a"
                + " key provider that returned another data key."));
  }

  /** Refuses a part of a file, or all of it; returns if zeros are to be read there. */
  void refuse(String file, long position, RuntimeException reason) {
    refusal.refuse(location + "/" + file, position, reason);
  }

  String location() {
    return location;
  }

  @Override
  public void close() {
    keys.close();
    benches.clear();
  }
}
