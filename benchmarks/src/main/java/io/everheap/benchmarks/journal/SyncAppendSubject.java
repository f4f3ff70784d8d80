package io.everheap.benchmarks.journal;

import io.everheap.benchmarks.harness.Subject;
import io.everheap.benchmarks.harness.Threads;
import io.everheap.journal.Journal;
import io.everheap.memory.DurableWrite;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Mapping;
import io.everheap.memory.MediumFile;
import io.everheap.memory.Region;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A journal on a file whose appends wait for the disk; a log on a mapped file with two forces for
 * each record; and the raw durable write of a block.
 *
 * <p>Requests: {@code floor MILLIS}, {@code forces MILLIS}, {@code platform THREADS MILLIS}, {@code
 * virtual THREADS MILLIS}.
 */
public final class SyncAppendSubject implements Subject {
  private static final int AREA = 64 << 20;

  private @Nullable Journal journal;
  private @Nullable FileMedium medium;
  private @Nullable MediumFile file;
  private @Nullable Region area;
  private long tail = 64;
  private long at;

  @Override
  public void open(Map<String, String> parameters) {
    Path directory = Path.of(parameters.getOrDefault("directory", ""));
    journal = Journal.builder(directory.resolve("j")).onFiles().ahead(2).open();
    FileMedium files = FileMedium.open(directory.resolve("raw"), false, true);
    medium = files;
    ByteBuffer zeros = ByteBuffer.allocate(1 << 20);
    for (String name : new String[] {"mapped", "written"}) {
      try (MediumFile made = files.create(name)) {
        for (long position = 0; position < AREA; position += zeros.capacity()) {
          made.write(zeros.clear(), position);
        }
        made.sync();
      }
    }
    try (MediumFile mapped = files.open("mapped")) {
      area = mapped.map(Mapping.SHARED, 0, AREA);
    }
    file = files.openLog("written", DurableWrite.DSYNC);
  }

  @Override
  public Map<String, Double> measure(String[] request) throws Exception {
    Journal log = journal;
    Region mapped = area;
    MediumFile raw = file;
    if (log == null || mapped == null || raw == null) {
      throw new IllegalStateException("not open");
    }
    log.truncateBefore(log.nextSequence());
    return switch (request[0]) {
      case "floor" -> run(Thread.ofPlatform().factory(), 1, request[1], () -> write(raw));
      case "forces" -> run(Thread.ofPlatform().factory(), 1, request[1], () -> force(mapped));
      case "platform" ->
          run(
              Thread.ofPlatform().factory(),
              Integer.parseInt(request[1]),
              request[2],
              () -> append(log));
      case "virtual" ->
          run(
              Thread.ofVirtual().factory(),
              Integer.parseInt(request[1]),
              request[2],
              () -> append(log));
      default -> throw new IllegalArgumentException(request[0]);
    };
  }

  private static Map<String, Double> run(
      ThreadFactory factory, int threads, String millis, LongSupplier work)
      throws InterruptedException {
    Threads.Done done = Threads.run(factory, threads, Long.parseLong(millis), index -> work);
    return Map.of("ops", done.operations() / done.seconds());
  }

  private static long append(Journal log) {
    log.append(Text.record(System.nanoTime() & 0xffffff));
    return 1;
  }

  private final ByteBuffer block =
      java.lang.foreign.Arena.global().allocate(MediumFile.BLOCK, MediumFile.BLOCK).asByteBuffer();

  private long write(MediumFile raw) {
    raw.writeDurably(block.clear(), at);
    at = (at + MediumFile.BLOCK) % AREA;
    return 1;
  }

  private long force(Region mapped) {
    byte[] record = Text.record(tail);
    if (tail + record.length > AREA) {
      tail = 64;
    }
    mapped.copyFrom(tail, record, 0, record.length);
    mapped.force(tail, record.length);
    tail += record.length;
    mapped.putLong(0, tail);
    mapped.force(0, 8);
    return 1;
  }

  @Override
  public void close() throws IOException {
    if (journal != null) {
      journal.close();
    }
    if (area != null) {
      area.close();
    }
    if (file != null) {
      file.close();
    }
    if (medium != null) {
      medium.close();
    }
  }
}
