package io.everheap.support.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The files that releases left are as they were: {@code .ci/released-files} has the SHA-256 of each
 * of them, in the format of {@code sha256sum}.
 */
class UnchangedFilesTest {
  private static final Path ROOT = root();

  @Test
  void everyReleasedFileHasTheDigestThatWasCommittedWithIt() throws Exception {
    Map<String, String> listed = new TreeMap<>();
    for (String line : Files.readAllLines(ROOT.resolve(".ci/released-files"))) {
      String[] parts = line.split(" {2}", 2);
      listed.put(parts[1], parts[0]);
    }
    assertThat(digests()).isEqualTo(listed);
  }

  private static Map<String, String> digests() throws IOException, NoSuchAlgorithmException {
    Map<String, String> digests = new TreeMap<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path module : modules.toList()) {
        addAll(module.resolve("src/test/resources/releases"), digests);
        addAll(module.resolve("src/test/resources/heaps"), digests);
      }
    }
    return digests;
  }

  private static void addAll(Path directory, Map<String, String> digests)
      throws IOException, NoSuchAlgorithmException {
    if (Files.isDirectory(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
          String name = ROOT.relativize(file).toString().replace('\\', '/');
          digests.put(name, HexFormat.of().formatHex(digest));
        }
      }
    }
  }

  private static Path root() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve(".ci/released-files"))) {
      directory = directory.getParent();
    }
    return directory;
  }
}
