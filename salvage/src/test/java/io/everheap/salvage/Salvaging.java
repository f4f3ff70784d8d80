package io.everheap.salvage;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.HeapBuilder;
import io.everheap.HeapCheck;
import io.everheap.TestHeaps;
import io.everheap.engine.HeapCopy;
import io.everheap.error.EverheapException;
import io.everheap.report.VerifyProgress;
import io.everheap.report.VerifyReport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;

/** Salvages in tests: what holds of each one, and damage anywhere. */
final class Salvaging {
  private static final int PAGE = 4096;
  private static final int MOST_DAMAGES = 30;

  private Salvaging() {}

  /** Saves a heap, which stays as it is; the new one is sound. */
  static SalvageReport run(Path heap, Path saved) {
    Map<String, String> before = TestHeaps.files(heap);
    SalvageReport report = save(heap, saved);
    assertThat(TestHeaps.files(heap)).as("the damaged heap").isEqualTo(before);
    return report;
  }

  private static SalvageReport save(Path heap, Path saved) {
    HeapBuilder builder = TestHeaps.builder(saved);
    SalvageReport report = Salvage.run(heap, saved, builder, VerifyProgress.NONE);
    VerifyReport verified = HeapCheck.verify(saved);
    assertThat(verified.problems()).isEmpty();
    return report;
  }

  /** What a report says of a root. */
  static SalvageReport.Root root(SalvageReport report, String name) {
    return report.roots().stream().filter(r -> r.name().equals(name)).findFirst().orElseThrow();
  }

  /** Overwrites bytes of the home file with zeros. */
  static void zero(Path heap, long offset, int bytes) {
    TestHeaps.write(heap.resolve("heap"), offset, ByteBuffer.allocate(bytes));
  }

  /** Is given what was saved of a damaged heap, and by which seed it was damaged. */
  interface Check {
    void check(Heap saved, String what);
  }

  /**
   * Damages copies of a heap that was closed in up to thirty places, saves them and has what is
   * saved checked. Where nothing could be saved, nothing is checked.
   *
   * @param sound the directory of the heap
   * @param temp where the copies go
   * @param seeds how many copies
   * @param pageOneIn of so many places one is a page of zeros, the others are bits
   */
  static void damageAnywhere(Path sound, Path temp, int seeds, int pageOneIn, Check check)
      throws IOException {
    int checked = 0;
    for (int seed = 0; seed < seeds; seed++) {
      Random random = new Random(seed);
      Path heap = HeapCopy.killed(sound, temp.resolve("damaged" + seed));
      Path saved = temp.resolve("saved" + seed);
      long size = Files.size(heap.resolve("heap"));
      for (int i = random.nextInt(MOST_DAMAGES); i >= 0; i--) {
        if (random.nextInt(pageOneIn) == 0) {
          zero(heap, random.nextLong(64, size / PAGE) * PAGE, PAGE);
        } else {
          TestHeaps.flip(heap.resolve("heap"), random.nextLong(size), 1 << random.nextInt(8));
        }
      }
      try {
        save(heap, saved);
      } catch (EverheapException e) {
        continue; // nothing could be saved
      }
      try (Heap open = TestHeaps.open(saved)) {
        check.check(open, "seed " + seed);
      }
      checked++;
    }
    assertThat(checked).as("heaps of which something was saved").isPositive();
  }
}
