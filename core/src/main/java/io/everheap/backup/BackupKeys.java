package io.everheap.backup;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.EncryptionException;
import io.everheap.memory.Closing;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Medium;
import io.everheap.memory.crypt.KeyFile;
import io.everheap.memory.crypt.SealedMedium;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a directory of backups: its own, and that of each archive in it. Each is a file
 * {@code keys} with another data key, and all are wrapped with the same wrapping key, except
 * between the steps of a {@link #rekey} that was interrupted. Stateless.
 */
public final class BackupKeys {
  /** How the names of the directories of archives begin. */
  public static final String ARCHIVE = "archive-";

  private BackupKeys() {}

  /**
   * Wraps the data keys of a directory of backups, and of the archives in it, with another wrapping
   * key. All keys are unwrapped, wrapped and compared before the first file is replaced. Each file
   * is replaced durably, and those that are wrapped with the new key already are left as they are,
   * so an interrupted call can be repeated.
   *
   * @throws EncryptionException if nothing is encrypted, or a key is wrapped with neither of the
   *     two; nothing was changed then
   * @throws io.everheap.error.LockedException if a program writes to the directory or to an archive
   *     in it; nothing was changed then
   */
  public static void rekey(Path backups, KeyProvider old, KeyProvider fresh) {
    List<Path> directories = encrypted(backups);
    if (directories.isEmpty()) {
      throw new EncryptionException(
          backups + " has no file of keys, nor has an archive in it: nothing there is encrypted.");
    }
    List<Medium> open = new ArrayList<>();
    try {
      Map<Medium, KeyFile> changes = new LinkedHashMap<>();
      for (Path directory : directories) {
        Medium medium = FileMedium.open(directory, false, false);
        open.add(medium);
        KeyFile changed = rewrapped(medium, old, fresh);
        if (changed != null) {
          changes.put(medium, changed);
        }
      }
      changes.forEach((medium, keys) -> keys.write(medium));
    } finally {
      Closing closing = new Closing();
      open.forEach(medium -> closing.then(medium::close));
      closing.end();
    }
  }

  /**
   * The present key of backups that are rekeyed.
   *
   * @throws EncryptionException if none was given
   */
  public static KeyProvider required(@Nullable KeyProvider keys) {
    if (keys == null) {
      throw new EncryptionException("Give the present key of the backups first: encrypt(key).");
    }
    return keys;
  }

  /** The directory, if it has keys, and those of its archives that have some. */
  private static List<Path> encrypted(Path backups) {
    List<Path> found = new ArrayList<>();
    List<Path> all = archives(backups);
    all.addFirst(backups);
    for (Path directory : all) {
      if (hasKeys(directory)) {
        found.add(directory);
      } else {
        try (Medium medium = FileMedium.watch(directory)) {
          SealedMedium.requireNoneSealed(medium);
        }
      }
    }
    return found;
  }

  private static boolean hasKeys(Path directory) {
    return Files.exists(directory.resolve(KeyFile.NAME));
  }

  /** The directories of the archives in a directory of backups that have keys. */
  public static List<Path> encryptedArchives(Path backups) {
    return archives(backups).stream().filter(BackupKeys::hasKeys).toList();
  }

  /** The directories of the archives in a directory of backups. */
  public static List<Path> archives(Path backups) {
    List<Path> found = new ArrayList<>();
    if (Files.isDirectory(backups)) {
      try (DirectoryStream<Path> all = Files.newDirectoryStream(backups, ARCHIVE + "*")) {
        for (Path directory : all) {
          if (Files.isDirectory(directory)) {
            found.add(directory);
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    found.sort(null);
    return found;
  }

  /** The keys of a directory, wrapped with the new key; null if they are so already. */
  private static @Nullable KeyFile rewrapped(Medium medium, KeyProvider old, KeyProvider fresh) {
    KeyFile keys = KeyFile.read(medium);
    RuntimeException notFresh;
    try {
      keys.requireKey(medium, fresh);
      return null;
    } catch (RuntimeException e) { // of a provider, whatever it is
      notFresh = e;
    }
    try {
      return keys.rewrapped(medium, old, fresh);
    } catch (RuntimeException e) {
      e.addSuppressed(notFresh);
      throw new EncryptionException(
          "The keys of "
              + medium.location()
              + " cannot be wrapped anew: "
              + e.getMessage()
              + " Nothing was changed.",
          e);
    }
  }
}
