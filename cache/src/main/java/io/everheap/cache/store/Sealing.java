package io.everheap.cache.store;

import io.everheap.cache.format.FileLayout;
import io.everheap.cache.format.SealedSlot;
import io.everheap.cache.format.SegmentLayout;
import io.everheap.cache.format.SlotLayout;
import io.everheap.cache.format.State;
import io.everheap.cache.format.Superblock;
import io.everheap.encryption.KeyProvider;
import io.everheap.error.EncryptionException;
import io.everheap.memory.Closing;
import io.everheap.memory.MappedFaults;
import io.everheap.memory.Medium;
import io.everheap.memory.Region;
import io.everheap.memory.crypt.EntrySealer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.util.List;
import java.util.function.LongConsumer;
import javax.crypto.Mac;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts and authenticates what a cache stores into its files. Nothing of an entry is decrypted
 * in the memory of a file, and nothing in there is believed that was not authenticated in a copy:
 * slots are in memory of this process, from which those of the file are made; blocks are decrypted
 * into memory of handles.
 *
 * <p>A block belongs to its file and place, a slot to these and its sequence, and to the one block
 * whose word it has. A segment of a cache that is closed gets a digest of all its slots, so that an
 * ended entry that is put back is noticed at the next opening. Thread-safe.
 */
final class Sealing implements AutoCloseable {
  /** Bytes that an encrypted block is longer than value and key: the length of the key is in it. */
  static final int OVERHEAD = EntrySealer.BLOCK_OVERHEAD + Integer.BYTES;

  private final EntrySealer sealer;
  private final PrivateMemory memory = new PrivateMemory();

  private Sealing(EntrySealer sealer) {
    this.sealer = sealer;
  }

  /**
   * Opens the keys of a cache, or makes them for a new one.
   *
   * @param provider null for a cache that is not encrypted
   * @return null for a cache that is not encrypted
   * @throws EncryptionException if the cache has another key, none, or one that is not given
   */
  static @Nullable Sealing open(List<Medium> media, @Nullable KeyProvider provider) {
    for (Medium medium : media) {
      boolean isEncrypted = EntrySealer.hasCache(medium, FileLayout.NAME);
      boolean hasKeys = EntrySealer.hasKeys(medium);
      if (isEncrypted && !hasKeys) {
        throw new EncryptionException(
            "The cache at "
                + medium.location()
                + " is encrypted, and its file of keys (keys) is missing: put it back, or delete the"
                + " file of the cache.");
      }
      if (provider == null && hasKeys) {
        throw new EncryptionException(
            "The cache at " + medium.location() + " is encrypted: give its key (encrypt, --key).");
      }
      if (provider != null && !isEncrypted && medium.exists(FileLayout.NAME)) {
        throw new EncryptionException(
            "The cache at "
                + medium.location()
                + (hasKeys
                    ? " has keys, but its file is not encrypted, or damaged: put it back, or delete"
                        + " it."
                    : " is not encrypted: open it without a key, or delete its file."));
      }
    }
    return provider == null ? null : new Sealing(EntrySealer.open(media, provider));
  }

  EntrySealer sealer() {
    return sealer;
  }

  /** The hash of a key, which tells nothing of it. */
  long hash(byte[] key) {
    return sealer.hash(key);
  }

  /** Memory that no file has. */
  PrivateMemory memory() {
    return memory;
  }

  // --- blocks ---

  /**
   * Encrypts a value and its key, and stores them in a block.
   *
   * @param plain has the value, and room for what comes behind it
   * @return the word by which the block is known
   */
  long store(CacheFile file, long block, Region plain, int valueLength, byte[] key) {
    plain.copyFrom(valueLength, key, 0, key.length);
    plain.putInt((long) valueLength + key.length, key.length);
    ByteBuffer all = bytes(plain, valueLength + key.length + Integer.BYTES);
    Region region = file.region();
    return sealer.seal(
        place(file, block),
        all,
        (at, bytes, length) -> region.copyFrom(block + at, bytes, 0, length));
  }

  /** Decrypts a block; null if it is not authentic, or the storage cannot read it. */
  @Nullable Opened open(CacheFile file, long block, int length, long seal, int slot) {
    int plainLength = length - EntrySealer.BLOCK_OVERHEAD;
    if (plainLength < Integer.BYTES) {
      return null;
    }
    Region plain = memory.borrow(plainLength);
    boolean opened = false;
    try {
      if (!decrypt(file, block, length, seal, bytes(plain, plainLength))) {
        return null;
      }
      int keyLength = plain.getInt((long) plainLength - Integer.BYTES);
      int valueLength = plainLength - Integer.BYTES - keyLength;
      if (keyLength < 0 || valueLength < 0) {
        return null;
      }
      opened = true;
      return new Opened(memory, plain, slot, valueLength, keyLength);
    } finally {
      if (!opened) {
        memory.giveBack(plain);
      }
    }
  }

  private boolean decrypt(CacheFile file, long block, int length, long seal, ByteBuffer plain) {
    Region copy = memory.borrow(length);
    try {
      ByteBuffer sealed = bytes(copy, length);
      file.region().copyTo(block, copy.claim(0, length), 0, length);
      MappedFaults.arrive();
      return sealer.open(place(file, block), sealed, seal, plain);
    } catch (InternalError e) {
      return false;
    } finally {
      memory.giveBack(copy);
    }
  }

  private static ByteBuffer bytes(Region region, int length) {
    return region.claim(0, length).asByteBuffer();
  }

  // --- slots ---

  /** Stores a slot of the file as the one in memory is. */
  void storeSlot(CacheFile file, long slot, Region region, long at) {
    long sequence = SlotLayout.sequence(region, at);
    byte[] sealed = sealer.sealRecord(place(file, slot, sequence), SealedSlot.record(region, at));
    SealedSlot.store(file.region(), slot, sequence, sealed);
  }

  /**
   * Makes the slots of a chunk in memory of those of the file.
   *
   * @param chunk where they are in the file
   * @param damaged is told where each is that is not authentic
   */
  void load(CacheFile file, long chunk, int slots, Region region, long to, LongConsumer damaged) {
    for (int i = 0; i < slots; i++) {
      long slot = chunk + (long) i * SlotLayout.SIZE;
      long sequence = SlotLayout.sequence(file.region(), slot);
      if (sequence != 0) {
        byte[] sealed = SealedSlot.stored(file.region(), slot);
        byte[] record = sealer.openRecord(place(file, slot, sequence), sealed);
        if (record == null) {
          damaged.accept(slot);
        } else {
          long at = to + (long) i * SlotLayout.SIZE;
          SealedSlot.load(region, at, file.salt(), sequence, record);
        }
      }
    }
  }

  // --- digests of segments ---

  /** The epoch at whose end segments got digests; -1 if they have none that counts. */
  static long digested(State state) {
    return state.has(State.CLEAN) && !state.has(State.SCANNING) ? state.epoch() : -1;
  }

  /** Begins the digest of a segment's slots at the end of an epoch. */
  Mac digest(CacheFile file, long segment, long epoch, int chunks) {
    Mac mac = sealer.digest();
    mac.update(place(file, segment, epoch));
    mac.update((byte) chunks);
    mac.update((byte) (chunks >>> 8));
    mac.update((byte) (chunks >>> 16));
    return mac;
  }

  /**
   * Adds the entries of some slots, which are in memory; {@code first} is the first one's index.
   */
  static void digest(Mac mac, int first, int slots, Region region, long at) {
    for (int i = 0; i < slots; i++) {
      long slot = at + (long) i * SlotLayout.SIZE;
      long sequence = SlotLayout.sequence(region, slot);
      if (sequence != 0) {
        ByteBuffer number = ByteBuffer.allocate(2 * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        mac.update(number.putLong(first + i).putLong(sequence).flip());
        mac.update(SealedSlot.record(region, slot));
      }
    }
  }

  /** Whether a segment has a digest. */
  static boolean hasDigest(CacheFile file, long segment, byte[] digest) {
    byte[] stored = new byte[EntrySealer.DIGEST];
    file.region().copyTo(segment + SegmentLayout.DIGEST, stored, 0, stored.length);
    return MessageDigest.isEqual(stored, digest);
  }

  // --- places ---

  private static byte[] place(CacheFile file, long at) {
    return place(file, at, -1);
  }

  /** What is in one place of one file of one cache, with a number. */
  private static byte[] place(CacheFile file, long at, long number) {
    Superblock its = file.identity();
    return ByteBuffer.allocate(5 * Long.BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(its.cache().getMostSignificantBits())
        .putLong(its.cache().getLeastSignificantBits())
        .putLong(its.device())
        .putLong(at)
        .putLong(number)
        .array();
  }

  /** Erases the keys and frees the memory. */
  @Override
  public void close() {
    new Closing().then(memory::close).then(sealer::close).end();
  }
}
