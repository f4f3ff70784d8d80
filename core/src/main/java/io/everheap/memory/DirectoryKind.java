package io.everheap.memory;

import io.everheap.error.ForeignException;
import java.util.Arrays;
import java.util.List;

/**
 * What a directory holds: two kinds in one directory would delete or replace each other's files.
 * Heaps, journals and stores refuse each file that is not theirs; caches and backups, which users
 * put beside other files, refuse the files by which the other kinds are known. Stateless.
 */
public enum DirectoryKind {
  /** A heap, also one that is being made. */
  HEAP("a heap"),
  /** A journal, of which the segments may be all that is left. */
  JOURNAL("a journal"),
  /** A store of several heaps. */
  STORE("a store"),
  /** A cache. */
  CACHE("a cache"),
  /** Backups of heaps, journals or stores. */
  BACKUPS("backups");

  private static final List<String> BACKUP_SUFFIXES =
      List.of(".backup", ".journal", ".store-backup");

  private final String text;

  DirectoryKind(String text) {
    this.text = text;
  }

  private boolean has(String file) {
    return switch (this) {
      case HEAP -> List.of("heap", "heap.new", "heap.deleted").contains(file);
      case JOURNAL -> file.equals("journal");
      case STORE -> file.equals("store");
      case CACHE -> file.equals("cache");
      case BACKUPS -> BACKUP_SUFFIXES.stream().anyMatch(file::endsWith);
    };
  }

  /** Whether a file of this name tells that its directory is one of these kinds. */
  public static boolean isTold(String file) {
    return Arrays.stream(values()).anyMatch(kind -> kind.has(file));
  }

  /**
   * Checks that a directory may become one of this kind, or is one.
   *
   * @throws ForeignException if it holds another kind; nothing was changed
   */
  public void requireNoOther(Medium medium) {
    for (String file : medium.list("")) {
      for (DirectoryKind other : values()) {
        if (other != this && other.has(file)) {
          throw ForeignException.of(
              medium.location(),
              "a directory for " + text,
              "it holds " + other.text + " (" + file + "); choose an empty or a new directory");
        }
      }
    }
  }
}
