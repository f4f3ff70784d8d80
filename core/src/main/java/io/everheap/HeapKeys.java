package io.everheap;

import io.everheap.backup.BackupKeys;
import io.everheap.encryption.KeyProvider;
import io.everheap.engine.EngineOptions;
import io.everheap.engine.HeapConversion;
import io.everheap.error.EncryptionException;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Media;
import io.everheap.memory.Medium;
import io.everheap.memory.crypt.EntrySealer;
import io.everheap.memory.crypt.KeyFile;
import io.everheap.memory.crypt.SealedMedium;
import io.everheap.report.BackupProgress;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Changes and destroys the keys of heaps, journals and caches that are not open.
 *
 * <p>{@link #encrypt}, {@link #decrypt} and {@link #renew} write all files of the heap anew beside
 * the old ones, so they need as much space again, and an eighth more if the new files are
 * encrypted. The heap is recovered and its pages are checked first; the new files are compared with
 * the old ones when they are durable, and then put in their place. If this is interrupted, the heap
 * is as it was, or the next opening for writing completes it. The heap keeps its id and its
 * history, so its anchors and what it knows of backups stay valid. The old files are deleted, not
 * overwritten: file systems, snapshots and flash may keep what was in them.
 */
public final class HeapKeys {
  /** One of them, or a cache, is in each directory that can be encrypted. */
  private static final List<String> HOMES = List.of("heap", "journal", "store");

  private static final String CACHE = "cache";

  /** What is left until everything else is shredded, and the files of the lock. */
  private static final Set<String> LAST =
      Set.of("heap", "journal", "store", CACHE, "lock", "owner");

  private HeapKeys() {}

  /**
   * Wraps the data key with another key, at once and durably. From then on the old key opens
   * nothing, except copies of the heap that were made before. What is stored stays as it is, so
   * somebody who knew the old key and had a copy of the file {@code keys} can still read it.
   *
   * <p>Backups, archives, replicas and mirrors of a heap keep their keys. Call {@link
   * Backups#rekey} for the directory of backups, which has the archives, and this method for each
   * replica and mirror. A heap is not opened with {@link HeapBuilder#archive} until its archive has
   * the new key.
   *
   * @param directory of an encrypted heap, journal, store or cache, which must not be open, or of
   *     backups, for which this is {@link Backups#rekey}; of a cache in several directories, one
   *     after the other: each has the wrapped key
   * @param old the present key
   * @param fresh the new key
   * @throws EncryptionException if it is not encrypted, {@code old} is another key, or a provider
   *     fails or errs; nothing was changed then
   */
  public static void rekey(Path directory, KeyProvider old, KeyProvider fresh) {
    if (!isHome(directory)) {
      BackupKeys.rekey(directory, old, fresh);
      return;
    }
    try (Medium medium = FileMedium.open(directory, false, false)) {
      requireKeys(medium);
      KeyFile.read(medium).rewrap(medium, old, fresh);
    }
  }

  /** Whether a directory is that of a heap, a journal, a store or a cache, and not of backups. */
  private static boolean isHome(Path directory) {
    try (Medium medium = FileMedium.watch(directory)) {
      return medium.exists(CACHE) || HOMES.stream().anyMatch(medium::exists);
    }
  }

  /**
   * Destroys the key of a heap, then deletes its files. The key is overwritten and deleted durably
   * before anything else, so that nothing can be read even if this is interrupted; then it can be
   * repeated. Of a directory of backups the archives come first, each of which has a key. Copies of
   * the file {@code keys}, which a file system or a device may keep as well, can only be made
   * useless by destroying the wrapping key.
   *
   * @param heap the directory of an encrypted heap, journal or cache, or of backups, which must not
   *     be open; of a cache in several directories, one after the other: each can be read while one
   *     has the key
   * @throws EncryptionException if it is not encrypted: nothing is changed then
   */
  public static void shred(Path heap) {
    try (Medium medium = FileMedium.open(heap, false, false)) {
      if (HOMES.stream().noneMatch(name -> SealedMedium.hasSealed(medium, name))
          && !EntrySealer.hasCache(medium, CACHE)) {
        requireKeys(medium); // else an earlier call may have been interrupted
        BackupKeys.encryptedArchives(heap).forEach(HeapKeys::shred);
      }
      KeyFile.destroy(medium);
      for (String directory : new String[] {"log", ""}) {
        List<String> names = medium.list(directory); // none if there is no such directory
        for (String name : names) {
          if (!LAST.contains(name)) {
            medium.delete(directory.isEmpty() ? name : directory + "/" + name);
          }
        }
        if (!names.isEmpty()) {
          medium.syncDirectory(directory);
        }
      }
      HOMES.forEach(medium::delete);
      medium.delete(CACHE);
      medium.syncDirectory("");
    }
  }

  /**
   * Encrypts a heap, with a new data key.
   *
   * @param heap the directory of a heap that is not encrypted
   * @param key gives the wrapping key
   * @param progress called often, by this thread
   * @throws EncryptionException if the heap is encrypted already, has regions, or is on
   *     byte-addressable storage
   * @throws io.everheap.error.CorruptException if the heap is damaged
   * @throws io.everheap.error.DiskFullException if there is no space; the heap is as it was
   */
  public static void encrypt(Path heap, KeyProvider key, BackupProgress progress) {
    convert(heap, null, key, progress);
  }

  /**
   * Decrypts a heap.
   *
   * @param heap the directory of an encrypted heap
   * @param key gives its wrapping key
   * @param progress called often, by this thread
   * @throws EncryptionException if the heap is not encrypted, or has another key
   * @throws io.everheap.error.CorruptException if the heap is damaged
   * @throws io.everheap.error.DiskFullException if there is no space; the heap is as it was
   */
  public static void decrypt(Path heap, KeyProvider key, BackupProgress progress) {
    convert(heap, key, null, progress);
  }

  /**
   * Encrypts a heap anew with another data key, so that nobody who knew the old one can read what
   * is stored from now on.
   *
   * @param heap the directory of an encrypted heap
   * @param old gives its wrapping key
   * @param fresh gives the wrapping key from now on, which may be the same
   * @param progress called often, by this thread
   * @throws EncryptionException if the heap is not encrypted, or has another key
   * @throws io.everheap.error.CorruptException if the heap is damaged
   * @throws io.everheap.error.DiskFullException if there is no space; the heap is as it was
   */
  public static void renew(Path heap, KeyProvider old, KeyProvider fresh, BackupProgress progress) {
    convert(heap, old, fresh, progress);
  }

  /**
   * Brings the files of an encrypted heap to the newest version, with another data key. In version
   * 1 somebody who holds the files can put pages back to an earlier state; see {@code
   * docs/encryption.md}. It can be repeated if it is interrupted. Backups go on: the next
   * incremental one continues the last one.
   *
   * @param heap the directory of an encrypted heap
   * @param key gives its wrapping key
   * @param progress called often, by this thread
   * @return false if it has the newest version already; then nothing is changed
   * @throws EncryptionException if the heap is not encrypted, or has another key
   * @throws io.everheap.error.CorruptException if the heap is damaged
   * @throws io.everheap.error.DiskFullException if there is no space; the heap is as it was
   */
  public static boolean upgrade(Path heap, KeyProvider key, BackupProgress progress) {
    try (Medium medium = Media.open(heap, false, false)) {
      requireKeys(medium);
      return HeapConversion.upgrade(medium, key, EngineOptions.defaults(), progress);
    }
  }

  private static void convert(
      Path heap, @Nullable KeyProvider from, @Nullable KeyProvider to, BackupProgress progress) {
    try (Medium medium = Media.open(heap, false, false)) {
      if (from != null) {
        requireKeys(medium);
      }
      HeapConversion.run(medium, from, to, EngineOptions.defaults(), progress);
    }
  }

  private static void requireKeys(Medium medium) {
    if (!medium.exists(KeyFile.NAME)) {
      SealedMedium.requireNoneSealed(medium);
      throw new EncryptionException(
          medium.location() + " has no file of keys: nothing there is encrypted.");
    }
  }
}
