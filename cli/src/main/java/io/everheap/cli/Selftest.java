package io.everheap.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.everheap.Heap;
import io.everheap.HeapCheck;
import io.everheap.HeapStats;
import io.everheap.collection.DurableMap;
import io.everheap.error.EverheapException;
import io.everheap.report.VerifyReport;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The checks of a self-test that need no kill, each on a small heap in the directory under test.
 */
final class Selftest {
  private static final int COMMITS = 200;

  /**
   * A median commit below this is faster than any disk that writes to its medium before it answers.
   */
  private static final long SUSPICIOUS_NANOS = 15_000;

  private final Path directory;
  private final Path heap;
  private final List<SelftestCheck> checks = new ArrayList<>();

  Selftest(Path directory) {
    this.directory = directory;
    this.heap = directory.resolve("small");
  }

  List<SelftestCheck> checks() {
    return checks;
  }

  /** Describes the file system under the heap. */
  void fileSystem() throws IOException {
    FileStore store = Files.getFileStore(directory);
    checks.add(
        SelftestCheck.note(
            "file system",
            String.format(
                Locale.ROOT,
                "%s (%s), %s free",
                store.type(),
                store.name(),
                Text.bytes(store.getUsableSpace()))));
  }

  /** Measures the time of single commits. */
  void commits() {
    long[] nanos = new long[COMMITS];
    try (Heap open = Heap.open(heap)) {
      HeapStats stats = open.stats();
      boolean dax = stats.medium().equals("dax");
      checks.add(
          SelftestCheck.note(
              "medium",
              dax
                  ? "DAX: a commit is durable when its cache lines are written back"
                  : "ordinary files (no DAX); the log is written with " + stats.durableWrite()));
      DurableMap<Long, Long> map = open.map("numbers", Long.class, Long.class);
      for (int i = 0; i < COMMITS; i++) {
        long start = System.nanoTime();
        map.put((long) i, 3L * i);
        nanos[i] = System.nanoTime() - start;
      }
      Arrays.sort(nanos);
      String text =
          String.format(
              Locale.ROOT,
              "a commit takes %,d us (median), %,d us (99 of 100 take less)",
              nanos[COMMITS / 2] / 1000,
              nanos[COMMITS * 99 / 100] / 1000);
      if (!dax && nanos[COMMITS / 2] < SUSPICIOUS_NANOS) {
        text += "; that is too fast for a disk: what is under this file system may ignore syncs";
      }
      checks.add(SelftestCheck.note("durable commit", text));
    }
  }

  /** Checks that the closed heap opens again and is complete. */
  void reopening() {
    try (Heap open = Heap.open(heap)) {
      DurableMap<Long, Long> map = open.map("numbers", Long.class, Long.class);
      boolean same = map.size() == COMMITS;
      for (long i = 0; i < COMMITS && same; i++) {
        same = Long.valueOf(3 * i).equals(map.get(i));
      }
      VerifyReport report = open.verify();
      checks.add(
          SelftestCheck.of(
              "close and open",
              same && report.ok(),
              same && report.ok()
                  ? "every entry is there, and verify finds nothing"
                  : "entries are missing, or verify finds " + report.problems()));
    }
  }

  /** Checks that another process cannot open the heap while it is open here. */
  void locking() throws IOException, InterruptedException {
    try (Heap open = Heap.open(heap)) {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  Main.class.getName(),
                  "info",
                  heap.toString())
              .redirectErrorStream(true)
              .start();
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      int code = process.waitFor();
      boolean refused = code != 0 && output.contains("EH-LOCKED") && open.isOpen();
      checks.add(
          SelftestCheck.of(
              "lock",
              refused,
              refused
                  ? "a second process is refused while the heap is open"
                  : "a second process was not refused: " + output.strip()));
    }
  }

  /** Checks that reading the heap changes no file. */
  void reading() throws IOException {
    Map<String, String> before = files();
    VerifyReport report = HeapCheck.verify(heap);
    boolean same = before.equals(files());
    checks.add(
        SelftestCheck.of(
            "read-only opening",
            same && report.ok(),
            same ? "no file was changed" : "files were changed by reading"));
  }

  private Map<String, String> files() throws IOException {
    Map<String, String> found = new TreeMap<>();
    try (Stream<Path> files = Files.walk(heap)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        found.put(file.toString(), Files.size(file) + " " + Files.getLastModifiedTime(file));
      }
    }
    return found;
  }

  /** Checks that a heap whose home file was truncated is refused. */
  void truncation() throws IOException {
    Path home = heap.resolve("heap");
    try (FileChannel channel = FileChannel.open(home, StandardOpenOption.WRITE)) {
      channel.truncate(channel.size() - 4096);
    }
    String text;
    boolean refused = false;
    try (Heap open = Heap.open(heap)) {
      text = "a heap whose file was cut off was opened: " + open;
    } catch (EverheapException e) {
      refused = true;
      text = "a heap whose file was cut off is refused (" + e.code() + ")";
    }
    checks.add(SelftestCheck.of("truncation", refused, text));
  }

  /** Lists the properties that no program can test. */
  void limits() {
    checks.add(
        SelftestCheck.note(
            "power loss",
            "not tried: torn and reordered writes show only when the power is cut. What is assumed of"
                + " the disk stands in docs/format.md"));
    checks.add(
        SelftestCheck.note("full disk", "not tried: it would take all the space of this disk"));
  }

  /** Adds a check that ran elsewhere. */
  void add(SelftestCheck check) {
    checks.add(check);
  }

  boolean passed() {
    return checks.stream().noneMatch(c -> c.verdict() == SelftestCheck.Verdict.FAILED);
  }
}
