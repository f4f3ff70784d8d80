package io.everheap.store;

import io.everheap.HeapCheck;
import io.everheap.encryption.KeyProvider;
import io.everheap.error.EncryptionException;
import io.everheap.memory.crypt.KeyFile;
import io.everheap.report.ScrubReport;
import io.everheap.report.VerifyProgress;
import io.everheap.stability.Stable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * Checks stores that are not open. Stateless.
 *
 * @since 0.9
 */
@Stable
public final class StoreCheck {
  private StoreCheck() {}

  /**
   * Checks a store that is not encrypted; see {@link #verify(Path, KeyProvider, VerifyProgress)}.
   *
   * @param directory of the store
   * @return what was found
   */
  public static StoreReport verify(Path directory) {
    return verify(directory, null, VerifyProgress.NONE);
  }

  /**
   * Checks all that {@link ShardedStore#verify()} checks, without changing anything. The store must
   * not be open for writing.
   *
   * @param directory of the store
   * @param key gives the wrapping key; {@code null} if the store is not encrypted
   * @param progress called by this thread
   * @return what was found
   * @throws io.everheap.error.EverheapException when the store is locked, missing, or too damaged
   *     to be opened
   */
  public static StoreReport verify(
      Path directory, @Nullable KeyProvider key, VerifyProgress progress) {
    ShardedStoreBuilder builder = ShardedStore.builder(directory).readOnly();
    try (ShardedStore store = (key == null ? builder : builder.encrypt(key)).open()) {
      return store.verify(progress);
    }
  }

  /**
   * Finds damaged pages of each shard, and repairs them from copies of the store, as {@link
   * HeapCheck#scrub(Path, List, KeyProvider, VerifyProgress)} does for one heap. An encrypted store
   * is refused: verify it.
   *
   * @param directory of the store
   * @param copies directories of copies of the store; if there are none, nothing is changed
   * @param progress called by this thread
   * @return the report of each shard, by the name of its directory
   * @throws EncryptionException if the store is encrypted
   * @throws io.everheap.error.EverheapException as for a heap
   */
  public static SequencedMap<String, ScrubReport> scrub(
      Path directory, List<Path> copies, VerifyProgress progress) {
    if (Files.exists(directory.resolve(KeyFile.NAME))) {
      throw new EncryptionException(
          directory + " is an encrypted store, which is not scrubbed: verify it with its key");
    }
    SequencedMap<String, ScrubReport> reports = new LinkedHashMap<>();
    for (Path shard : ShardedStore.shardDirectories(directory)) {
      String name = shard.getFileName().toString();
      List<Path> copiesOfShard = copies.stream().map(copy -> copy.resolve(name)).toList();
      reports.put(name, HeapCheck.scrub(shard, copiesOfShard, null, progress));
    }
    return reports;
  }

  /**
   * Finds damaged pages of each shard, without changing anything.
   *
   * @param directory of the store
   * @return the report of each shard, by the name of its directory
   * @throws io.everheap.error.EverheapException as for a heap
   */
  public static SequencedMap<String, ScrubReport> scrub(Path directory) {
    return scrub(directory, List.of(), VerifyProgress.NONE);
  }
}
