package io.everheap.store;

import io.everheap.error.MediumException;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The names of the directories of shards: {@code shard-0000} and so on. Early builds wrote the
 * number in the digits of the default locale, for instance Farsi. Such directories keep their
 * names: the keys of an encrypted shard are derived from its name, and a rename of several
 * directories could be interrupted. Stateless.
 */
final class ShardNames {
  private static final String PREFIX = "shard-";
  private static final int DIGITS = 4;

  private ShardNames() {}

  /** The name of a new directory of a shard, and what reports call the shard. */
  static String of(int index) {
    return String.format(Locale.ROOT, "%s%04d", PREFIX, index);
  }

  /**
   * The name of the directory that a part of a store or of its backups has.
   *
   * @param directory the directory of the whole
   * @param part a name that {@link #of} returned; any other is returned as it is
   * @return the name itself, unless only a directory with other digits exists
   */
  static String stored(Path directory, String part) {
    if (!part.startsWith(PREFIX) || Files.exists(directory.resolve(part))) {
      return part;
    }
    int index = number(part);
    try (DirectoryStream<Path> all = Files.newDirectoryStream(directory, PREFIX + "*")) {
      for (Path other : all) {
        String name = other.getFileName().toString();
        if (number(name) == index && Files.isDirectory(other)) {
          return name;
        }
      }
      return part;
    } catch (NoSuchFileException | NotDirectoryException e) {
      return part;
    } catch (IOException | DirectoryIteratorException e) {
      throw new MediumException("cannot list " + directory + ": " + e.getMessage(), e);
    }
  }

  /** The number in a name, in the decimal digits of any script; -1 if there is none. */
  private static int number(String name) {
    String digits = name.substring(PREFIX.length());
    int number = 0;
    for (int c : digits.codePoints().toArray()) {
      int digit = Character.digit(c, 10);
      if (!Character.isDigit(c) || number > Short.MAX_VALUE) {
        return -1;
      }
      number = 10 * number + digit;
    }
    return digits.codePointCount(0, digits.length()) < DIGITS ? -1 : number;
  }
}
