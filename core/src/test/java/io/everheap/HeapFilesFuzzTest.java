package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import io.everheap.engine.home.ChecksumLayout;
import io.everheap.error.EverheapException;
import io.everheap.error.StoppedException;
import io.everheap.heap.OpenHeap;
import io.everheap.report.VerifyReport;
import io.everheap.support.fuzz.Checksums;
import io.everheap.support.fuzz.Directories;
import io.everheap.support.fuzz.Fuzz;
import io.everheap.support.fuzz.Mutation;
import io.everheap.support.fuzz.Mutator;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every file of a heap, with and without right checksums, plain and encrypted. Whatever an input
 * does to it, opening, reading, verifying, changing and closing end in data or in an exception of
 * the library. Without right checksums nothing that was stored counts as absent, and an encrypted
 * heap returns nothing but what it had at one of its commits.
 */
@Campaign
class HeapFilesFuzzTest {
  private static final int PAGE = 4096;
  private static final long MOST_STORED = 64L << 20;

  @TempDir Path temp;
  private final List<Map<String, Object>> states = new ArrayList<>();

  private Path heap() {
    return temp.resolve("heap");
  }

  /** Computes what reads return after each commit. */
  @BeforeEach
  void model() throws Exception {
    try (Heap heap = FuzzedHeap.builder(temp.resolve("model"), false).open()) {
      var filled = new FuzzedHeap(heap);
      filled.fill();
      states.add(filled.results());
      for (int stage = 1; stage <= FuzzedHeap.STAGES; stage++) {
        filled.change(stage);
        states.add(filled.results());
      }
    }
  }

  private Fuzz<SequencedMap<String, byte[]>> fuzz(
      String target, int inputs, Mutation<SequencedMap<String, byte[]>> mutation) {
    return Fuzz.files(target, mutation)
        .inputs(inputs)
        .stored(heap(), MOST_STORED)
        .allow(EverheapException.class::isInstance);
  }

  @Test
  void filesAsTheyAre() {
    fuzz("heap-raw", 30, Mutation.files(name -> true))
        .corpus("heap")
        .run(input -> use(input, false, Oracle.STORED_IS_THERE));
  }

  /** What damage to the log leaves is what some commit left. */
  @Test
  void theLogAsItIs() {
    fuzz("heap-log-raw", 15, Mutation.files(name -> name.startsWith("log/") || name.equals("ring")))
        .corpus("heap")
        .run(input -> use(input, false, Oracle.A_COMMITTED_STATE));
  }

  @Test
  void pagesWithRightChecksums() {
    fuzz("heap-pages", 30, this::pages)
        .corpus("heap")
        .run(input -> use(input, false, Oracle.NO_MODEL));
  }

  @Test
  void superblocksWithRightChecksums() {
    fuzz("heap-superblocks", 20, HeapFilesFuzzTest::superblocks)
        .corpus("heap")
        .run(input -> use(input, false, Oracle.NO_MODEL));
  }

  @Test
  void logRecordsWithRightChecksums() {
    fuzz("heap-log", 20, this::log).corpus("heap").run(input -> use(input, false, Oracle.NO_MODEL));
  }

  @Test
  void headersWithRightChecksums() {
    fuzz("heap-headers", 15, HeapFilesFuzzTest::headers)
        .corpus("heap")
        .run(input -> use(input, false, Oracle.NO_MODEL));
  }

  @Test
  void encryptedFilesAsTheyAre() {
    Path made = temp.resolve("encrypted");
    FuzzedHeap.make(made, true);
    fuzz("heap-encrypted-raw", 15, Mutation.files(name -> true))
        .from(Directories.read(made))
        .from(Directories.read(FuzzedHeap.killed(made)))
        .run(input -> use(input, true, Oracle.A_COMMITTED_STATE));
  }

  /** The files of an encrypted heap that are not encrypted, and have a CRC. */
  @Test
  void keysAndConversionsWithRightChecksums() {
    Path made = temp.resolve("encrypted");
    FuzzedHeap.make(made, true);
    Fuzz<SequencedMap<String, byte[]>> fuzz = fuzz("heap-keys", 10, HeapFilesFuzzTest::keys);
    for (int state = 1; state <= 2; state++) {
      SequencedMap<String, byte[]> files = Directories.read(made);
      files.put("converting", converting(state));
      files.put("ring.converted", files.get("ring"));
      fuzz.from(files);
    }
    fuzz.run(input -> use(input, true, Oracle.NO_MODEL));
  }

  @Test
  void encryptedContentsWithRightTags() {
    fuzz(
            "heap-sealed",
            8,
            (input, other, mutator) ->
                mutator.random().nextBoolean()
                    ? pages(input, other, mutator)
                    : log(input, other, mutator))
        .corpus("heap")
        .run(
            input -> {
              Path sealed = temp.resolve("sealed");
              Directories.delete(sealed);
              Directories.write(input, heap());
              HeapForger.seal(heap(), sealed, FuzzedHeap.KEY);
              use(Directories.read(sealed), true, Oracle.NO_MODEL);
            });
  }

  /** Without a mutation, forging leaves a heap that is sound. */
  @Test
  void forgingChangesNothing() throws Exception {
    FuzzedHeap.make(heap(), false);
    HeapForger.checksums(heap());
    Path sealed = temp.resolve("sealed");
    HeapForger.seal(heap(), sealed, FuzzedHeap.KEY);
    for (boolean encrypted : new boolean[] {false, true}) {
      try (Heap heap = FuzzedHeap.builder(encrypted ? sealed : heap(), encrypted).open()) {
        assertThat(heap.verify().problems()).isEmpty();
        assertThat(new FuzzedHeap(heap).results()).isEqualTo(states.getLast());
      }
    }
  }

  // ---- Mutations ----------------------------------------------------------------------------

  private SequencedMap<String, byte[]> forged(SequencedMap<String, byte[]> files, Forging forging) {
    Path directory = Directories.write(files, temp.resolve("forged"));
    try {
      forging.forge(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Directories.read(directory);
  }

  private interface Forging {
    void forge(Path directory) throws IOException;
  }

  private static void put(
      SequencedMap<String, byte[]> files, String name, Mutator mutator, int from, int to) {
    byte[] bytes = files.get(name);
    files.put(name, mutator.mutateRange(bytes, from, Math.min(to, bytes.length)));
  }

  private SequencedMap<String, byte[]> pages(
      SequencedMap<String, byte[]> input, SequencedMap<String, byte[]> other, Mutator mutator) {
    SequencedMap<String, byte[]> files = new TreeMap<>(input);
    put(files, "heap", mutator, 2 * PAGE, Integer.MAX_VALUE);
    return forged(files, HeapForger::checksums);
  }

  private SequencedMap<String, byte[]> log(
      SequencedMap<String, byte[]> input, SequencedMap<String, byte[]> other, Mutator mutator) {
    long seed = mutator.random().nextLong();
    return forged(input, directory -> HeapForger.log(seed, directory));
  }

  private static SequencedMap<String, byte[]> superblocks(
      SequencedMap<String, byte[]> input, SequencedMap<String, byte[]> other, Mutator mutator) {
    SequencedMap<String, byte[]> files = new TreeMap<>(input);
    for (int slot = 0; slot < 2 * PAGE; slot += PAGE) {
      if (mutator.random().nextInt(3) > 0) {
        put(files, "heap", mutator, slot + 12, slot + 300);
        Checksums.crc32c(files.get("heap"), slot, slot + 504);
      }
    }
    return files;
  }

  /** A conversion that is prepared (1) or committed (2), with two files to delete. */
  private static byte[] converting(int state) {
    byte[] names = "ring\nheap.round".getBytes(StandardCharsets.UTF_8);
    ByteBuffer file = ByteBuffer.allocate(24 + names.length).order(ByteOrder.LITTLE_ENDIAN);
    file.putLong(0x564E_4F43_5048_5645L).putInt(1).putInt(state).putInt(names.length).put(names);
    Checksums.crc32c(file.array(), 0, 20 + names.length);
    return file.array();
  }

  private static SequencedMap<String, byte[]> keys(
      SequencedMap<String, byte[]> input, SequencedMap<String, byte[]> other, Mutator mutator) {
    SequencedMap<String, byte[]> files = new TreeMap<>(input);
    String name = mutator.random().nextBoolean() ? "keys" : "converting";
    int crc = files.get(name).length - 4;
    put(files, name, mutator, 8, crc);
    Checksums.crc32c(files.get(name), 0, crc);
    return files;
  }

  /** Headers of segments of the log, of the ring and of the set of changed pages. */
  private static SequencedMap<String, byte[]> headers(
      SequencedMap<String, byte[]> input, SequencedMap<String, byte[]> other, Mutator mutator) {
    SequencedMap<String, byte[]> files = new TreeMap<>(input);
    List<String> names =
        files.keySet().stream()
            .filter(name -> !name.equals("heap") && !name.equals(ChecksumLayout.NAME))
            .toList();
    String name = names.get(mutator.random().nextInt(names.size()));
    int crc =
        name.startsWith("log/") ? 92 : name.equals("ring") ? 252 : name.equals("changed") ? 60 : 40;
    put(files, name, mutator, 0, crc);
    Checksums.crc32c(files.get(name), 0, crc);
    if (name.equals("changed")) {
      put(files, name, mutator, PAGE, 2 * PAGE - 4);
      Checksums.crc32c(files.get(name), PAGE, 2 * PAGE - 4);
    }
    return files;
  }

  // ---- The oracle ---------------------------------------------------------------------------

  private enum Oracle {
    /** Somebody who knows the checksums can store anything. */
    NO_MODEL,
    /** What was stored at the checkpoint is never taken for absent. */
    STORED_IS_THERE,
    /** All reads return what one commit left. */
    A_COMMITTED_STATE
  }

  private void use(SequencedMap<String, byte[]> input, boolean encrypted, Oracle oracle) {
    Path directory = Directories.write(input, heap());
    boolean checked =
        input.containsKey(ChecksumLayout.NAME)
            && input.get(ChecksumLayout.NAME).length >= input.get("heap").length / PAGE * 8;
    @Nullable EverheapException refusal =
        openReadAndWrite(directory, encrypted, false, checked ? oracle : Oracle.NO_MODEL);
    openReadAndWrite(directory, encrypted, true, Oracle.NO_MODEL);
    if (refusal != null) {
      throw refusal;
    }
  }

  private @Nullable EverheapException openReadAndWrite(
      Path directory, boolean encrypted, boolean readOnly, Oracle oracle) {
    HeapBuilder builder = FuzzedHeap.builder(directory, encrypted).mustExist();
    Heap heap;
    try {
      heap = readOnly ? builder.readOnly().open() : builder.open();
    } catch (EverheapException e) {
      requireNamed(e);
      return e;
    }
    var fuzzed = new FuzzedHeap(heap);
    @Nullable Object report = call(heap::verify);
    if (oracle == Oracle.A_COMMITTED_STATE && !encrypted) {
      assertThat(((VerifyReport) Objects.requireNonNull(report)).problems()).isEmpty();
    }
    attempt(heap::stats);
    requireReads(fuzzed, oracle);
    attempt(fuzzed::listed);
    if (!readOnly) {
      for (Callable<Boolean> absent : fuzzed.absences()) {
        @Nullable Object taken = call(absent);
        if (oracle != Oracle.NO_MODEL) {
          assertThat(taken).isNotEqualTo(true);
        }
      }
      fuzzed.writes().forEach(HeapFilesFuzzTest::attempt);
      attempt(() -> OpenHeap.engine(heap).drainHousekeeping());
      attempt(heap::verify);
    }
    attempt(heap::close);
    return null;
  }

  private void requireReads(FuzzedHeap fuzzed, Oracle oracle) {
    List<Map<String, Object>> possible = new ArrayList<>(states);
    for (var read : fuzzed.reads().entrySet()) {
      @Nullable Object result = call(read.getValue());
      if (oracle == Oracle.A_COMMITTED_STATE && result != null) {
        possible.removeIf(state -> !result.equals(state.get(read.getKey())));
        if (possible.isEmpty()) {
          fail("no commit left " + read.getKey() + ": " + result);
        }
      }
    }
  }

  private static void attempt(Runnable action) {
    call(
        () -> {
          action.run();
          return null;
        });
  }

  /** Calls; returns null after a failure that the library names. */
  private static @Nullable Object call(Callable<?> action) {
    try {
      return action.call();
    } catch (EverheapException e) {
      requireNamed(e);
      return null;
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Also a heap that poisons itself must do so for a reason that it can name. */
  private static void requireNamed(EverheapException e) {
    assertThat(e.code()).startsWith("EH-");
    assertThat(e.getMessage()).isNotBlank();
    if (e instanceof StoppedException && e.getCause() != null) {
      assertThat(e.getCause()).isInstanceOf(EverheapException.class);
    }
  }
}
