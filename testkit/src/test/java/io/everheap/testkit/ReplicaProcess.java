package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.engine.Engine;
import io.everheap.engine.ReplicaApplier;
import io.everheap.engine.ReplicaPosition;
import io.everheap.engine.backup.BaseCopy;
import io.everheap.engine.log.EpochStart;
import io.everheap.engine.log.LogFeed;
import io.everheap.engine.log.PartStream;
import io.everheap.heap.HeapSettings;
import io.everheap.heap.OpenHeap;
import io.everheap.memory.MediumSetting;
import io.everheap.report.BackupProgress;
import io.everheap.testkit.machine.SimulatedMedium;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;

/**
 * A process that joins a primary, follows it, and acknowledges what is durable. Its successor has
 * at least that, exactly as the primary had it, and goes on from there.
 */
final class ReplicaProcess implements SimulatedProcess {
  /** The primary's transactions that were applied together with those before them. */
  static final LongAdder JOINED = new LongAdder();

  private final HeapSetup setup;
  private final ReplicatedPrimary primary;
  private final long seed;
  private final int steps;
  private volatile long acknowledged;
  private volatile boolean joined;

  ReplicaProcess(HeapSetup setup, ReplicatedPrimary primary, long seed, int steps) {
    this.setup = setup;
    this.primary = primary;
    this.seed = seed;
    this.steps = steps;
  }

  @Override
  public Promise promise() {
    long lsn = acknowledged;
    boolean there = joined;
    return new Promise() {
      @Override
      public SimulatedProcess successor(boolean powerLost, long next) {
        var process = new ReplicaProcess(setup, primary, next, Math.min(steps, 6));
        process.acknowledged = lsn;
        process.joined = there;
        return process;
      }

      @Override
      public Object key() {
        return lsn;
      }
    };
  }

  @Override
  public void run(SimulatedMedium medium) {
    if (!medium.exists("heap")) {
      assertThat(joined).as("the replica was made").isFalse();
      BaseCopy.restore(
          primary.held(),
          () -> setup.with(BackupProcess.unclosed(medium)),
          SimulatedHeaps.options(setup.durability()),
          BackupProgress.NONE);
    }
    Random random = new Random(seed);
    try (Heap heap = open(setup, medium)) {
      joined = true; // only now: what a killed process renamed is durable once it is opened
      Engine engine = OpenHeap.engine(heap);
      ReplicaApplier applier = engine.applier();
      applier.begin();
      ReplicaPosition at = applier.position();
      assertThat(at.lsn()).as("acknowledged is never lost").isGreaterThanOrEqualTo(acknowledged);
      requireEqual(heap, at);
      try (LogFeed feed = primary.feed(at.lsn(), at.chain())) {
        PartStream stream =
            new PartStream(
                "the primary",
                primary.engine().uuid(),
                new EpochStart(feed.epoch(), at.lsn(), at.chain()),
                counted(engine, applier.receiver(at.line())));
        for (int i = 0; i < steps; i++) {
          byte[] parts = message(feed, random.nextInt(1, 8));
          if (parts.length > 0) {
            stream.accept(parts);
          }
          heap.sync();
          acknowledged = applier.position().lsn();
          if (random.nextInt(4) == 0) {
            heap.checkpoint();
          }
        }
      }
      requireEqual(heap, applier.position());
    }
  }

  /** Some batches at once, as a primary on byte-addressable storage sends what is durable. */
  private static byte[] message(LogFeed feed, int batches) {
    var message = new ByteArrayOutputStream();
    for (int i = 0; i < batches; i++) {
      message.writeBytes(feed.next());
    }
    return message.toByteArray();
  }

  /** Counts the transactions that joined others. */
  private static PartStream.Receiver counted(Engine engine, PartStream.Receiver receiver) {
    return received -> {
      long before = engine.transactions().commits();
      receiver.transactions(received);
      JOINED.add(received.size() - (engine.transactions().commits() - before));
    };
  }

  static Heap open(HeapSetup setup, SimulatedMedium medium) {
    return open(setup, medium, HeapSettings.Role.REPLICA);
  }

  static Heap open(HeapSetup setup, SimulatedMedium medium, HeapSettings.Role role) {
    Heap heap =
        HeapSettings.role(
                HeapSettings.options(
                    MediumSetting.medium(
                        setup.configure(
                            Heap.builder(Path.of(medium.location()))
                                .durability(setup.durability())),
                        medium),
                    SimulatedHeaps.options(setup.durability())),
                role)
            .open();
    medium.opened(OpenHeap.engine(heap));
    return heap;
  }

  /** Applies all that is durable on the primary. */
  static void apply(ReplicatedPrimary primary, ReplicaApplier applier) {
    primary.heap.sync();
    ReplicaPosition at = applier.position();
    try (LogFeed feed = primary.feed(at.lsn(), at.chain())) {
      PartStream stream =
          new PartStream(
              "the primary",
              primary.engine().uuid(),
              new EpochStart(feed.epoch(), at.lsn(), at.chain()),
              applier.receiver(at.line()));
      for (byte[] parts = feed.next(); parts.length > 0; parts = feed.next()) {
        stream.accept(parts);
      }
    }
  }

  private void requireEqual(Heap heap, ReplicaPosition at) {
    setup.verify(heap);
    assertThat(BackupProcess.contents(heap)).as("at " + at).isEqualTo(primary.at(at.lsn()));
  }
}
