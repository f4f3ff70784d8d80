package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import io.everheap.collection.DurableMap;
import io.everheap.engine.HeapCopy;
import io.everheap.error.EverheapException;
import io.everheap.report.VerifyReport;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One flipped bit anywhere in a heap. In its log, its ring or its superblocks it is noticed, or
 * does no harm: what is read is what some commit left. In the home image it may go unnoticed, or
 * change what is read: the checksums there are those of pages, not of reads, by design. But
 * wherever it is, opening, checking and reading end in data or in an exception of the library, in
 * bounded time and memory.
 */
@Campaign
class BitFlipTest {
  private static final int ENTRIES = 120;

  /** More find more: -Deverheap.bitflips=10000. */
  private static final int SEEDS = Integer.getInteger("everheap.bitflips", 120);

  private static final String LARGE = "large ".repeat(3000);

  @TempDir Path temp;
  private Path killed;
  private Path closed;

  @BeforeEach
  void makeHeaps() {
    closed = temp.resolve("closed");
    killed = temp.resolve("killed");
    try (Heap heap = TestHeaps.open(closed)) {
      TestHeaps.put(heap, 0, ENTRIES / 2);
      DurableMap<String, byte[]> other = heap.map("other", String.class, byte[].class);
      heap.transact(
          () -> {
            for (int i = 0; i < 100; i++) {
              other.put("key " + i, new byte[i * 10]);
            }
            heap.map("text", Integer.class, String.class).put(1, LARGE);
          });
      heap.checkpoint();
      other.keySet().removeIf(key -> key.endsWith("7"));
      TestHeaps.put(heap, ENTRIES / 2, ENTRIES);
      HeapCopy.killed(closed, killed);
    }
  }

  @Test
  void oneBitOfAKilledHeapThatIsRead() throws Exception {
    flipAndRead(killed);
  }

  @Test
  void oneBitOfAClosedHeapThatIsRead() throws Exception {
    flipAndRead(closed);
  }

  @Test
  void oneBitOfAKilledHeapThatIsRecovered() throws Exception {
    flipAndWrite(killed);
  }

  @Test
  void oneBitOfAClosedHeapThatIsWritten() throws Exception {
    flipAndWrite(closed);
  }

  private static void flipAndRead(Path heap) throws IOException {
    List<Path> files = files(heap);
    for (int seed = 0; seed < SEEDS; seed++) {
      Flip flip = Flip.choose(seed, heap, files);
      flip.apply(heap);
      flip.check(() -> TestHeaps.openReadOnly(heap), BitFlipTest::readAll);
      flip.apply(heap);
    }
    TestHeaps.assertHolds(heap, ENTRIES);
  }

  private void flipAndWrite(Path heap) throws IOException {
    List<Path> files = files(heap);
    for (int seed = SEEDS; seed < SEEDS + SEEDS / 6; seed++) {
      Path copy = HeapCopy.killed(heap, temp.resolve("copy " + seed));
      Flip flip = Flip.choose(seed, heap, files);
      flip.apply(copy);
      flip.check(
          () -> TestHeaps.open(copy),
          opened -> {
            int found = readAll(opened);
            TestHeaps.put(opened, ENTRIES, ENTRIES + 3);
            opened.map("text", Integer.class, String.class).remove(1);
            opened.remove("other");
            opened.checkpoint();
            opened.shrink();
            return found;
          });
      delete(copy);
    }
  }

  private static List<Path> files(Path heap) throws IOException {
    try (Stream<Path> all = Files.walk(heap)) {
      return all.filter(Files::isRegularFile)
          .map(heap::relativize)
          .filter(file -> !file.toString().equals("owner") && !file.toString().equals("lock"))
          .sorted()
          .toList();
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path file : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private interface Opening {
    Heap open();
  }

  private interface Reading {
    /** Returns how many entries there are, or -1 if they are not those of any commit. */
    int read(Heap heap);
  }

  /** A bit of a file of the heap. */
  private record Flip(int seed, Path file, long offset, int bit) {
    static Flip choose(int seed, Path heap, List<Path> files) throws IOException {
      Random random = new Random(seed);
      Path file = files.get(random.nextInt(files.size()));
      if (random.nextInt(3) == 0) {
        file = Path.of("heap");
      }
      byte[] bytes = Files.readAllBytes(heap.resolve(file));
      int offset = random.nextInt(bytes.length);
      if (random.nextInt(8) != 0) { // most bytes are zeros that nobody reads
        for (int i = 0; i < bytes.length && bytes[offset] == 0; i++) {
          offset = (offset + 1) % bytes.length;
        }
        offset = Math.max(0, offset - random.nextInt(8));
      }
      return new Flip(seed, file, offset, 1 << random.nextInt(8));
    }

    void apply(Path heap) {
      TestHeaps.flip(heap.resolve(file), offset, bit);
    }

    void check(Opening opening, Reading reading) {
      try (Heap heap = opening.open()) {
        int entries = reading.read(heap);
        if (!inHomeImage()) {
          assertThat(entries).as("entries after %s", this).isBetween(ENTRIES / 2, ENTRIES);
        }
      } catch (EverheapException e) {
        assertThat(e.getMessage()).as("%s", this).isNotBlank();
        assertThat(e.code()).as("%s", this).startsWith("EH-");
      } catch (RuntimeException | Error e) {
        fail(this + " ends in " + e, e);
      }
    }

    private boolean inHomeImage() {
      return file.equals(Path.of("heap")) && offset >= 8192;
    }
  }

  /** Reads all that there is in every way. */
  private static int readAll(Heap heap) {
    VerifyReport report = heap.verify();
    heap.stats();
    Map<Integer, String> found = new HashMap<>();
    for (String name : heap.names()) {
      switch (name) {
        case TestHeaps.NAME -> {
          found.putAll(TestHeaps.numbers(heap));
          for (int i = 0; i < ENTRIES; i++) {
            found.put(-1, String.valueOf(TestHeaps.numbers(heap).get(i)));
          }
          found.remove(-1);
        }
        case "other" -> {
          DurableMap<String, byte[]> other = heap.map(name, String.class, byte[].class);
          other.forEach(
              (key, value) -> assertThat(other.containsKey(key + value.length)).isFalse());
          assertThat(other.size()).isNotNegative();
        }
        case "text" -> assertThat(heap.map(name, Integer.class, String.class).values()).isNotNull();
        default -> assertThat(heap.contains(name)).isTrue();
      }
    }
    // Checksums notice what nobody reads, themselves included; what is read must be right then.
    boolean isSound =
        report.problems().stream()
            .allMatch(p -> p.kind().equals("superblock") || p.kind().equals("checksum"));
    boolean sound = isSound && found.equals(TestHeaps.expected(found.size()));
    return sound ? found.size() : -1;
  }
}
