package io.everheap.encryption;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** Looks for texts in files. */
public final class Plaintext {
  private Plaintext() {}

  /**
   * Requires that no file of a directory has a text. Files may be made, get other names and be
   * deleted meanwhile: then all are searched again.
   */
  public static void requireNone(Path directory, String... texts) throws IOException {
    boolean isWhole;
    do {
      isWhole = true;
      try {
        Files.walkFileTree(
            directory,
            new SimpleFileVisitor<>() {
              @Override
              public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                  throws IOException {
                assertThat(new String(Files.readAllBytes(file), ISO_8859_1))
                    .as(file.toString())
                    .doesNotContain(texts);
                return FileVisitResult.CONTINUE;
              }
            });
      } catch (NoSuchFileException e) {
        isWhole = false;
      }
    } while (!isWhole);
  }
}
