package io.everheap.memory;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.UUID;

/**
 * Random names that no other process makes. They come from the kernel where it has a file for them,
 * so that an opening does not load the JDK's providers of secure random numbers.
 */
final class Token {
  private static final Path RANDOM = Path.of("/dev/urandom");
  private static final int BYTES = 16;

  private Token() {}

  /** Another one each time. */
  static String next() {
    try (InputStream random = Files.newInputStream(RANDOM)) {
      byte[] bytes = random.readNBytes(BYTES);
      if (bytes.length == BYTES) {
        return HexFormat.of().formatHex(bytes);
      }
    } catch (IOException e) {
      // a system without such a file
    }
    return UUID.randomUUID().toString();
  }
}
