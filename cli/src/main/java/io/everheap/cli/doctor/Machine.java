package io.everheap.cli.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the kernel tells in {@code /proc} and {@code /sys}. On systems without them nothing is
 * known, and nothing is claimed.
 *
 * @param root the directory above both: {@code /}, or that of a test
 */
public record Machine(Path root) {
  private static final int MAX_BYTES = 1 << 20;

  /** The machine that this process runs on. */
  public static Machine here() {
    return new Machine(Path.of("/"));
  }

  /**
   * The content of a file without the blanks around it; empty if it cannot be read. Numbers of the
   * kernel must be read at once: the second read of such a file returns nothing.
   */
  Optional<String> read(String path) {
    try (InputStream in = Files.newInputStream(root.resolve(path))) {
      return Optional.of(new String(in.readNBytes(MAX_BYTES), UTF_8).strip());
    } catch (IOException | RuntimeException e) {
      return Optional.empty();
    }
  }

  /** The number that a file holds. */
  OptionalLong number(String path) {
    Optional<String> text = read(path).filter(t -> t.matches("-?[0-9]{1,18}"));
    return text.isPresent() ? OptionalLong.of(Long.parseLong(text.get())) : OptionalLong.empty();
  }

  /** The names in a directory, sorted. */
  List<String> names(String path) {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(root.resolve(path))) {
      entries.forEach(entry -> names.add(entry.getFileName().toString()));
    } catch (IOException | RuntimeException e) {
      return List.of();
    }
    Collections.sort(names);
    return names;
  }

  /** The path below the root that a symbolic link leads to. */
  Optional<String> link(String path) {
    try {
      return Optional.of(root.toRealPath().relativize(root.resolve(path).toRealPath()).toString());
    } catch (IOException | RuntimeException e) {
      return Optional.empty();
    }
  }

  /** The choice in brackets of a setting such as {@code always [madvise] never}. */
  Optional<String> chosen(String path) {
    return read(path)
        .filter(text -> text.indexOf('[') >= 0 && text.indexOf(']') > text.indexOf('['))
        .map(text -> text.substring(text.indexOf('[') + 1, text.indexOf(']')));
  }
}
