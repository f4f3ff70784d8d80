package io.everheap.engine.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.log.SegmentHeader;
import io.everheap.memory.RecordedMedium;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Which segments of an archive are deleted, and which the next restore needs. */
class ArchivePruningTest {
  private static final UUID HEAP = new UUID(1, 2);
  private static final int SIZE = LogLayout.MIN_SIZE;

  private final RecordedMedium files = new RecordedMedium();
  private long number;

  /** Adds a segment; its name says nothing of its place. */
  private String add(UUID heap, long epoch, long ordinal, long first) {
    SegmentHeader header =
        new SegmentHeader(
            LogLayout.FORMAT_VERSION,
            LogLayout.BATCHES,
            heap,
            epoch,
            ordinal,
            ordinal - 1,
            first,
            SIZE,
            0,
            0,
            0);
    String name = LogLayout.name(100 - number++);
    byte[] bytes = Arrays.copyOf(header.encode(LogLayout.MAGIC).array(), SIZE);
    files.put(name, bytes);
    return name;
  }

  private String add(long epoch, long ordinal, long first) {
    return add(HEAP, epoch, ordinal, first);
  }

  private List<String> left() {
    return files.open().list("log").stream().map(name -> "log/" + name).toList();
  }

  private int prune(long epoch, long lsn) {
    return ArchivePruning.deleteBefore(files.open(), HEAP, new EpochStart(epoch, lsn, 0));
  }

  @Test
  void theSegmentWithTheStartStaysAndAllAfterIt() {
    for (long lsn : new long[] {0, 1, 1023, 1024, 1025, 2047, 2048, 2056, 50_000}) {
      left().forEach(files::remove);
      number = 0;
      List<String> all = new ArrayList<>();
      for (int ordinal = 1; ordinal <= 4; ordinal++) {
        all.add(add(3, ordinal, (ordinal - 1) * 1024L));
      }
      int gone = (int) Math.min(3, lsn / 1024);
      assertThat(prune(3, lsn)).as("LSN %s", lsn).isEqualTo(gone);
      assertThat(left()).containsExactlyInAnyOrderElementsOf(all.subList(gone, 4));
    }
  }

  @Test
  void earlierEpochsAreDeletedAndLaterOnesKept() {
    String early = add(1, 1, 0);
    String longer = add(1, 9, 704);
    String before = add(2, 1, 768);
    String first = add(3, 1, 1024);
    String start = add(3, 2, 2048);
    String next = add(3, 3, 3072);
    String later = add(4, 1, 2560);
    String latest = add(9, 1, 2048);
    assertThat(left()).hasSize(8).contains(early, longer, before, first);
    files.changes();
    assertThat(prune(3, 2560)).isEqualTo(4);
    assertThat(left()).containsExactlyInAnyOrder(start, next, later, latest);
    assertThat(files.changes())
        .containsExactlyInAnyOrder(
            "delete " + early,
            "delete " + longer,
            "delete " + before,
            "delete " + first,
            "syncDirectory log")
        .last()
        .isEqualTo("syncDirectory log");
    assertThat(prune(3, 2560)).as("again").isZero();
    assertThat(files.changes()).isEmpty();
  }

  @Test
  void anArchiveThatBeginsLaterIsKept() {
    add(3, 1, 1024);
    add(3, 2, 2048);
    add(2, 1, 0);
    assertThat(prune(3, 1023)).isZero();
    assertThat(prune(4, 5000)).as("an epoch that it does not have").isZero();
    assertThat(prune(1, 5000)).isZero();
    assertThat(left()).hasSize(3);
  }

  /** A damaged header says nothing: salvage may still read the segment. */
  @Test
  void segmentsOfOthersAndDamagedOnesAreKept() {
    String old = add(3, 1, 0);
    String start = add(3, 2, 1024);
    String foreign = add(new UUID(1, 3), 2, 1, 0);
    String damaged = add(2, 1, 0);
    byte[] bytes = files.bytes(damaged);
    bytes[50]++;
    files.put(damaged, bytes);
    String cut = add(2, 2, 0);
    files.put(cut, Arrays.copyOf(files.bytes(cut), SIZE - 4096));
    files.put("log/notes", new byte[3]);
    files.put("times", new byte[3]);
    assertThat(prune(3, 1024)).isOne();
    assertThat(left())
        .containsExactlyInAnyOrder(start, foreign, damaged, cut, "log/notes")
        .doesNotContain(old);
    assertThat(files.names()).containsExactly("times");
  }
}
