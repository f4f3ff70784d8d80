package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.backup.FileSink;
import io.everheap.collection.DurableMap;
import io.everheap.engine.Engine;
import io.everheap.engine.ReplicaApplier;
import io.everheap.engine.ReplicaPosition;
import io.everheap.engine.backup.BaseCopy;
import io.everheap.engine.log.EpochStart;
import io.everheap.engine.log.LogFeed;
import io.everheap.engine.log.PartStream;
import io.everheap.error.EverheapException;
import io.everheap.error.ReplicationException;
import io.everheap.heap.HeapSettings;
import io.everheap.heap.OpenHeap;
import io.everheap.log.RemoteCopies;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.report.BackupProgress;
import io.everheap.testkit.machine.CrashImage;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A primary whose machine crashes, and a replica on a machine that does not. After a crash either
 * the primary comes back, and the replica has nothing that the primary lost; or the replica takes
 * over with all that was acknowledged, and the former primary follows it, if it has nothing else.
 */
final class FailoverProcess implements SimulatedProcess {
  private static final int KEYS = 20;

  private final HeapSetup setup;
  private final boolean copies;
  private final long seed;
  private final int steps;
  private final boolean takesOver;
  private Machine machine;
  private volatile History history;
  private volatile @Nullable Map<Integer, Integer> promoted; // what the replica had then

  /** What the primary had after each transaction, and how many of these were acknowledged. */
  private record History(List<Map<Integer, Integer>> states, int acknowledged) {
    Map<Integer, Integer> newest() {
      return states.getLast();
    }

    History begun(Map<Integer, Integer> next) {
      List<Map<Integer, Integer>> more = new ArrayList<>(states);
      more.add(next);
      return new History(List.copyOf(more), acknowledged);
    }

    History completed() {
      return new History(states, states.size() - 1);
    }

    /** The history that ends with a state, which comes no earlier than a place. */
    History endingWith(Map<Integer, Integer> state, int least, String what) {
      int at = states.lastIndexOf(state);
      assertThat(at).as(what).isGreaterThanOrEqualTo(least);
      return new History(states.subList(0, at + 1), Math.min(acknowledged, at));
    }
  }

  /** The machine of the replica. */
  private static final class Machine {
    final SimulatedMedium medium;

    Machine(SimulatedMedium medium) {
      this.medium = medium;
    }

    static Machine blank(boolean dax) {
      return new Machine(dax ? SimulatedMedium.dax(11) : SimulatedMedium.file(11));
    }

    Supplier<Machine> fork() {
      CrashImage image = medium.image();
      return () -> new Machine(image.processKill());
    }

    boolean hasReplica() {
      return medium.exists("heap");
    }

    /** Makes a replica, over the network. */
    void join(Engine primary, HeapSetup setup) {
      Medium held = setup.with(SimulatedMedium.file(7));
      try (MediumFile file = held.create(BaseCopy.NAME)) {
        BaseCopy.send(primary, new FileSink(held, file), BackupProgress.NONE);
      }
      BaseCopy.restore(
          held,
          () -> setup.with(BackupProcess.unclosed(medium)),
          SimulatedHeaps.options(setup.durability()),
          BackupProgress.NONE);
    }
  }

  FailoverProcess(HeapSetup setup, boolean dax, boolean copies, long seed, int steps) {
    this(setup, copies, seed, steps, false, Machine.blank(dax), new History(List.of(Map.of()), 0));
  }

  private FailoverProcess(
      HeapSetup setup,
      boolean copies,
      long seed,
      int steps,
      boolean takesOver,
      Machine machine,
      History history) {
    this.setup = setup;
    this.copies = copies;
    this.seed = seed;
    this.steps = steps;
    this.takesOver = takesOver;
    this.machine = machine;
    this.history = history;
  }

  @Override
  public Promise promise() {
    History known = history;
    Map<Integer, Integer> since = promoted;
    Supplier<Machine> replica = machine.fork();
    return new Promise() {
      @Override
      public SimulatedProcess successor(boolean powerLost, long next) {
        boolean over = since != null || next % 2 == 0;
        var process =
            new FailoverProcess(
                setup, copies, next, Math.min(steps, 5), over, replica.get(), known);
        process.promoted = since;
        return process;
      }

      @Override
      public Object key() {
        return List.of(known.acknowledged, known.states.size(), since != null);
      }
    };
  }

  @Override
  public void run(SimulatedMedium medium) {
    if (takesOver && machine.hasReplica()) {
      takeOver(medium);
    } else {
      serve(medium);
    }
  }

  private void serve(SimulatedMedium medium) {
    Random random = new Random(seed);
    try (Heap heap = setup.open(medium)) {
      history =
          history.endingWith(
              BackupProcess.contents(heap),
              setup.sync() ? history.acknowledged : 0,
              "the primary comes back with what it acknowledged");
      Engine engine = OpenHeap.engine(heap);
      try (Replica replica = replica(medium, engine, random)) {
        history.endingWith(replica.contents(), 0, "the replica has nothing that was lost");
        if (copies) {
          engine.transactions().copies().set(replica);
        }
        for (int i = 0; i < steps; i++) {
          change(heap, random);
          if (random.nextBoolean()) {
            replica.deliver();
          }
          if (random.nextInt(5) == 0) {
            heap.checkpoint();
          }
        }
        engine.transactions().copies().set(null);
      }
    }
  }

  /** The replica, at the place where it was or, if the log does not reach back, made anew. */
  private Replica replica(SimulatedMedium medium, Engine engine, Random random) {
    if (machine.hasReplica()) {
      long end = engine.recovery().endLsn();
      Heap copy = ReplicaProcess.open(setup, machine.medium);
      try {
        ReplicaApplier applier = OpenHeap.engine(copy).applier();
        assertThat(applier.position().lsn())
            .as("a replica is never ahead of what its primary recovers")
            .isLessThanOrEqualTo(end);
        return new Replica(engine, copy, applier, random);
      } catch (ReplicationException e) {
        copy.close();
        machine = Machine.blank(medium.byteAddressable());
      }
    }
    machine.join(engine, setup);
    Heap copy = ReplicaProcess.open(setup, machine.medium);
    return new Replica(engine, copy, OpenHeap.engine(copy).applier(), random);
  }

  private void change(Heap heap, Random random) {
    DurableMap<Integer, byte[]> map = heap.map("map", Integer.class, byte[].class);
    Map<Integer, byte[]> changes = new HashMap<>();
    Map<Integer, Integer> next = new HashMap<>(history.newest());
    for (int n = random.nextInt(1, 5); n > 0; n--) {
      int key = random.nextInt(KEYS);
      byte[] value = new byte[random.nextInt(1, 1_500)];
      random.nextBytes(value);
      changes.put(key, value);
      next.put(key, Arrays.hashCode(value));
    }
    history = history.begun(Map.copyOf(next));
    heap.transact(() -> map.putAll(changes));
    history = history.completed();
  }

  /** The primary's machine is away for a while, or for the second time. */
  private void takeOver(SimulatedMedium medium) {
    boolean again = promoted != null;
    try (Heap heap =
        again
            ? setup.open(machine.medium)
            : ReplicaProcess.open(setup, machine.medium, HeapSettings.Role.PROMOTED)) {
      Map<Integer, Integer> state = BackupProcess.contents(heap);
      history =
          history.endingWith(
              state,
              copies || again ? history.acknowledged : 0,
              "the replica takes over with all of it");
      promoted = again ? promoted : state;
      setup.verify(heap);
      Random random = new Random(seed);
      for (int i = 0; i < 3; i++) {
        change(heap, random);
      }
      heap.sync();
      followAgain(medium, OpenHeap.engine(heap));
    }
  }

  /** A former primary goes on from its end if that is where the new one began. */
  private void followAgain(SimulatedMedium medium, Engine primary) {
    if (!medium.exists("heap")) {
      return;
    }
    try (Heap old = ReplicaProcess.open(setup, medium)) {
      ReplicaApplier applier = OpenHeap.engine(old).applier();
      long line = primary.superblock().createdMillis();
      ReplicaPosition.Ancestor ancestor = ReplicaPosition.ancestor(primary.memory());
      if (applier.position().line() != line && !end(OpenHeap.engine(old)).equals(ancestor.end())) {
        return; // it is kept aside, and made anew
      }
      applier.begin();
      try (LogFeed feed = feedOfFormer(old, applier, primary, line, ancestor)) {
        PartStream stream = stream(primary, feed, applier.receiver(line));
        for (byte[] parts = feed.next(); parts.length > 0; parts = feed.next()) {
          stream.accept(parts);
        }
      } catch (ReplicationException e) {
        return; // the log was used again
      }
      assertThat(BackupProcess.contents(old)).isEqualTo(history.newest());
      setup.verify(old);
    }
  }

  private static ReplicaPosition end(Engine former) {
    former.checkpoint();
    var s = former.superblock();
    return new ReplicaPosition(s.createdMillis(), s.checkpointLsn(), s.chain());
  }

  private LogFeed feedOfFormer(
      Heap old,
      ReplicaApplier applier,
      Engine primary,
      long line,
      ReplicaPosition.Ancestor ancestor) {
    ReplicaPosition at = applier.position();
    if (at.line() == line) {
      return LogFeed.open(primary.medium(), primary.log(), at.lsn(), at.chain());
    }
    assertThat(BackupProcess.contents(old)).as("the same end, the same state").isEqualTo(promoted);
    LogFeed feed = LogFeed.open(primary.medium(), primary.log(), ancestor.beginning());
    applier.adopt(new ReplicaPosition(line, feed.lsn(), feed.chain()), 1, ancestor);
    return feed;
  }

  private static PartStream stream(Engine primary, LogFeed feed, PartStream.Receiver to) {
    return new PartStream(
        "the primary", primary.uuid(), new EpochStart(feed.epoch(), feed.lsn(), feed.chain()), to);
  }

  /** The replica, and the network to it, which fails now and then. */
  private static final class Replica implements RemoteCopies, AutoCloseable {
    private final Engine primary;
    private final Heap heap;
    private final ReplicaApplier applier;
    private final Random random;
    private LogFeed feed;
    private PartStream stream;

    Replica(Engine primary, Heap heap, ReplicaApplier applier, Random random) {
      this.primary = primary;
      this.heap = heap;
      this.applier = applier;
      this.random = random;
      this.feed = feed();
      this.stream = stream();
      applier.begin();
    }

    private LogFeed feed() {
      ReplicaPosition at = applier.position();
      return LogFeed.open(primary.medium(), primary.log(), at.lsn(), at.chain());
    }

    private PartStream stream() {
      return FailoverProcess.stream(primary, feed, applier.receiver(applier.position().line()));
    }

    Map<Integer, Integer> contents() {
      return BackupProcess.contents(heap);
    }

    /** Sends what is durable, unless the connection fails. */
    void deliver() {
      byte[] parts = feed.next();
      if (random.nextInt(4) == 0) {
        feed.close();
        feed = feed();
        stream = stream();
      } else if (parts.length > 0) {
        stream.accept(parts);
      }
    }

    @Override
    public boolean wanted() {
      return true;
    }

    @Override
    public void await(long lsn) {
      while (applier.position().lsn() < lsn) {
        deliver();
      }
      heap.sync();
    }

    @Override
    public void whenCopied(long lsn, Consumer<@Nullable EverheapException> action) {
      await(lsn);
      action.accept(null);
    }

    @Override
    public void close() {
      feed.close();
      heap.close();
    }
  }
}
