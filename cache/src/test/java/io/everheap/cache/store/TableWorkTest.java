package io.everheap.cache.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.cache.policy.Lru;
import io.everheap.memory.FileMedium;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An insertion looks at few entries, whatever the sizes of segments and values are. */
class TableWorkTest {
  private static final int MIB = 1 << 20;
  private static final int FEW = 64; // entries for each insertion

  @TempDir Path directory;

  private BlockStore open(int segment, int capacity) {
    var options =
        new BlockStore.Options(
            segment,
            false,
            null,
            null,
            () -> 1,
            (entries, granules) -> new Lru(entries),
            null,
            cause -> false,
            null);
    BlockStore store =
        BlockStore.open(
            List.of(new Place(FileMedium.open(directory, false, true), capacity)), options);
    store.awaitIndexed();
    return store;
  }

  private static Draft allocate(BlockStore store, int key, int length) {
    byte[] name = ("key " + key).getBytes(StandardCharsets.US_ASCII);
    return Objects.requireNonNull(store.allocate(name, store.hash(name), length));
  }

  private static void insert(BlockStore store, int key, int length) {
    Draft draft = allocate(store, key, length);
    draft.memory().copyFrom(MemorySegment.ofArray(new byte[length]));
    store.insert(draft, Long.MAX_VALUE);
  }

  @ParameterizedTest
  @CsvSource({"65536, 1", "65536, 100", "262144, 100", "1048576, 100", "4194304, 100"})
  void aCacheThatFillsLooksAtNoEntry(int segment, int length) {
    try (BlockStore store = open(segment, 16 * MIB)) {
      for (int key = 0; key < 10_000; key++) {
        insert(store, key, length);
      }
      assertThat(store.usage().entries()).isEqualTo(10_000);
      assertThat(store.looks()).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource({"65536, 1", "65536, 100", "262144, 100", "1048576, 100"})
  void aFullCacheLooksAtFewEntriesForEach(int segment, int length) {
    int count = 20_000;
    try (BlockStore store = open(segment, 2 * MIB)) {
      for (int key = 0; key < count; key++) {
        insert(store, key, length + key % 3 * 200);
      }
      assertThat(store.usage().entries()).isLessThan(count);
      assertThat(store.looks()).isLessThan((long) FEW * count);
    }
  }

  /** A pinned block after a table keeps it from growing: its segment is not searched again. */
  @Test
  void blocksThatAreGivenOutDoNotMakeEachInsertionSearchTheirSegments() {
    int count = 20_000;
    List<Draft> out = new ArrayList<>();
    try (BlockStore store = open(65536, MIB)) {
      for (int key = 0; key < count; key++) {
        if (key % 50 == 0 && out.size() < 60) {
          out.add(allocate(store, -key - 1, 100));
        }
        insert(store, key, 1);
      }
      assertThat(store.looks()).isLessThan((long) FEW * count);
      out.forEach(store::abandon);
    }
  }
}
