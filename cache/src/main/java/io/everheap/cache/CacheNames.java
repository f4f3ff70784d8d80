package io.everheap.cache;

import io.everheap.memory.NewFiles;
import io.everheap.stability.Stable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Directories for caches that have names. Thread-safe.
 *
 * @since 0.9
 */
@Stable
public final class CacheNames {
  private static final int READABLE = 40;
  private static final int HASH_BYTES = 16;
  private static final Pattern UNSAFE = Pattern.compile("[^a-z0-9_]+");

  private CacheNames() {}

  /**
   * Returns the directory of a named cache, which is the same each time and for no other name. The
   * name may be anything: slashes, dots, capitals that a file system does not tell apart.
   *
   * @param base the directory of all caches
   * @param name of the cache
   * @return a directory in that one, of at most 80 characters; not made
   */
  public static Path directory(Path base, String name) {
    return base.resolve(safe(name));
  }

  /** What is readable of the name, and a hash. */
  private static String safe(String name) {
    String readable = UNSAFE.matcher(name.toLowerCase(Locale.ROOT)).replaceAll("-");
    String start = readable.substring(0, Math.min(READABLE, readable.length()));
    ByteBuffer characters = ByteBuffer.allocate(name.length() * Character.BYTES);
    characters.asCharBuffer().put(name); // as they are, unpaired surrogates included
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(characters.array());
      return start + "-" + HexFormat.of().formatHex(hash, 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }

  /**
   * Makes a directory, and those above it, that only its owner can access; does nothing if it
   * exists.
   *
   * @throws IOException if it cannot be made
   */
  public static void makeDirectory(Path directory) throws IOException {
    NewFiles.createDirectories(directory.toAbsolutePath());
  }

  /**
   * Makes an empty file that only its owner can access.
   *
   * @throws IOException if it exists, or cannot be made
   */
  public static void makeFile(Path file) throws IOException {
    NewFiles.createFile(file);
  }
}
