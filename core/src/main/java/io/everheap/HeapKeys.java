package io.everheap;

import io.everheap.encryption.KeyProvider;
import io.everheap.engine.EngineOptions;
import io.everheap.engine.HeapConversion;
import io.everheap.error.EncryptionException;
import io.everheap.memory.Media;
import io.everheap.memory.Medium;
import io.everheap.report.BackupProgress;
import io.everheap.stability.Stable;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts and decrypts heaps that are not open, and replaces their data keys. {@link
 * EncryptedDirectory} replaces only the key that wraps a data key.
 *
 * <p>All methods write the files of the heap again, beside the old ones, so they need as much space
 * again, and an eighth more if the new files are encrypted. The heap is recovered and its pages are
 * checked first; the new files are compared with the old ones when they are durable, and then put
 * in their place. If this is interrupted, the heap is as it was, or the next opening for writing
 * completes it. The heap keeps its id and its history, so its anchors and what it knows of backups
 * stay valid. The old files are deleted, not overwritten: file systems, snapshots and flash may
 * keep what was in them.
 *
 * @since 0.9
 */
@Stable
public final class HeapKeys {
  private HeapKeys() {}

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
      EncryptedDirectory.requireKeys(medium);
      return HeapConversion.upgrade(medium, key, EngineOptions.defaults(), progress);
    }
  }

  private static void convert(
      Path heap, @Nullable KeyProvider from, @Nullable KeyProvider to, BackupProgress progress) {
    try (Medium medium = Media.open(heap, false, false)) {
      if (from != null) {
        EncryptedDirectory.requireKeys(medium);
      }
      HeapConversion.run(medium, from, to, EngineOptions.defaults(), progress);
    }
  }
}
