package io.everheap;

import io.everheap.encryption.KeyProvider;
import io.everheap.engine.PageRepair;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Medium;
import io.everheap.memory.crypt.SealedMedium;
import io.everheap.report.ScrubReport;
import io.everheap.report.VerifyProgress;
import io.everheap.report.VerifyReport;
import io.everheap.stability.Stable;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks heaps that are not open, and repairs their pages from copies. Stateless.
 *
 * @since 0.9
 */
@Stable
public final class HeapCheck {
  private HeapCheck() {}

  /**
   * Checks a heap that is not encrypted; see {@link #verify(Path, KeyProvider, VerifyProgress)}.
   *
   * @param directory of the heap
   * @return what was found
   */
  public static VerifyReport verify(Path directory) {
    return verify(directory, null, VerifyProgress.NONE);
  }

  /**
   * Checks a heap without changing anything, even one that is too damaged to be opened. It must not
   * be open for writing. Checks the log and all that {@link Heap#verify()} checks. Of a heap that
   * cannot be opened, it reports only the reason and damaged superblocks.
   *
   * @param directory of the heap
   * @param key gives the wrapping key; {@code null} if the heap is not encrypted
   * @param progress called by this thread
   * @return what was found
   * @throws io.everheap.error.EverheapException when the heap is locked, missing, no heap, or of
   *     another format
   */
  public static VerifyReport verify(
      Path directory, @Nullable KeyProvider key, VerifyProgress progress) {
    HeapBuilder builder = Heap.builder(directory);
    return (key == null ? builder : builder.encrypt(key)).verify(progress);
  }

  /**
   * Finds damaged pages of a heap that is not encrypted, without changing anything; see {@link
   * #scrub(Path, List, KeyProvider, VerifyProgress)}.
   *
   * @param directory of the heap
   * @return what was found
   */
  public static ScrubReport scrub(Path directory) {
    return scrub(directory, List.of(), null, VerifyProgress.NONE);
  }

  /**
   * Reads all pages of the home image and compares them with their checksums, and repairs those
   * that are damaged from copies of the heap: backups that were restored beside it, replicas, or
   * other copies of its directory. A page is repaired if a copy has it in the state that the
   * checksum names; nothing else is changed. Faster than {@link #verify(Path)}, which checks what
   * the pages mean as well.
   *
   * @param directory of the heap
   * @param copies directories of copies; if there are none, nothing is changed, and the heap may be
   *     open for writing elsewhere: then a page that is being written may be reported
   * @param key gives the wrapping key of the heap and its copies; {@code null} if they are not
   *     encrypted
   * @param progress called by this thread
   * @return what was found and repaired
   * @throws io.everheap.error.EverheapException when the heap or a copy is missing, no heap, or of
   *     another format; when the heap is locked and there are copies; when a copy is of another
   *     heap
   */
  public static ScrubReport scrub(
      Path directory, List<Path> copies, @Nullable KeyProvider key, VerifyProgress progress) {
    Objects.requireNonNull(directory, "directory");
    Objects.requireNonNull(progress, "progress");
    Medium files =
        copies.isEmpty() ? FileMedium.watch(directory) : FileMedium.open(directory, false, false);
    try (Medium on = SealedMedium.with(files, key);
        PageRepair repair = PageRepair.open(on)) {
      return repair.run(copies, key, progress);
    }
  }
}
