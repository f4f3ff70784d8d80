package io.everheap;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.EncryptionException;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Medium;
import io.everheap.memory.crypt.KeyFile;
import java.nio.file.Path;
import java.util.List;

/** Changes and destroys the keys of encrypted heaps and journals that are not open. */
public final class HeapKeys {
  private HeapKeys() {}

  /**
   * Wraps the heap's data key with another key, at once and durably. From then on the old key opens
   * nothing, except copies of the heap that were made before. What is stored stays as it is, so
   * somebody who knew the old key and had a copy of the file {@code keys} can still read it.
   *
   * @param heap the directory of an encrypted heap or journal, which must not be open
   * @param old the present key
   * @param fresh the new key
   * @throws EncryptionException if it is not encrypted, or {@code old} is another key
   */
  public static void rekey(Path heap, KeyProvider old, KeyProvider fresh) {
    try (Medium medium = FileMedium.open(heap, false, false)) {
      requireKeys(medium);
      KeyFile.read(medium).rewrap(medium, old, fresh);
    }
  }

  /**
   * Destroys the key of a heap, then deletes its files. The key is overwritten and deleted durably
   * before anything else, so that nothing can be read even if this is interrupted. Copies of the
   * file {@code keys}, which a file system or a device may keep as well, can only be made useless
   * by destroying the wrapping key.
   *
   * @param heap the directory of an encrypted heap or journal, which must not be open
   * @throws EncryptionException if it is not encrypted: nothing is changed then
   */
  public static void shred(Path heap) {
    try (Medium medium = FileMedium.open(heap, false, false)) {
      requireKeys(medium);
      KeyFile.destroy(medium);
      for (String directory : new String[] {"log", ""}) {
        List<String> names = medium.list(directory); // none if there is no such directory
        for (String name : names) {
          if (!name.equals("lock") && !name.equals("owner")) {
            medium.delete(directory.isEmpty() ? name : directory + "/" + name);
          }
        }
        if (!names.isEmpty()) {
          medium.syncDirectory(directory);
        }
      }
    }
  }

  private static void requireKeys(Medium medium) {
    if (!medium.exists(KeyFile.NAME)) {
      throw new EncryptionException(
          medium.location() + " has no file of keys: nothing there is encrypted.");
    }
  }
}
