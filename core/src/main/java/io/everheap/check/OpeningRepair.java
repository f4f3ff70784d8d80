package io.everheap.check;

import io.everheap.encryption.KeyProvider;
import io.everheap.engine.PageRepair;
import io.everheap.engine.event.EngineLogger;
import io.everheap.error.CorruptException;
import io.everheap.memory.Medium;
import io.everheap.report.ScrubReport;
import io.everheap.report.VerifyProgress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Repairs the damaged pages of a heap from copies of it, before it is opened. Stateless. */
public final class OpeningRepair {
  private OpeningRepair() {}

  /**
   * Compares all pages with their checksums, if there are checksums, and repairs those that do not
   * match.
   *
   * @param heap its medium, on which there may be no heap yet
   * @param copies directories; those without a heap are left out
   * @param keys give the key of the copies; null if they are not encrypted
   * @throws CorruptException if a page stays damaged that the log does not change
   */
  public static void run(Medium heap, List<Path> copies, @Nullable KeyProvider keys) {
    try (PageRepair repair = PageRepair.openIfChecked(heap)) {
      if (repair != null && !repair.run(List.of(), keys, VerifyProgress.NONE).ok()) {
        List<Path> heaps =
            copies.stream().filter(copy -> Files.exists(copy.resolve("heap"))).toList();
        tell(heap, repair.run(heaps, keys, VerifyProgress.NONE), copies);
      }
    }
  }

  private static void tell(Medium heap, ScrubReport report, List<Path> copies) {
    for (ScrubReport.Page page : report.damaged()) {
      if (!page.repaired().isEmpty()) {
        EngineLogger.get()
            .log(
                System.Logger.Level.WARNING,
                "repaired {0} from {1}: {2}",
                heap.location(),
                page.repaired(),
                page.message());
      }
    }
    List<ScrubReport.Page> left =
        report.damaged().stream().filter(page -> page.repaired().isEmpty()).toList();
    if (!left.isEmpty() && !report.torn()) {
      throw CorruptException.heap(
          "Damaged pages of "
              + heap.location()
              + ": "
              + left.size()
              + ". None of "
              + copies
              + " has them in the state in which they were; the first one: "
              + left.getFirst().message()
              + ". Restore a backup, promote a replica, or open the heap without repairFrom to read"
              + " what is left.");
    }
  }
}
