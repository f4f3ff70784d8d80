package io.everheap;

import io.everheap.backup.BackupKeys;
import io.everheap.encryption.KeyProvider;
import io.everheap.error.EncryptionException;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Medium;
import io.everheap.memory.crypt.EntrySealer;
import io.everheap.memory.crypt.KeyFile;
import io.everheap.memory.crypt.SealedMedium;
import io.everheap.stability.Stable;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Replaces and destroys the keys of directories that are encrypted and not open: of heaps,
 * journals, stores, caches and backups. The file {@code keys} of a directory has its data key,
 * wrapped with the key of a {@link KeyProvider}. Stateless.
 *
 * @since 0.9
 */
@Stable
public final class EncryptedDirectory {
  /** One of them, or a cache, is in each directory that can be encrypted. */
  private static final List<String> HOMES = List.of("heap", "journal", "store");

  private static final String CACHE = "cache";

  /** What is left until everything else is shredded, and the files of the lock. */
  private static final Set<String> LAST =
      Set.of("heap", "journal", "store", CACHE, "lock", "owner");

  private EncryptedDirectory() {}

  /**
   * Wraps the data key with another key, at once and durably. From then on the old key opens
   * nothing, except copies of the heap that were made before. What is stored stays as it is, so
   * somebody who knew the old key and had a copy of the file {@code keys} can still read it; {@link
   * HeapKeys#renew} replaces the data key of a heap.
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
   * Destroys the data key, then deletes the files. The key is overwritten and deleted durably
   * before anything else, so that nothing can be read even if this is interrupted; then it can be
   * repeated. Of a directory of backups the archives come first, each of which has a key. Copies of
   * the file {@code keys}, which a file system or a device may keep as well, can only be made
   * useless by destroying the wrapping key.
   *
   * @param directory of an encrypted heap, journal or cache, or of backups, which must not be open;
   *     of a cache in several directories, one after the other: each can be read while one has the
   *     key
   * @throws EncryptionException if it is not encrypted: nothing is changed then
   */
  public static void shred(Path directory) {
    try (Medium medium = FileMedium.open(directory, false, false)) {
      if (HOMES.stream().noneMatch(name -> SealedMedium.hasSealed(medium, name))
          && !EntrySealer.hasCache(medium, CACHE)) {
        requireKeys(medium); // else an earlier call may have been interrupted
        BackupKeys.encryptedArchives(directory).forEach(EncryptedDirectory::shred);
      }
      KeyFile.destroy(medium);
      for (String part : new String[] {"log", ""}) {
        List<String> names = medium.list(part); // none if there is no such directory
        for (String name : names) {
          if (!LAST.contains(name)) {
            medium.delete(part.isEmpty() ? name : part + "/" + name);
          }
        }
        if (!names.isEmpty()) {
          medium.syncDirectory(part);
        }
      }
      HOMES.forEach(medium::delete);
      medium.delete(CACHE);
      medium.syncDirectory("");
    }
  }

  /**
   * Checks that a directory has a file of keys.
   *
   * @throws EncryptionException if it has none, or has lost it
   */
  static void requireKeys(Medium medium) {
    if (!medium.exists(KeyFile.NAME)) {
      SealedMedium.requireNoneSealed(medium);
      throw new EncryptionException(
          medium.location() + " has no file of keys: nothing there is encrypted.");
    }
  }
}
