package io.everheap.cache;

import io.everheap.encryption.KeyProvider;
import io.everheap.report.VerifyProgress;
import io.everheap.stability.Stable;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Checks caches that are not open. Stateless.
 *
 * @since 0.9
 */
@Stable
public final class CacheCheck {
  private CacheCheck() {}

  /**
   * Checks a cache that is not encrypted; see {@link #verify(Path, KeyProvider, VerifyProgress)}.
   *
   * @param directory of the cache
   * @return what was found
   */
  public static CacheReport verify(Path directory) {
    return verify(directory, null, VerifyProgress.NONE);
  }

  /**
   * Reads the tables and all values of a cache, and compares the values with their checksums, or
   * decrypts them. Nothing is changed.
   *
   * @param directory of the cache, which must not be open
   * @param key gives the wrapping key; {@code null} if the cache is not encrypted
   * @param progress called by this thread
   * @return what was found
   * @throws io.everheap.error.MissingException if there is no cache
   * @throws io.everheap.error.LockedException if a process has it open
   * @throws io.everheap.error.ForeignException if the file is not a cache's
   * @throws io.everheap.error.EncryptionException if the cache has another key, none, or one that
   *     is not given
   */
  public static CacheReport verify(
      Path directory, @Nullable KeyProvider key, VerifyProgress progress) {
    return CacheReport.read(directory, true, key, progress);
  }
}
