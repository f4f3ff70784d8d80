package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.fail;

import io.everheap.collection.DurableMap;
import io.everheap.encryption.KeyProvider;
import io.everheap.engine.HeapCopy;
import io.everheap.error.EverheapException;
import io.everheap.error.PoisonedException;
import io.everheap.heap.HeapSettings;
import io.everheap.heap.OpenHeap;
import io.everheap.report.VerifyReport;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A heap whose files were damaged in any way can be opened, read, checked, written and closed, or
 * says why not: whatever it does ends in data or in an exception of the library, in bounded time
 * and memory. What damage to the log or the superblocks leaves is what some commit left.
 */
@Campaign
class DamageFuzzTest {
  /** More cases: -Deverheap.crash.effort=20. */
  private static final int EFFORT = Integer.getInteger("everheap.crash.effort", 1);

  private static final long FIRST_SEED = Long.getLong("everheap.damage.seed", 0);

  /** Against endless loops. */
  private static final Duration HANG = Limit.of(Duration.ofMinutes(3));

  private static final int ENTRIES = 150;

  private static final KeyProvider KEY = KeyProvider.of(new byte[32]);

  @TempDir Path temp;
  private Path killed;
  private Path closed;

  record Person(String name, int age, List<String> mails) {}

  private static Heap open(Path directory, boolean readOnly) {
    HeapBuilder builder =
        HeapSettings.options(Heap.builder(directory), TestHeaps.manual())
            .lookup(MethodHandles.lookup());
    if (Files.exists(directory.resolve("keys"))) {
      builder.encrypt(KEY);
    }
    return readOnly ? builder.readOnly().open() : builder.open();
  }

  @BeforeEach
  void makeHeaps() {
    closed = temp.resolve("closed");
    killed = temp.resolve("killed");
    try (Heap heap = open(closed, false)) {
      heap.transact(
          () -> {
            TestHeaps.put(heap, 0, ENTRIES);
            DurableMap<Long, Long> words = heap.map("words", Long.class, Long.class);
            for (long i = 0; i < 1500; i++) {
              words.put(i, -i);
            }
            DurableMap<String, byte[]> large = heap.map("large", String.class, byte[].class);
            for (int i = 0; i < 2; i++) {
              large.put("large " + i, new byte[(1 << 20) + 100_000 * i]);
            }
            large.put("pages", new byte[50_000]);
            DurableMap<String, Person> people = heap.map("people", String.class, Person.class);
            for (int i = 0; i < 40; i++) {
              people.put("p" + i, new Person("name " + i, i, List.of("a@" + i, "ü@" + i)));
            }
            heap.map("gone", Long.class, String.class).put(1L, "one");
          });
      DurableMap<Long, String> pending = heap.map("pending", Long.class, String.class);
      heap.transact(
          () -> {
            for (long i = 0; i < 6000; i++) {
              pending.put(i, "v");
            }
          });
      heap.remove("gone");
      heap.checkpoint();
      heap.remove("pending"); // too much for one transaction: stays on the list
      TestHeaps.put(heap, ENTRIES, ENTRIES + 10);
      HeapCopy.killed(closed, killed);
    }
  }

  @Test
  void aDamagedHomeImage() throws IOException {
    for (int i = 0; i < 24 * EFFORT; i++) {
      long seed = FIRST_SEED + i;
      Path heap = HeapCopy.killed(i % 2 == 0 ? closed : killed, temp.resolve("copy"));
      use(heap, HeapDamage.anywhere(seed, heap.resolve("heap"), 8192), i % 5 == 0, false);
    }
  }

  @Test
  void damagedSuperblocksWithTheRightChecksum() throws IOException {
    for (int i = 0; i < 12 * EFFORT; i++) {
      long seed = FIRST_SEED + i;
      Path heap = HeapCopy.killed(i % 2 == 0 ? closed : killed, temp.resolve("copy"));
      use(heap, HeapDamage.superblocks(seed, heap.resolve("heap")), i % 5 == 0, false);
    }
  }

  @Test
  void aDamagedLog() throws IOException {
    for (int i = 0; i < 12 * EFFORT; i++) {
      long seed = FIRST_SEED + i;
      Path heap = HeapCopy.killed(i % 4 == 0 ? closed : killed, temp.resolve("copy"));
      List<Path> files = logFiles(heap);
      Path file = files.get(i % files.size());
      use(heap, HeapDamage.anywhere(seed, file, 0), i % 5 == 0, true);
    }
  }

  /** What somebody makes who knows the format, and the key if the heap is encrypted. */
  @Test
  void aHomeImageWithTheRightChecksums() throws IOException {
    for (int i = 0; i < 12 * EFFORT; i++) {
      Path heap = HeapCopy.killed(i % 2 == 0 ? closed : killed, temp.resolve("copy"));
      String damage = HeapDamage.anywhere(FIRST_SEED + i, heap.resolve("heap"), 8192);
      HeapForger.checksums(heap);
      use(encryptedNowAndThen(heap, i), damage, i % 5 == 0, false);
    }
  }

  @Test
  void aLogWithTheRightChecksums() throws IOException {
    for (int i = 0; i < 12 * EFFORT; i++) {
      Path heap = HeapCopy.killed(killed, temp.resolve("copy"));
      String damage = HeapForger.log(FIRST_SEED + i, heap);
      use(encryptedNowAndThen(heap, i / 2), damage, i % 5 == 0, false);
    }
  }

  private Path encryptedNowAndThen(Path heap, int number) throws IOException {
    if (number % 4 < 2) {
      return heap;
    }
    Path sealed = temp.resolve("sealed");
    HeapForger.seal(heap, sealed, KEY);
    delete(heap);
    return sealed;
  }

  /** Changes that change nothing leave a heap that is sound. */
  @Test
  void forgingWithoutDamageChangesNothing() throws IOException {
    Path heap = HeapCopy.killed(closed, temp.resolve("copy"));
    HeapForger.checksums(heap);
    Path sealed = temp.resolve("sealed");
    HeapForger.seal(heap, sealed, KEY);
    for (Path each : List.of(heap, sealed)) {
      try (Heap open = open(each, false)) {
        assertThat(open.verify().problems()).isEmpty();
        READS.forEach(read -> read.on(open));
      }
    }
  }

  private static List<Path> logFiles(Path heap) throws IOException {
    try (Stream<Path> files = Files.list(heap.resolve("log"))) {
      return Stream.concat(files, Stream.of(heap.resolve("ring"))).sorted().toList();
    }
  }

  private static void use(Path heap, String damage, boolean readOnly, boolean exact)
      throws IOException {
    try {
      assertTimeoutPreemptively(
          HANG,
          () -> {
            openReadAndWrite(heap, readOnly, exact);
            openReadAndWrite(heap, true, false); // what was written is not damaged twice
          },
          damage);
    } catch (RuntimeException | Error e) {
      fail(damage + " ends in " + e, e);
    }
    delete(heap);
  }

  private static void delete(Path heap) throws IOException {
    try (Stream<Path> all = Files.walk(heap)) {
      for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static void openReadAndWrite(Path directory, boolean readOnly, boolean exact) {
    Heap heap;
    try {
      heap = open(directory, readOnly);
    } catch (EverheapException e) {
      assertNamed(e);
      return;
    }
    VerifyReport report = heap.verify();
    if (exact) {
      assertThat(report.problems()).isEmpty();
    }
    for (Operation read : READS) {
      run(() -> read.on(heap), exact);
    }
    if (!readOnly) {
      for (Operation write : WRITES) {
        run(() -> write.on(heap), false);
      }
      OpenHeap.engine(heap).drainHousekeeping();
    }
    run(heap::close, false);
  }

  private static void run(Runnable action, boolean exact) {
    try {
      action.run();
    } catch (EverheapException e) {
      assertNamed(e);
      assertThat(exact).as("%s", e).isFalse();
    }
  }

  /** Also a heap that poisons itself must do so for a reason that it can name. */
  private static void assertNamed(EverheapException e) {
    assertThat(e.code()).startsWith("EH-");
    assertThat(e.getMessage()).isNotBlank();
    @Nullable Throwable cause = e.getCause();
    if (e instanceof PoisonedException && cause != null) {
      assertThat(cause).isInstanceOf(EverheapException.class);
    }
  }

  private interface Operation {
    void on(Heap heap);
  }

  /** A damaged map may list a name that it does not find, which no caller could have known. */
  private static void listed(Heap heap, String name) {
    try {
      heap.entries(name).forEach(entry -> {});
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessage("no root named " + name);
    }
  }

  private static final List<Operation> READS =
      List.of(
          Heap::stats,
          Heap::roots,
          heap -> heap.names().forEach(name -> listed(heap, name)),
          heap -> {
            DurableMap<Integer, String> numbers = TestHeaps.numbers(heap);
            for (int i = 0; i < ENTRIES; i++) {
              numbers.get(i);
            }
          },
          heap -> {
            DurableMap<Long, Long> words = heap.map("words", Long.class, Long.class);
            for (long i = 0; i < 1600; i++) {
              words.get(i);
            }
          },
          heap -> heap.map("words", Long.class, Long.class).forEach((key, value) -> {}),
          heap -> heap.map("large", String.class, byte[].class).forEach((key, value) -> {}),
          heap -> heap.map("people", String.class, Person.class).get("p7"),
          heap -> heap.read(heap::names));

  private static final List<Operation> WRITES =
      List.of(
          heap -> TestHeaps.put(heap, ENTRIES + 10, ENTRIES + 14),
          heap -> TestHeaps.numbers(heap).keySet().removeIf(key -> key % 3 == 0),
          heap -> TestHeaps.numbers(heap).replaceAll((key, value) -> value + value),
          heap ->
              heap.transact(
                  () -> {
                    DurableMap<Long, Long> words = heap.map("words", Long.class, Long.class);
                    for (long i = 1000; i < 3000; i++) {
                      words.put(i, i);
                    }
                  }),
          heap -> heap.map("words", Long.class, Long.class).remove(17L),
          heap -> heap.map("large", String.class, byte[].class).put("large 1", new byte[1_200_000]),
          heap -> heap.map("large", String.class, byte[].class).remove("large 0"),
          heap -> heap.map("people", String.class, Person.class).clear(),
          heap -> heap.map("new", String.class, int[].class).put("x", new int[2000]),
          heap -> OpenHeap.engine(heap).drainHousekeeping(),
          heap -> heap.remove("large"),
          heap -> heap.remove("words"),
          Heap::checkpoint,
          Heap::shrink,
          heap -> heap.transact(() -> heap.map("more", Long.class, Long.class).put(1L, 1L)),
          Heap::verify);

  @Test
  void withoutDamageAllOfItWorks() {
    try (Heap heap = open(killed, false)) {
      READS.forEach(read -> read.on(heap));
      assertThat(heap.verify().problems()).isEmpty();
      assertThat(heap.map("large", String.class, byte[].class).get("large 1"))
          .hasSize((1 << 20) + 100_000);
      WRITES.forEach(write -> write.on(heap));
      assertThat(heap.verify().problems()).isEmpty();
      assertThat(heap.entries("new")).extracting(Map.Entry::getKey).containsExactly("x");
    }
  }
}
