package io.everheap.support.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A committed file with one entry a line. {@code #} begins a comment; empty lines are ignored. */
final class ListFile {
  private ListFile() {}

  static List<String> read(Path file) throws WrongArguments {
    try {
      return Files.readAllLines(file).stream()
          .map(line -> line.replaceFirst("#.*", "").strip())
          .filter(line -> !line.isEmpty())
          .toList();
    } catch (IOException e) {
      throw new WrongArguments("cannot read " + file + ": " + e);
    }
  }
}
