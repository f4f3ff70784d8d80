package io.everheap.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.support.Seeds;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.infinispan.commons.io.ByteBuffer;
import org.infinispan.commons.io.ByteBufferImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Entries of a segment at their deadlines, a millisecond before and after. */
class SegmentTimesTest {
  private static final long DEADLINE = 1_000_000;

  private Heap heap;
  private Segment segment;

  @BeforeEach
  void open() {
    heap = Heap.inMemory();
    segment = Segment.open(heap, "segment");
  }

  @AfterEach
  void close() {
    heap.close();
  }

  private static ByteBuffer key(int number) {
    return ByteBufferImpl.create(new byte[] {1, (byte) number});
  }

  private static StoredEntry entry(long deadline, int length) {
    return new StoredEntry(deadline, 5, 6, ByteBufferImpl.create(new byte[length]), null, null);
  }

  private void put(int number, long deadline, int length) {
    heap.transact(() -> segment.put(key(number), entry(deadline, length)));
  }

  private void put(int number, long deadline) {
    put(number, deadline, 10);
  }

  private boolean remove(int number, long now) {
    return heap.transact(() -> segment.remove(key(number), now));
  }

  private List<Integer> purge(long now, int most, long bytes) {
    List<Segment.Keyed> purged = heap.transact(() -> segment.purge(now, most, bytes));
    return purged.stream().map(keyed -> (int) keyed.key().getBuf()[1]).toList();
  }

  @Test
  void anEntryIsExpiredFromItsDeadlineOn() {
    StoredEntry mortal = entry(DEADLINE, 1);
    assertThat(mortal.isMortal()).isTrue();
    assertThat(mortal.isExpired(DEADLINE - 1)).isFalse();
    assertThat(mortal.isExpired(DEADLINE)).isTrue();
    assertThat(mortal.isExpired(DEADLINE + 1)).isTrue();
    StoredEntry immortal = entry(StoredEntry.NEVER, 1);
    assertThat(immortal.isMortal()).isFalse();
    assertThat(immortal.isExpired(Long.MAX_VALUE)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"-1, true", "0, false", "1, false"})
  void anEntryIsRemovedAndWasThereBeforeItsDeadlineOnly(long beside, boolean there) {
    put(1, DEADLINE);
    put(2, StoredEntry.NEVER);
    assertThat(remove(1, DEADLINE + beside)).isEqualTo(there);
    assertThat(segment.get(key(1))).isNull();
    assertThat(remove(1, DEADLINE - 1)).as("once more").isFalse();
    assertThat(remove(2, Long.MAX_VALUE)).as("an immortal one").isTrue();
    assertThat(segment.sizeWithExpired()).isZero();
    assertThat(segment.hasExpired(Long.MAX_VALUE)).isFalse();
  }

  @Test
  void whatIsExpiredIsCountedAndPurgedFromItsDeadlineOn() {
    put(1, DEADLINE - 1);
    put(2, DEADLINE);
    put(3, DEADLINE);
    put(4, DEADLINE + 1);
    put(5, StoredEntry.NEVER);
    assertThat(segment.size(DEADLINE - 2)).isEqualTo(5);
    assertThat(segment.hasExpired(DEADLINE - 2)).isFalse();
    assertThat(segment.size(DEADLINE - 1)).isEqualTo(4);
    assertThat(segment.hasExpired(DEADLINE - 1)).isTrue();
    assertThat(segment.size(DEADLINE)).isEqualTo(2);
    assertThat(segment.size(DEADLINE + 1)).isEqualTo(1);
    assertThat(segment.size(Long.MAX_VALUE)).isEqualTo(1);
    assertThat(segment.sizeWithExpired()).isEqualTo(5);
    assertThat(purge(DEADLINE - 2, 10, 1000)).isEmpty();
    assertThat(purge(DEADLINE, 10, 1000)).containsExactly(1, 2, 3);
    assertThat(segment.sizeWithExpired()).isEqualTo(2);
    assertThat(segment.size(DEADLINE)).isEqualTo(2);
    assertThat(purge(DEADLINE, 10, 1000)).isEmpty();
    assertThat(purge(Long.MAX_VALUE, 10, 1000)).containsExactly(4);
    assertThat(segment.get(key(5))).isNotNull();
  }

  /** No more than so many, and none after so many bytes. */
  @ParameterizedTest
  @CsvSource({
    "0, 100, 0",
    "1, 100, 1",
    "4, 100, 4",
    "5, 100, 4",
    "9, 0, 0",
    "9, 1, 1",
    "9, 10, 1",
    "9, 11, 2",
    "9, 20, 2",
    "9, 21, 3"
  })
  void aPurgeHasLimits(int most, long bytes, int purged) {
    for (int i = 1; i <= 4; i++) {
      put(i, DEADLINE + i, 10);
    }
    assertThat(purge(DEADLINE + 100, most, bytes)).hasSize(purged);
    assertThat(segment.sizeWithExpired()).isEqualTo(4 - purged);
    assertThat(segment.size(DEADLINE + 100)).isZero();
    assertThat(segment.size(DEADLINE + purged)).as("the earliest go first").isEqualTo(4 - purged);
  }

  @Test
  void theLastDeadlineCounts() {
    put(1, DEADLINE);
    put(1, DEADLINE + 10); // later
    assertThat(purge(DEADLINE + 9, 10, 1000)).isEmpty();
    put(1, DEADLINE); // sooner
    assertThat(segment.size(DEADLINE)).isZero();
    put(1, StoredEntry.NEVER);
    assertThat(segment.size(Long.MAX_VALUE)).isEqualTo(1);
    assertThat(segment.hasExpired(Long.MAX_VALUE)).isFalse();
    put(1, DEADLINE, 20); // mortal again
    put(1, DEADLINE, 30); // with the same deadline
    assertThat(purge(DEADLINE, 10, 1000)).containsExactly(1);
    assertThat(segment.sizeWithExpired()).isZero();
  }

  @Test
  void anEmptiedSegmentHasNothingThatExpires() {
    put(1, DEADLINE);
    put(2, StoredEntry.NEVER);
    heap.transact(segment::clear);
    assertThat(segment.hasExpired(Long.MAX_VALUE)).isFalse();
    put(1, StoredEntry.NEVER);
    assertThat(segment.size(Long.MAX_VALUE)).isEqualTo(1);
    assertThat(purge(Long.MAX_VALUE, 10, 1000)).isEmpty();
  }

  @Test
  void whatIsStoredOfAnEntryIsReadAgain() {
    for (long deadline : new long[] {StoredEntry.NEVER, 1, DEADLINE, Long.MAX_VALUE}) {
      for (long created : new long[] {-1, 0, 7}) {
        for (long used : new long[] {-1, 0, 8}) {
          var stored =
              new StoredEntry(
                  deadline,
                  created,
                  used,
                  ByteBufferImpl.create(new byte[] {1}),
                  deadline % 2 == 0 ? ByteBufferImpl.create(new byte[] {2, 3}) : null,
                  created == 7 ? ByteBufferImpl.create(new byte[] {4}) : null);
          heap.transact(() -> segment.put(key(9), stored));
          assertThat(segment.get(key(9))).isEqualTo(stored);
        }
      }
    }
  }

  @Test
  void entriesAreCountedAndPurgedWhateverWasDone() {
    Random random = new Random(Seeds.seed());
    Map<Integer, Long> model = new TreeMap<>();
    long now = DEADLINE;
    for (int step = 0; step < 400; step++) {
      now += random.nextInt(3);
      int number = random.nextInt(12);
      switch (random.nextInt(6)) {
        case 0, 1, 2 -> {
          long deadline = random.nextInt(4) == 0 ? StoredEntry.NEVER : now + random.nextInt(12);
          put(number, deadline);
          model.put(number, deadline);
        }
        case 3 -> {
          Long deadline = model.remove(number);
          assertThat(remove(number, now)).isEqualTo(deadline != null && !isOver(deadline, now));
        }
        case 4 -> {
          long at = now;
          List<Integer> expected =
              model.keySet().stream().filter(k -> isOver(model.get(k), at)).toList();
          assertThat(segment.hasExpired(now)).isEqualTo(!expected.isEmpty());
          assertThat(purge(now, 100, 10_000)).hasSameElementsAs(expected);
          model.keySet().removeAll(expected);
        }
        default -> {
          if (random.nextInt(10) == 0) {
            heap.transact(segment::clear);
            model.clear();
          }
        }
      }
      long at = now;
      assertThat(segment.sizeWithExpired()).isEqualTo(model.size());
      assertThat(segment.size(now))
          .isEqualTo(model.values().stream().filter(end -> !isOver(end, at)).count());
      assertThat(segment.get(key(number)) == null).isEqualTo(!model.containsKey(number));
    }
    Map<Integer, Long> found = new TreeMap<>();
    segment
        .iterator(
            failure -> {
              throw failure;
            })
        .forEachRemaining(
            keyed -> found.put((int) keyed.key().getBuf()[1], keyed.entry().deadline()));
    assertThat(found)
        .isEqualTo(
            model.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
  }

  private static boolean isOver(long deadline, long now) {
    return deadline != StoredEntry.NEVER && deadline <= now;
  }
}
