package io.everheap.salvage;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.TestHeaps;
import io.everheap.collection.DurableMap;
import io.everheap.engine.HeapCopy;
import io.everheap.error.EverheapException;
import io.everheap.heap.OpenHeap;
import io.everheap.report.VerifyProgress;
import io.everheap.structure.map.MapPlaces;
import io.everheap.structure.names.NameTables;
import io.everheap.structure.names.TypeTable;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random damage: what is saved was stored, as far as the bytes of a value can tell, and where the
 * pages of an entry and of its map's header are whole, it is saved, or reported as one that could
 * belong to several maps.
 *
 * <p>A value says which key it belongs to and has a sum of itself, so that the test knows a flipped
 * bit in it from a wrong entry. A report that calls itself complete holds no wrong value.
 */
@Campaign
class SalvagePropertyTest {
  /** More find more: -Deverheap.salvages=1000. */
  private static final int ROUNDS = Integer.getInteger("everheap.salvages", 10);

  private static final int ENTRIES = 1500;
  private static final int PAGE = 4096;

  @TempDir Path temp;
  private Path closed;

  /** Pages of the home file that hold the map's header, and those of each entry. */
  private final Map<String, Set<Long>> headers = new HashMap<>();

  private final Map<String, Set<Long>> entries = new HashMap<>();

  @BeforeEach
  void makeHeap() {
    closed = temp.resolve("closed");
    try (Heap heap = TestHeaps.open(closed)) {
      for (String name : List.of("one", "two", "three")) {
        DurableMap<Long, String> map = heap.map(name, Long.class, String.class);
        heap.transact(
            () -> {
              for (long i = 0; i < ENTRIES; i++) {
                map.put(i, value(name, i));
              }
            });
        MapPlaces places =
            MapPlaces.of(
                heap,
                TypeTable.names(OpenHeap.structures(heap), NameTables.ROOTS_WORD)
                    .orElseThrow()
                    .get(name));
        headers.put(name, Set.of(places.header() / PAGE));
        for (MapPlaces.Chain chain : places.chains()) {
          for (long node : chain.nodes()) {
            long key = OpenHeap.engine(heap).memory().getLong(node + MapPlaces.KEY);
            long end = node + 16 + 8 + 8 + value(name, key).length() + 16;
            Set<Long> pages = new HashSet<>();
            for (long page = node / PAGE; page <= end / PAGE; page++) {
              pages.add(page);
            }
            pages.add(node / (256 << 10) * 64); // the bitmap, for what is found by scanning
            entries.put(name + key, pages);
          }
        }
      }
    }
  }

  private static String value(String name, long key) {
    String text = name + " " + key + " " + "x".repeat((int) (key % 90));
    return text + " " + text.hashCode();
  }

  private static boolean isValue(String value) {
    int end = value.lastIndexOf(' ');
    return end > 0
        && value.substring(end + 1).equals(String.valueOf(value.substring(0, end).hashCode()));
  }

  @Test
  void zeroedPagesOfAClosedHeapLoseTheirOwnEntriesOnly() throws IOException {
    for (int seed = 0; seed < ROUNDS; seed++) {
      Random random = new Random(seed);
      Path damaged = HeapCopy.killed(closed, temp.resolve("zeroed" + seed));
      long pages = Files.size(damaged.resolve("heap")) / PAGE;
      Set<Long> hit = new HashSet<>();
      for (int i = random.nextInt(4); i >= 0; i--) {
        long page = 64 + random.nextLong(pages - 64); // the catalog and the tables: SalvageTest
        hit.add(page);
        TestHeaps.write(damaged.resolve("heap"), page * PAGE, ByteBuffer.allocate(PAGE));
      }
      check("seed " + seed, damaged, hit);
    }
  }

  @Test
  void flippedBitsAnywhereNeverMakeAnEntryOfAnotherKey() throws IOException {
    for (int seed = 0; seed < ROUNDS; seed++) {
      Random random = new Random(1000 + seed);
      Path damaged = HeapCopy.killed(closed, temp.resolve("flipped" + seed));
      List<Path> files;
      try (Stream<Path> all = Files.walk(damaged)) {
        files = new ArrayList<>(all.filter(Files::isRegularFile).sorted().toList());
      }
      files.add(damaged.resolve("heap"));
      files.add(damaged.resolve("heap"));
      for (int i = random.nextInt(20); i >= 0; i--) {
        Path file = files.get(random.nextInt(files.size()));
        if (Files.size(file) > 0) {
          TestHeaps.flip(file, random.nextLong(Files.size(file)), 1 << random.nextInt(8));
        }
      }
      check("seed " + (1000 + seed), damaged, null);
    }
  }

  @Test
  void aTruncatedHomeFileAndLostSegmentsEndInAReport() throws IOException {
    for (int seed = 0; seed < ROUNDS / 3; seed++) {
      Random random = new Random(2000 + seed);
      Path damaged = HeapCopy.killed(closed, temp.resolve("cut" + seed));
      Path heap = damaged.resolve("heap");
      TestHeaps.truncate(heap, random.nextLong(Files.size(heap)));
      try (Stream<Path> segments = Files.list(damaged.resolve("log"))) {
        for (Path segment : segments.toList()) {
          if (random.nextInt(3) == 0) {
            Files.delete(segment);
          }
        }
      }
      check("seed " + (2000 + seed), damaged, null);
    }
  }

  /** Salvages, and compares with what was stored; {@code hit} are the pages that are damaged. */
  private void check(String what, Path damaged, Set<Long> hit) {
    Path saved = damaged.resolveSibling(damaged.getFileName() + "-saved");
    SalvageReport report;
    try {
      report = Salvage.run(damaged, saved, TestHeaps.builder(saved), VerifyProgress.NONE);
    } catch (EverheapException e) {
      assertThat(hit).as("%s: %s", what, e).isNull();
      return;
    }
    try (Heap heap = TestHeaps.builder(saved).readOnly().open()) {
      long missing = 0;
      long wrong = 0;
      for (String name : headers.keySet()) {
        Map<Object, Object> found = new HashMap<>();
        if (heap.contains(name)) {
          heap.entries(name).forEach(e -> found.put(e.getKey(), e.getValue()));
        }
        assertTrue(what, name, found);
        wrong += found.values().stream().filter(v -> !isValue((String) v)).count();
        if (hit != null && headers.get(name).stream().noneMatch(hit::contains)) {
          missing += missing(name, found, hit);
        }
      }
      if (wrong > 0) {
        assertThat(report.complete()).as("%s: %d values are wrong", what, wrong).isFalse();
      }
      String reported = what + ": entries of whole pages that are neither saved nor unassigned";
      assertThat(missing).as(reported).isLessThanOrEqualTo(report.unassigned());
    }
  }

  private static void assertTrue(String what, String name, Map<Object, Object> found) {
    found.forEach(
        (key, value) -> {
          if (isValue((String) value)) {
            assertThat(value).as("%s, key %s", what, key).isEqualTo(value(name, (Long) key));
          }
        });
    assertThat(found.size()).isLessThanOrEqualTo(ENTRIES);
  }

  /** How many entries are not there although all of their pages are whole. */
  private long missing(String name, Map<Object, Object> found, Set<Long> hit) {
    long missing = 0;
    for (long key = 0; key < ENTRIES; key++) {
      boolean whole = entries.get(name + key).stream().noneMatch(hit::contains);
      missing += whole && !found.containsKey(key) ? 1 : 0;
    }
    return missing;
  }
}
