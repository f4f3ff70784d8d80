package io.everheap.benchmarks.replication;

import io.everheap.Backups;
import io.everheap.Heap;
import io.everheap.benchmarks.harness.Subject;
import io.everheap.benchmarks.harness.Threads;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A heap of records that is backed up. The heap is opened by the first request that needs it.
 *
 * <p>Requests: {@code load}; {@code read} and {@code copy}, which read the file of the heap, or
 * copy and sync it, while the heap is not open; {@code take KIND} makes a backup; {@code touch}
 * changes one page in a hundred; {@code write MILLIS} updates with one thread, {@code
 * take-while-writing BYTES_PER_SECOND} does so while a full backup is made, with a limit or 0;
 * {@code verify} and {@code restore} the newest backup.
 */
public final class BackupSubject implements Subject {
  private static final int PAGE = 4096;
  private static final int BUFFER = 1 << 20;
  private static final long EACH_HUNDREDTH_PAGE = 100L * PAGE / Records.BYTES;

  private Path directory = Path.of("");
  private boolean archive;
  private long count;
  private @Nullable Heap heap;
  private @Nullable Records records;

  /** Makes a subject that is not open. */
  public BackupSubject() {}

  @Override
  public void open(Map<String, String> parameters) {
    directory = Path.of(parameters.getOrDefault("directory", ""));
    count = Long.parseLong(parameters.getOrDefault("records", "1000"));
    archive = Boolean.parseBoolean(parameters.get("archive"));
  }

  private Path home() {
    return directory.resolve("heap");
  }

  private Backups backups() {
    return Backups.in(directory.resolve("backups"));
  }

  private Heap heap() {
    Heap opened = heap;
    if (opened == null) {
      var builder = Records.builder(home(), false, Records.LARGE_LOG);
      if (archive) {
        builder.archive(directory.resolve("backups"));
      }
      opened = builder.open();
      heap = opened;
    }
    return opened;
  }

  private Records records() {
    Records found = records;
    if (found == null) {
      found = new Records(heap(), count);
      records = found;
    }
    return found;
  }

  @Override
  public Map<String, Double> measure(String[] request) throws Exception {
    return switch (request[0]) {
      case "load" -> {
        records().load();
        heap().checkpoint();
        yield Map.of();
      }
      case "read" -> seconds(this::read);
      case "copy" -> seconds(this::copy);
      case "take" -> take(Backup.Kind.valueOf(request[1]));
      case "touch" -> {
        records().updateEach(EACH_HUNDREDTH_PAGE);
        heap().checkpoint();
        yield Map.of();
      }
      case "write" -> {
        LongSupplier updates = records().updates(System.nanoTime());
        Threads.Done done =
            Threads.run(Thread.ofPlatform().factory(), 1, Long.parseLong(request[1]), i -> updates);
        yield Map.of("ops", done.operations() / done.seconds());
      }
      case "take-while-writing" -> takeWhileWriting(Long.parseLong(request[1]));
      case "verify" -> seconds(() -> backups().verify(backups().newest(), BackupProgress.NONE));
      case "restore" ->
          seconds(() -> backups().restore(backups().newest(), directory.resolve("restored")));
      default -> throw new IllegalArgumentException(request[0]);
    };
  }

  private interface Step {
    void run() throws IOException;
  }

  private static Map<String, Double> seconds(Step step) throws IOException {
    long start = System.nanoTime();
    step.run();
    return Map.of("seconds", (System.nanoTime() - start) / 1e9);
  }

  private void read() throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
    try (FileChannel file = FileChannel.open(home().resolve("heap"))) {
      while (file.read(buffer) >= 0) {
        buffer.clear();
      }
    }
  }

  private void copy() throws IOException {
    Path copy = directory.resolve("copied");
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
    try (FileChannel from = FileChannel.open(home().resolve("heap"));
        FileChannel to =
            FileChannel.open(copy, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      while (from.read(buffer) >= 0) {
        buffer.flip();
        while (buffer.hasRemaining()) {
          to.write(buffer);
        }
        buffer.clear();
      }
      to.force(true);
    }
    Files.delete(copy);
  }

  private Map<String, Double> take(Backup.Kind kind) {
    Heap opened = heap();
    long start = System.nanoTime();
    Backup made = backups().take(opened, kind);
    return Map.of(
        "seconds",
        (System.nanoTime() - start) / 1e9,
        "pages",
        (double) made.pages(),
        "home",
        (double) made.pages() * PAGE);
  }

  /** The updates of one thread from the begin of a full backup to its end. */
  private Map<String, Double> takeWhileWriting(long bytesPerSecond)
      throws InterruptedException, ExecutionException {
    Heap opened = heap();
    LongSupplier updates = records().updates(System.nanoTime());
    try (var executor = Executors.newSingleThreadExecutor()) {
      Callable<Backup> task =
          () -> backups().take(opened, Backup.Kind.FULL, bytesPerSecond, BackupProgress.NONE);
      long start = System.nanoTime();
      Future<Backup> backup = executor.submit(task);
      long done = 0;
      do {
        done += updates.getAsLong();
      } while (!backup.isDone());
      long end = System.nanoTime();
      backup.get();
      return Map.of("ops", done * 1e9 / (end - start), "seconds", (end - start) / 1e9);
    }
  }

  @Override
  public void close() {
    if (heap != null) {
      heap.close();
    }
  }
}
