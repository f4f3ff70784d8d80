package io.everheap.replication;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.everheap.error.ReplicationException;
import io.everheap.files.FileChecks;
import io.everheap.memory.NewFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;

/** The 32 random bytes that a primary and its replicas share. Messages never quote them. */
final class Secret {
  static final int BYTES = 32;

  /** More than a secret has, so that a wrong file is noticed without being read. */
  private static final int MAX_TEXT = 1024;

  private final byte[] bytes;

  private Secret(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Reads the secret in a file.
   *
   * @param make whether to make the file if it is missing
   * @throws ReplicationException if there is none, or others than the owner can use the file
   */
  static Secret of(Path file, boolean make) {
    try {
      if (make && !Files.exists(file)) {
        make(file);
      }
      if (FileChecks.isOpenToOthers(file)) {
        throw new ReplicationException(
            "The secret in "
                + file
                + " can be read or changed by others than its owner: chmod 600 it, and if others"
                + " may have read it, replace it on all machines.");
      }
      try (InputStream in = Files.newInputStream(FileChecks.refusePipe(file))) {
        return parse(file, new String(in.readNBytes(MAX_TEXT), US_ASCII).strip());
      }
    } catch (NoSuchFileException e) {
      throw new ReplicationException(
          "There is no secret in "
              + file
              + ": the primary makes one if it is missing; copy its file to this machine, with mode"
              + " 0600.",
          e);
    } catch (IOException e) {
      throw new ReplicationException("The secret in " + file + " cannot be read: " + e, e);
    }
  }

  private static Secret parse(Path file, String text) {
    try {
      byte[] bytes = HexFormat.of().parseHex(text);
      if (bytes.length == BYTES) {
        return new Secret(bytes);
      }
    } catch (IllegalArgumentException e) {
      // said below, without the text
    }
    throw new ReplicationException(
        "In "
            + file
            + " is no secret: a secret is 64 hexadecimal digits, as openssl rand -hex 32 prints"
            + " them.");
  }

  private static void make(Path file) throws IOException {
    byte[] random = new byte[BYTES];
    new SecureRandom().nextBytes(random);
    try {
      NewFiles.createSecret(file, HexFormat.of().formatHex(random) + "\n");
    } catch (FileAlreadyExistsException e) {
      return; // another process was faster
    }
    System.getLogger(Secret.class.getName())
        .log(
            System.Logger.Level.INFO,
            "made the secret of a primary and its replicas: {0}",
            file.toAbsolutePath().toString());
  }

  /** The bytes themselves. */
  byte[] bytes() {
    return bytes;
  }
}
