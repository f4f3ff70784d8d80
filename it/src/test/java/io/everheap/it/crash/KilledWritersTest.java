package io.everheap.it.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.cli.demo.WorkerProcess;
import io.everheap.it.Workers;
import io.everheap.support.Seeds;
import io.everheap.support.tier.Processes;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Several threads write to a heap that lives through many SIGKILLs at random moments, some of them
 * during recovery. After each, the next process finds a prefix of the commits that holds all that
 * returned. {@code -Deverheap.crash.rounds=N} sets how many kills each durability gets, {@code
 * -Deverheap.crash.seed=N} repeats the choices of a run.
 */
@Processes
class KilledWritersTest {
  private static final int ROUNDS = Integer.getInteger("everheap.crash.rounds", 8);
  private static final long SEED = Seeds.seed();
  private static final int THREADS = 4;

  /** A kill so soon after the start of the process hits its recovery, or nothing. */
  private static final int STARTING_MILLIS = 700;

  private static final int WORKING_MILLIS = 500;

  @TempDir private Path directory;

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final Acknowledged acknowledged = new Acknowledged();

  @ParameterizedTest
  @CsvSource({
    "sync,0,false",
    "sync-mixed,0,true",
    "async,5000,false",
    "async-mixed,20000,true",
    "encrypted,0,false"
  })
  void nothingThatReturnedIsLost(String name, long intervalMicros, boolean mixed) throws Exception {
    Order order =
        new Order(
            name.equals("encrypted") ? Order.Kind.ENCRYPTED : Order.Kind.HEAP,
            0,
            "file",
            intervalMicros,
            mixed,
            THREADS,
            SEED,
            0,
            directory.resolve("heap"));
    for (int round = 0; round < ROUNDS; round++) {
      workAndKill(order.withRun(round), random.nextInt(4) == 0);
    }
    workAndKill(order.withRun(ROUNDS), false);

    System.out.printf(
        Locale.ROOT,
        "%s: %d kills, %d recoveries, %,d commits acknowledged, none lost%n",
        name,
        ROUNDS + 1,
        acknowledged.recoveries() - 1,
        acknowledged.count());
    assertThat(acknowledged.count()).isPositive();
  }

  private void workAndKill(Order order, boolean early) throws Exception {
    boolean ring = order.kind() != Order.Kind.ENCRYPTED; // else it is in the memory of the process
    long atLeast = ring ? acknowledged.returned() : acknowledged.durable();
    long atMost = acknowledged.returned() + THREADS;
    long recoveries = acknowledged.recoveries();
    // Every fourth process or so has all compilers; the others start faster.
    List<String> options =
        random.nextInt(4) == 0 ? List.of() : List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
    try (var worker =
        WorkerProcess.start(
            Worker.class,
            options,
            List.of("-", order.toArgument()),
            Ack.BYTES,
            bytes -> acknowledged.add(Ack.decode(bytes)))) {
      if (early) {
        Workers.letWork(worker, random.nextInt(STARTING_MILLIS), SEED);
      } else {
        Workers.await(
            "the heap is open", () -> acknowledged.recoveries() > recoveries, SEED, worker);
        Workers.letWork(worker, random.nextInt(WORKING_MILLIS), SEED);
      }
      worker.kill();
    }
    if (acknowledged.recoveries() > recoveries) {
      // Each thread may have made one commit that it could not acknowledge any more.
      assertThat(acknowledged.recovered())
          .as("last commit of run %d, seed %d", order.run(), SEED)
          .isBetween(atLeast, atMost);
    }
  }
}
