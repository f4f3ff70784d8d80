package io.everheap.benchmarks;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The first store to a page of a mapped file since it was mapped, for one page of many in random
 * order; the file is in the kernel's cache.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 1)
@Measurement(iterations = 5)
@Fork(1)
public class FirstStoreBenchmark {
  private static final int PAGE = 4096;
  private static final int PAGES = 1 << 16;

  /** Whether another thread of the process runs, whose processor must drop translations, too. */
  @Param({"false", "true"})
  public boolean another;

  private Path file;
  private FileChannel channel;
  private Arena arena;
  private MemorySegment image;
  private MemorySegment sharedImage;
  private final int[] order = new int[PAGES];
  private Thread other;
  private volatile boolean ended;

  /** Makes the file, and an order of its pages. */
  @Setup
  public void create() throws IOException {
    file = Files.createTempFile("everheap", ".pages");
    channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    Random random = new Random(1);
    for (int i = 0; i < PAGES; i++) {
      int j = random.nextInt(i + 1);
      order[i] = order[j];
      order[j] = i;
    }
    try (Arena filling = Arena.ofConfined()) {
      channel.map(MapMode.READ_WRITE, 0, (long) PAGES * PAGE, filling).fill((byte) 1);
    }
    channel.force(false);
    other =
        Thread.ofPlatform()
            .unstarted(
                () -> {
                  while (!ended) {
                    Thread.onSpinWait();
                  }
                });
    if (another) {
      other.start();
    }
  }

  /** Maps the file again: no page of it is mapped to memory yet. */
  @Setup(Level.Invocation)
  public void map() throws IOException {
    arena = Arena.ofShared();
    image = channel.map(MapMode.PRIVATE, 0, (long) PAGES * PAGE, arena);
    sharedImage = channel.map(MapMode.READ_WRITE, 0, (long) PAGES * PAGE, arena);
  }

  /** Unmaps it. */
  @TearDown(Level.Invocation)
  public void unmap() throws IOException {
    arena.close();
    channel.force(false);
  }

  /** Deletes the file. */
  @TearDown
  public void delete() throws IOException, InterruptedException {
    ended = true;
    if (another) {
      other.join();
    }
    channel.close();
    Files.delete(file);
  }

  /** Stores to a private mapping, as a heap has it: the kernel copies the page. */
  @Benchmark
  @OperationsPerInvocation(PAGES)
  public void copied() {
    for (int page : order) {
      image.set(ValueLayout.JAVA_LONG, (long) page * PAGE, page);
    }
  }

  /**
   * Loads from a private mapping, then stores: the kernel maps the page, copies it, and takes back
   * the first translation.
   *
   * @return a sum of what it loaded
   */
  @Benchmark
  @OperationsPerInvocation(PAGES)
  public long loadedAndCopied() {
    long sum = 0;
    for (int page : order) {
      long offset = (long) page * PAGE;
      sum += image.get(ValueLayout.JAVA_LONG, offset);
      image.set(ValueLayout.JAVA_LONG, offset, page);
    }
    return sum;
  }

  /** Stores to a shared mapping, which the kernel may write at any time. */
  @Benchmark
  @OperationsPerInvocation(PAGES)
  public void shared() {
    for (int page : order) {
      sharedImage.set(ValueLayout.JAVA_LONG, (long) page * PAGE, page);
    }
  }

  /** Reads the pages into memory of its own, and stores there. */
  @Benchmark
  @OperationsPerInvocation(PAGES)
  public void read() throws IOException {
    try (Arena own = Arena.ofShared()) {
      MemorySegment memory = own.allocate((long) PAGES * PAGE, PAGE);
      for (int page : order) {
        long offset = (long) page * PAGE;
        channel.read(memory.asSlice(offset, PAGE).asByteBuffer(), offset);
        memory.set(ValueLayout.JAVA_LONG, offset, page);
      }
    }
  }
}
