package io.everheap.memory.crypt;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.EncryptionException;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.crypt.SectorKeys.Salt;
import io.everheap.memory.crypt.SectorKeys.Series;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts and authenticates what a cache stores through a mapping of its file, entry by entry,
 * before it is stored. A block has any length:
 *
 * <pre>
 *   0      16        24                   24 + length
 *   +------+---------+--------------------+-----+
 *   | salt | counter | block, encrypted   | tag |
 *   +------+---------+--------------------+-----+
 * </pre>
 *
 * <p>with AES-256-GCM, under the key of the salt, which each opening draws anew, and with the
 * counter as the nonce, as for {@linkplain SectorKeys sectors}; it grows by one and by the sectors
 * that the block fills. What is encrypted is read from, and decrypted to, memory that nobody else
 * can change meanwhile: a mapped file is none.
 *
 * <p>Small records have a {@linkplain RecordCipher tag without a nonce}. Thread-safe; each call
 * borrows a {@link Bench}.
 */
public final class EntrySealer implements AutoCloseable {
  /** Bytes that a block is longer when it is encrypted. */
  public static final int BLOCK_OVERHEAD = 40;

  /** Bytes that a record is longer when it is encrypted. */
  public static final int RECORD_OVERHEAD = RecordCipher.TAG;

  /** Bytes of a digest. */
  public static final int DIGEST = 32;

  /** "VEHCACHE", little-endian: the first word of a cache's file. */
  public static final long CACHE_MAGIC = 0x4548_4341_4348_4556L;

  /** The second word of a cache's file, of 4 bytes, if it is encrypted. */
  public static final int CACHE_VERSION = 3;

  /** Bytes of a superblock of a cache's file, which begins with two. */
  public static final int CACHE_SUPERBLOCK = 4096;

  private static final int HEADER = SealedLayout.RESERVED;
  private static final int TAG = SealedLayout.TAG_BYTES;
  private static final int NONCE = 12;
  private static final int PART = 64 << 10;

  private final SectorKeys keys;
  private final SipHash hash;
  private final byte[] authentication;
  private final byte[] encryption;
  private final byte[] digests;
  private final ConcurrentLinkedQueue<Bench> benches = new ConcurrentLinkedQueue<>();

  /** Takes over a data key, which is erased when this is closed. */
  EntrySealer(byte[] dataKey) {
    keys = new SectorKeys(dataKey);
    hash = new SipHash(keys.derivedKey("hashes of a cache"));
    authentication = keys.derivedKey("authentication of a cache's records");
    encryption = keys.derivedKey("encryption of a cache's records");
    digests = keys.derivedKey("digests of a cache");
  }

  /** Ciphers and buffers, for one thread at a time. */
  private static final class Bench {
    final Cipher cipher;
    final RecordCipher records;
    final byte[] header = new byte[HEADER];
    final byte[] nonce = new byte[NONCE];
    final byte[] part = new byte[PART + 2 * TAG];

    Bench(byte[] authentication, byte[] encryption) {
      try {
        cipher = Cipher.getInstance("AES/GCM/NoPadding");
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("this Java has no AES-GCM", e);
      }
      records = new RecordCipher(authentication, encryption);
    }

    void begin(int mode, SecretKeySpec key, long count, byte[] place)
        throws GeneralSecurityException {
      Words.put(nonce, 0, count);
      cipher.init(mode, key, new GCMParameterSpec(8 * TAG, nonce));
      cipher.updateAAD(place);
    }
  }

  /** Receives what is encrypted. */
  @FunctionalInterface
  public interface Target {
    /** Stores the first bytes of an array at a distance from the start of the block. */
    void put(long at, byte[] bytes, int length);
  }

  /**
   * Opens the keys of a cache, or makes them. All its directories have the same data key.
   *
   * @param media its directories; none has a cache but no keys
   * @throws EncryptionException if the key is not the cache's, if directories have different data
   *     keys, if there are no keys and none can be made, or on byte-addressable storage
   */
  public static EntrySealer open(List<Medium> media, KeyProvider provider) {
    media.forEach(medium -> SealedMedium.requireFiles(medium, provider));
    KeyFile file = null;
    byte[] key = null;
    for (Medium medium : media) {
      if (medium.exists(KeyFile.NAME)) {
        KeyFile its = KeyFile.read(medium);
        byte[] unwrapped = its.dataKey(medium, provider);
        if (key != null && !MessageDigest.isEqual(key, unwrapped)) {
          throw new EncryptionException(
              medium.location() + " belongs to another cache: it has another data key.");
        }
        if (key != null) {
          Arrays.fill(key, (byte) 0);
        }
        file = its;
        key = unwrapped;
      }
    }
    Medium first = media.getFirst();
    if (file == null || key == null) {
      if (first.readOnly()) {
        throw new EncryptionException("Nothing is encrypted in " + first.location() + ".");
      }
      file = KeyFile.create(first, provider);
      key = file.dataKeyOrDelete(first, provider);
    }
    for (Medium medium : media) {
      if (!medium.exists(KeyFile.NAME)) {
        file.write(medium);
      }
    }
    return new EntrySealer(key);
  }

  /** Whether a directory has keys. */
  public static boolean hasKeys(Medium medium) {
    return medium.exists(KeyFile.NAME);
  }

  /**
   * Whether a directory has the file of an encrypted cache, with whatever key. Either superblock
   * tells: a file gets its first one in either place, and the other one may be damaged.
   */
  public static boolean hasCache(Medium medium, String name) {
    if (!medium.exists(name)) {
      return false;
    }
    try (MediumFile file = medium.open(name)) {
      return begins(file, 0) || begins(file, CACHE_SUPERBLOCK);
    }
  }

  private static boolean begins(MediumFile file, long at) {
    ByteBuffer b = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
    file.read(b, at);
    return b.getLong(0) == CACHE_MAGIC && b.getInt(8) == CACHE_VERSION;
  }

  /** The hash of a key, which tells nothing of it. */
  public long hash(byte[] key) {
    return hash.hash(key);
  }

  /**
   * Encrypts a block under a nonce that was not used before.
   *
   * @param place where the block is to be, which authentication covers
   * @param plain the block, in memory of this process alone
   * @param target is given {@link #BLOCK_OVERHEAD} bytes more
   * @return the first word of the tag, which tells this block from all others
   */
  public long seal(byte[] place, ByteBuffer plain, Target target) {
    Bench bench = borrow();
    Series series = keys.current();
    int sectors = 1 + plain.remaining() / SealedLayout.SECTOR;
    long count = series.count().getAndAdd(sectors);
    long tag = seal(bench, series.salt(), count, place, plain, target);
    benches.add(bench);
    return tag;
  }

  /** Encrypts a block under a given nonce; for {@link #seal} and known answers. */
  void seal(long high, long low, long count, byte[] place, ByteBuffer plain, Target target) {
    long _ = seal(borrow(), new Salt(high, low), count, place, plain, target);
  }

  private long seal(
      Bench bench, Salt salt, long count, byte[] place, ByteBuffer plain, Target target) {
    Words.put(bench.header, SealedLayout.SALT, salt.high());
    Words.put(bench.header, SealedLayout.SALT + 8, salt.low());
    Words.put(bench.header, SealedLayout.COUNTER, count);
    target.put(0, bench.header, HEADER);
    try {
      bench.begin(Cipher.ENCRYPT_MODE, keys.key(salt), count, place);
      ByteBuffer out = ByteBuffer.wrap(bench.part);
      long at = HEADER;
      while (plain.remaining() > PART) {
        bench.cipher.update(plain.slice(plain.position(), PART), out.clear());
        plain.position(plain.position() + PART);
        target.put(at, bench.part, out.position());
        at += out.position();
      }
      bench.cipher.doFinal(plain, out.clear());
      target.put(at, bench.part, out.position());
      return Words.get(bench.part, out.position() - TAG);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES-GCM refuses to encrypt", e);
    }
  }

  /**
   * Decrypts a block.
   *
   * @param place where it was
   * @param sealed a copy of what is there, in memory of this process alone
   * @param tag the word that {@link #seal} returned
   * @param plain receives the block
   * @return whether it is that block
   */
  public boolean open(byte[] place, ByteBuffer sealed, long tag, ByteBuffer plain) {
    ByteBuffer from = sealed.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    if (from.getLong(from.limit() - TAG) != tag) {
      return false;
    }
    Salt salt = new Salt(from.getLong(SealedLayout.SALT), from.getLong(SealedLayout.SALT + 8));
    Bench bench = borrow();
    boolean authentic = open(bench, salt, from, place, plain);
    benches.add(bench);
    return authentic;
  }

  private boolean open(Bench bench, Salt salt, ByteBuffer from, byte[] place, ByteBuffer plain) {
    try {
      SecretKeySpec key = keys.key(salt);
      bench.begin(Cipher.DECRYPT_MODE, key, from.getLong(SealedLayout.COUNTER), place);
      bench.cipher.doFinal(from.position(HEADER), plain);
      keys.keep(salt, key);
      return true;
    } catch (AEADBadTagException e) {
      return false;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES-GCM refuses to decrypt", e);
    }
  }

  /** Encrypts a small record; {@code place} is what authentication covers beside it. */
  public byte[] sealRecord(byte[] place, byte[] record) {
    Bench bench = borrow();
    byte[] sealed = bench.records.seal(place, record);
    benches.add(bench);
    return sealed;
  }

  /** Decrypts a small record; null if it is not authentic, or that of another place. */
  public byte @Nullable [] openRecord(byte[] place, byte[] sealed) {
    Bench bench = borrow();
    byte[] record = bench.records.open(place, sealed);
    benches.add(bench);
    return record;
  }

  /** Begins a keyed digest of {@link #DIGEST} bytes: HMAC-SHA-256. */
  public Mac digest() {
    return Hmac.of(digests);
  }

  private Bench borrow() {
    Bench free = benches.poll();
    return free != null ? free : new Bench(authentication, encryption);
  }

  /** Erases the keys. */
  @Override
  public void close() {
    keys.close();
    benches.clear();
    for (byte[] key : List.of(authentication, encryption, digests)) {
      Arrays.fill(key, (byte) 0);
    }
  }
}
