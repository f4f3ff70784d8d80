package io.everheap.memory;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.everheap.error.CorruptException;
import io.everheap.error.MediumException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the files of a heap by others, all or none, whatever crash comes between. The new files
 * are made beside the old ones under names of their own, which {@link #fresh} hides. A file says
 * how far it is: while the new ones are made, the next opening deletes them; from {@link #commit}
 * on, it puts them in the place of the old ones.
 *
 * <pre>
 *   0       8         12      16       20               20 + length
 *   +-------+---------+-------+--------+------------------+-----+
 *   | magic | version | state | length | names to delete  | crc |
 *   +-------+---------+-------+--------+------------------+-----+
 * </pre>
 *
 * <p>Not thread-safe; the caller holds the lock of the heap.
 */
public final class Exchange {
  /** Name of the file that says how far the exchange is; there is none without an exchange. */
  public static final String NAME = "converting";

  /** What the names of the new files end with. */
  static final String SUFFIX = ".converted";

  private static final String UNFINISHED = NAME + ".new";

  /** "EVHPCONV", little-endian. */
  static final long MAGIC = 0x564E_4F43_5048_5645L;

  static final int VERSION = 1;

  /** Names of files that may be deleted. */
  private static final String GONE = "(log/)?[a-z]+(\\.[a-z]+)?";

  private static final int PREPARING = 1;
  private static final int COMMITTED = 2;
  private static final int HEAD = 20;
  private static final int MAX = 4096;

  /** The directories of a heap. */
  private static final List<String> DIRECTORIES = List.of("log", "");

  private final Medium medium;

  /** Whether a file is the mark of an exchange. */
  public static boolean isMark(String name) {
    return name.equals(NAME) || name.equals(UNFINISHED);
  }

  /** The name that a file has after an exchange: its own, unless it is a new file of one. */
  public static String finalName(String name) {
    return name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
  }

  private Exchange(Medium medium) {
    this.medium = medium;
  }

  /** What the file says. */
  private record Mark(int state, List<String> gone) {}

  /**
   * Begins an exchange; settles an earlier one first.
   *
   * @param medium a heap that is not open
   */
  public static Exchange begin(Medium medium) {
    settle(medium);
    write(medium, new Mark(PREPARING, List.of()));
    return new Exchange(medium);
  }

  /** Shows the new files, under the names that they will have; closing it has no effect. */
  public Medium fresh() {
    return new RenamedMedium(medium, SUFFIX);
  }

  /**
   * Puts the new files in the place of the old ones. They must be durable.
   *
   * @param gone further files of the heap to delete, if they are there
   */
  public void commit(Set<String> gone) {
    write(medium, new Mark(COMMITTED, List.copyOf(new TreeSet<>(gone))));
    settle(medium);
  }

  /** Deletes the new files; does nothing after {@link #commit} began. */
  public void abandon() {
    Mark mark = read(medium);
    if (mark != null && mark.state == PREPARING) {
      settle(medium);
    }
  }

  /**
   * Completes an exchange that was interrupted, or deletes what it left; called by each opening for
   * writing.
   *
   * @throws CorruptException if the file about it is damaged
   */
  public static void settle(Medium medium) {
    Mark mark = read(medium);
    if (mark == null) {
      medium.delete(UNFINISHED);
      return;
    }
    for (String directory : DIRECTORIES) {
      for (String name : fresh(medium, directory)) {
        String path = directory.isEmpty() ? name : directory + "/" + name;
        if (mark.state == COMMITTED) {
          medium.rename(path, finalName(path));
        } else {
          medium.delete(path);
        }
      }
    }
    delete(medium, mark.gone);
    syncDirectories(medium);
    medium.delete(NAME);
    medium.delete(UNFINISHED);
    medium.syncDirectory("");
  }

  private static void delete(Medium medium, List<String> names) {
    for (String name : names) {
      medium.delete(name);
    }
  }

  /** The names of new files in a directory. */
  private static List<String> fresh(Medium medium, String directory) {
    return medium.list(directory).stream().filter(name -> name.endsWith(SUFFIX)).toList();
  }

  private static void syncDirectories(Medium medium) {
    for (String directory : DIRECTORIES) {
      if (directory.isEmpty() || !medium.list(directory).isEmpty()) {
        medium.syncDirectory(directory);
      }
    }
  }

  /**
   * Checks that no exchange has to be completed, for those that only read.
   *
   * @throws MediumException if there is one: some files are new and some are old
   */
  static void requireSettled(Medium medium) {
    Mark mark = read(medium);
    if (mark != null && mark.state == COMMITTED) {
      throw new MediumException(
          "The files of "
              + medium.location()
              + " are being replaced by encrypted or decrypted ones, which was interrupted: repeat"
              + " the command, or open the heap for writing, which completes it. Nothing is lost.",
          null);
    }
  }

  private static void write(Medium medium, Mark mark) {
    byte[] names = String.join("\n", mark.gone).getBytes(UTF_8);
    ByteBuffer b = ByteBuffer.allocate(HEAD + names.length + 4).order(ByteOrder.LITTLE_ENDIAN);
    b.putLong(0, MAGIC).putInt(8, VERSION).putInt(12, mark.state).putInt(16, names.length);
    b.put(HEAD, names).putInt(HEAD + names.length, crc(b, HEAD + names.length));
    medium.delete(UNFINISHED);
    try (MediumFile file = medium.create(UNFINISHED)) {
      file.write(b, 0);
      file.sync();
    }
    medium.rename(UNFINISHED, NAME);
    medium.syncDirectory("");
  }

  private static @Nullable Mark read(Medium medium) {
    if (!medium.exists(NAME)) {
      return null;
    }
    ByteBuffer b = ByteBuffer.allocate(MAX).order(ByteOrder.LITTLE_ENDIAN);
    try (MediumFile file = medium.open(NAME)) {
      file.read(b, 0);
    }
    b.flip();
    int length = b.limit() < HEAD + 4 ? -1 : b.getInt(16);
    if (length < 0
        || length > b.limit() - HEAD - 4
        || b.getLong(0) != MAGIC
        || b.getInt(8) != VERSION
        || (b.getInt(12) != PREPARING && b.getInt(12) != COMMITTED)
        || b.getInt(HEAD + length) != crc(b, HEAD + length)) {
      throw CorruptException.heap(
          medium.location()
              + "/"
              + NAME
              + " is damaged: it says whether the files beside it whose names end with "
              + SUFFIX
              + " replace the others. Restore the heap from a copy.");
    }
    String names = UTF_8.decode(b.slice(HEAD, length)).toString();
    List<String> gone = names.isEmpty() ? List.of() : List.of(names.split("\n"));
    for (String name : gone) {
      if (!name.matches(GONE)) {
        throw CorruptException.heap(
            medium.location() + "/" + NAME + " names " + name + ", which is no file of a heap.");
      }
    }
    return new Mark(b.getInt(12), gone);
  }

  private static int crc(ByteBuffer b, int length) {
    CRC32C crc = new CRC32C();
    crc.update(b.slice(0, length));
    return (int) crc.getValue();
  }
}
