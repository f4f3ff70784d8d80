package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.error.LockedException;
import io.everheap.error.ReadOnlyException;
import io.everheap.memory.Medium;
import io.everheap.support.Limit;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.SimulatedMedium;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/**
 * Rules that no crash of a simulated machine puts to the test: interrupts, locks, heaps that are
 * only read. Each scenario throws when something is wrong.
 */
public final class RuleScenarios {
  private static final HeapSetup SYNC = new HeapSetup(true);

  private RuleScenarios() {}

  private static DurableMap<Long, Long> map(Heap heap) {
    return heap.map("map", Long.class, Long.class);
  }

  /** A thread that waits for the write of another one is interrupted. */
  public static void anInterruptDoesNotEndTheWaitForACommit() throws Exception {
    SimulatedMedium medium = SimulatedMedium.file(1);
    var armed = new AtomicBoolean();
    var goOn = new CountDownLatch(1);
    var leading = new CountDownLatch(1);
    Medium hooked =
        HookedMedium.of(
            medium,
            new HookedMedium.Hook() {
              @Override
              public void before(String call, String file) {
                if (call.equals("writeDurably") && armed.getAndSet(false)) {
                  leading.countDown();
                  awaitUninterruptibly(goOn);
                }
              }
            });
    try (Heap heap = RaceScenarios.open(hooked)) {
      map(heap).put(0L, 0L);
      armed.set(true);
      Thread leader = Thread.ofPlatform().start(() -> map(heap).put(1L, 1L));
      Limit.await(leading);
      var kept = new AtomicBoolean();
      Thread follower =
          Thread.ofPlatform()
              .start(
                  () -> {
                    map(heap).put(2L, 2L);
                    kept.set(Thread.currentThread().isInterrupted());
                  });
      Threads.awaitWaiting(follower, "GroupCommit");
      follower.interrupt();
      goOn.countDown();
      Limit.join(leader);
      Limit.join(follower);
      assertThat(kept).as("the interrupt is kept").isTrue();
      try (Heap again = SYNC.open(medium.powerLoss(Chooser.none()))) {
        assertThat(map(again)).containsOnlyKeys(0L, 1L, 2L);
      }
    }
  }

  /** A thread that waits for its turn is interrupted. */
  public static void anInterruptDoesNotEndTheWaitForATurn() throws Exception {
    try (Heap heap = SYNC.open(SimulatedMedium.file(1))) {
      var kept = new AtomicBoolean();
      Thread waiting =
          Thread.ofPlatform()
              .unstarted(
                  () -> {
                    map(heap).put(2L, 2L);
                    kept.set(Thread.currentThread().isInterrupted());
                  });
      map(heap).put(0L, 0L);
      heap.transact(
          () -> {
            waiting.start();
            Threads.awaitWaiting(waiting, "WriterLock");
            waiting.interrupt();
            map(heap).put(1L, 1L);
          });
      Limit.join(waiting);
      assertThat(kept).as("the interrupt is kept").isTrue();
      assertThat(map(heap)).containsOnlyKeys(0L, 1L, 2L);
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    Limit.spinUntil("the latch is open", () -> latch.getCount() == 0);
  }

  /** What a heap holds that is only read: all that was committed, and it stays as it was. */
  public static void aReaderSeesAllAndWritesNothing() {
    for (SimulatedMedium medium : List.of(SimulatedMedium.file(1), SimulatedMedium.dax(1))) {
      try (Heap heap = SYNC.open(medium)) {
        for (long i = 0; i < 20; i++) {
          map(heap).put(i, i);
        }
        SimulatedMedium reader = medium.image().readOnly();
        try (Heap again = SYNC.open(reader)) {
          assertThat(map(again)).hasSize(20);
          assertThatThrownBy(() -> map(again).put(20L, 20L)).isInstanceOf(ReadOnlyException.class);
          assertThatThrownBy(again::checkpoint).isInstanceOf(ReadOnlyException.class);
        }
        assertThat(reader.points()).as("changes by a reader").isZero();
      }
    }
  }

  /** A heap that one process has open for writing is refused to another one that would read. */
  public static void aHeapThatIsWrittenIsReadByNoOtherProcess() throws Exception {
    Path directory = Files.createTempDirectory("everheap-lock");
    try {
      try (Heap heap = Heap.open(directory)) {
        map(heap).put(1L, 1L);
        assertThatThrownBy(() -> Heap.open(directory)).isInstanceOf(LockedException.class);
        assertThat(readElsewhere(directory)).as("exit code of a reader").isEqualTo(REFUSED);
      }
      assertThat(readElsewhere(directory)).isZero();
    } finally {
      deleteAll(directory);
    }
  }

  private static final int REFUSED = 3;

  private static int readElsewhere(Path directory) throws IOException, InterruptedException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    return new ProcessBuilder(
            java.toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            Reader.class.getName(),
            directory.toString())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  /** A process that reads a heap. */
  public static final class Reader {
    private Reader() {}

    /** Ends with 0, or says with its exit code that the heap was refused. */
    public static void main(String[] arguments) {
      try (Heap heap = Heap.builder(Path.of(arguments[0])).readOnly().open()) {
        map(heap).get(1L);
      } catch (LockedException e) {
        System.exit(REFUSED);
      }
    }
  }

  private static void deleteAll(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
