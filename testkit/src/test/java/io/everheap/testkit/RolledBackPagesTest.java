package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Durability;
import io.everheap.encryption.KeyProvider;
import io.everheap.engine.Engine;
import io.everheap.engine.EngineOptions;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.Stripes;
import io.everheap.error.EverheapException;
import io.everheap.memory.MediumFile;
import io.everheap.memory.crypt.SealedMedium;
import io.everheap.support.tier.Campaign;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.Crash;
import io.everheap.testkit.machine.CrashImage;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The machine stops at any moment of the checkpoints of an encrypted heap, and before the next
 * opening somebody without a key puts back a page of an earlier close, with its digest, or other
 * files. What is read is what was stored last, or refused.
 */
@Campaign
class RolledBackPagesTest {
  private static final KeyProvider KEY = KeyProvider.of(new byte[32]);
  private static final int EFFORT = Integer.getInteger("everheap.crash.effort", 1);
  private static final int HEADER = 4096;
  private static final int STORED = 9 * 512;
  private static final int PAGE = 4096;

  /** Blocks that the last checkpoint writes, and those that it leaves alone. */
  private static final int WRITTEN = 100;

  private static final int ALL = 160;
  private static final int LARGE = 700_000;

  private final long[] blocks = new long[ALL];

  private static EngineOptions options() {
    EngineOptions o = SimulatedHeaps.options(Durability.SYNC);
    return new EngineOptions(
        o.maxCapacity(),
        o.extentShift(),
        8L << 20,
        o.segmentSize(),
        o.ringSize(),
        o.maxTransaction(),
        256 * PAGE, // so that a checkpoint has several rounds
        o.lockTimeoutNanos(),
        true,
        0,
        false);
  }

  private static Engine open(SimulatedMedium medium) {
    return Engine.open(SealedMedium.open(medium, KEY), options());
  }

  private void store(Engine engine, int from, int to, int word, long value) {
    for (int i = from; i < to; i++) {
      int at = i;
      engine.transactions().begin();
      if (blocks[at] == 0) {
        blocks[at] = engine.allocator().allocate(300, 4000);
      }
      engine.memory().putLong(Stripes.NONE, Reference.payload(blocks[at]) + word, value);
      engine.transactions().end(true);
    }
  }

  private long page(int block) {
    return Reference.payload(blocks[block]) / PAGE;
  }

  /** The states of a run: what somebody copied at the first close, and each moment after that. */
  private record Run(SimulatedMedium old, List<CrashImage> moments) {}

  private Run run() {
    SimulatedMedium first = SimulatedMedium.file(1);
    try (Engine engine = open(first)) {
      store(engine, 0, ALL, 0, 1);
      store(engine, 0, ALL, 8, 1);
    }
    CrashImage closed = first.image();
    List<CrashImage> moments = new ArrayList<>();
    SimulatedMedium medium = closed.powerLoss(Chooser.all());
    try (Engine engine = open(medium)) {
      store(engine, 0, ALL, 8, 2);
      engine.checkpoint();
      store(engine, 0, WRITTEN, 0, 2);
      medium.observe(point -> moments.add(medium.image()));
      engine.checkpoint();
      store(engine, 0, 3, 0, 2);
    }
    medium.observe(point -> {});
    moments.add(medium.image());
    return new Run(closed.powerLoss(Chooser.all()), moments);
  }

  private static byte[] read(SimulatedMedium medium, String name, long at, int length) {
    byte[] bytes = new byte[length];
    try (MediumFile file = medium.open(name)) {
      int read = file.read(ByteBuffer.wrap(bytes), at);
      assertThat(read).as("of %s at %d", name, at).isEqualTo(length);
    }
    return bytes;
  }

  private static void write(SimulatedMedium medium, String name, long at, byte[] bytes) {
    try (MediumFile file = medium.open(name)) {
      file.write(ByteBuffer.wrap(bytes), at);
      file.sync();
    }
  }

  private static void putBack(Run run, SimulatedMedium target, String name, long block) {
    long at = HEADER + block * STORED;
    write(target, name, at, read(run.old, name, at, STORED));
  }

  private static void putBack(Run run, SimulatedMedium target, String name) {
    try (MediumFile file = run.old.open(name)) {
      write(target, name, 0, read(run.old, name, 0, (int) file.size()));
    }
  }

  /** Null if the heap is refused, also when it is used; else both words of a block. */
  private long @Nullable [] words(SimulatedMedium medium, int block) {
    try (Engine engine = open(medium)) {
      long at = Reference.payload(blocks[block]);
      return new long[] {engine.memory().getLong(at), engine.memory().getLong(at + 8)};
    } catch (EverheapException e) {
      assertThat(e.code()).isIn("EH-CORRUPT", "EH-CORRUPT-LOG", "EH-TRUNCATED");
      return null;
    }
  }

  private static List<CrashImage> some(Run run, SplittableRandom random, int count) {
    List<CrashImage> some = new ArrayList<>();
    for (int i = 0; i < count * EFFORT; i++) {
      some.add(run.moments.get(random.nextInt(run.moments.size())));
    }
    some.add(run.moments.getLast());
    return some;
  }

  /** Without tampering each moment is accepted: so what follows is refused for what it is. */
  @Test
  void eachMomentIsAccepted() {
    Run run = run();
    SplittableRandom random = new SplittableRandom(1);
    assertThat(run.moments).hasSizeGreaterThan(20);
    for (CrashImage moment : run.moments) {
      for (Chooser chooser :
          List.of(Chooser.all(), Chooser.none(), Chooser.random(random.nextLong()))) {
        int block = random.nextInt(ALL);
        long[] words = words(moment.powerLoss(chooser), block);
        assertThat(words).isNotNull().containsExactly(block < WRITTEN ? 2 : 1, 2);
      }
    }
  }

  /** A page that the last checkpoint does not write, with its digest, and with the seals. */
  @Test
  void aPageOutsideOfTheRoundsIsNotPutBack() {
    Run run = run();
    SplittableRandom random = new SplittableRandom(2);
    int refused = 0;
    for (CrashImage moment : some(run, random, 60)) {
      int block = random.nextInt(WRITTEN + 2, ALL);
      SimulatedMedium target = moment.powerLoss(Chooser.all());
      putBack(run, target, "heap", page(block));
      int more = random.nextInt(4);
      if (more > 0) {
        putBack(run, target, "heap.crc", page(block) / 512);
      }
      if (more > 1) {
        putBack(run, target, "heap.root");
      }
      if (more > 2) {
        putBack(run, target, "heap.round");
      }
      long[] words = words(target, block);
      if (words != null) {
        assertThat(words).as("with %d files more", more).containsExactly(1, 2);
      } else {
        refused++;
      }
    }
    assertThat(refused).isPositive();
  }

  /**
   * Of a page that the checkpoint writes, the log has each change since the last one. What the log
   * does not change may be old after a crash: that is the gap which docs/encryption.md names.
   */
  @Test
  void whatTheLogChangedIsNeverOld() {
    Run run = run();
    SplittableRandom random = new SplittableRandom(3);
    int old = 0;
    for (CrashImage moment : some(run, random, 60)) {
      int block = random.nextInt(WRITTEN);
      SimulatedMedium target = moment.powerLoss(Chooser.all());
      putBack(run, target, "heap", page(block));
      if (random.nextBoolean()) {
        putBack(run, target, "heap.crc", page(block) / 512);
      }
      long[] words = words(target, block);
      if (words != null) {
        assertThat(words[0]).isEqualTo(2);
        old += words[1] == 1 ? 1 : 0;
      }
    }
    assertThat(old).as("pages with an old rest that were accepted").isPositive();
  }

  /** After a close nothing is open: each page counts, the one that was written last, too. */
  @Test
  void afterACloseNoPageIsPutBack() {
    Run run = run();
    for (int block = 0; block < ALL; block += 7) {
      for (int more = 0; more < 4; more++) {
        SimulatedMedium target = run.moments.getLast().powerLoss(Chooser.all());
        putBack(run, target, "heap", page(block));
        if (more > 0) {
          putBack(run, target, "heap.crc", page(block) / 512);
        }
        if (more > 1) {
          putBack(run, target, "heap.root");
        }
        if (more > 2) {
          putBack(run, target, "heap.round");
        }
        assertThat(words(target, block)).as("block %d, %d files more", block, more).isNull();
      }
    }
  }

  /** The machine stops at each point of a shrink, which gives seals and entries up. */
  @Test
  void aShrinkIsWholeOrDidNotHappen() {
    SimulatedMedium made = SimulatedMedium.file(1);
    try (Engine engine = open(made)) {
      store(engine, 0, ALL, 0, 1);
      store(engine, 0, ALL, 8, 2);
      engine.checkpoint();
      long[] large = new long[8];
      for (int i = 0; i < large.length; i++) {
        engine.transactions().begin();
        large[i] = engine.allocator().allocate(300, LARGE);
        for (long at = 0; at < LARGE; at += PAGE) { // so that its pages have entries
          engine.memory().putLong(Stripes.NONE, Reference.payload(large[i]) + at, 1);
        }
        engine.transactions().end(true);
      }
      engine.checkpoint();
      engine.transactions().begin();
      for (long each : large) {
        engine.allocator().free(Stripes.NONE, each);
      }
      engine.transactions().end(true);
    }
    SimulatedMedium counted = made.processKill();
    long[] points = new long[2];
    try (Engine engine = open(counted)) {
      points[0] = counted.points();
      assertThat(engine.shrink()).as("bytes given back").isPositive();
      points[1] = counted.points();
    }
    for (long point = 1; point < points[1] - points[0]; point++) {
      for (Chooser chooser : List.of(Chooser.all(), Chooser.none(), Chooser.random(point))) {
        SimulatedMedium medium = made.processKill();
        Engine engine = open(medium);
        medium.dieAt(medium.points() + point);
        assertThatThrownBy(
                () -> {
                  engine.shrink();
                  engine.close();
                })
            .isInstanceOfAny(Crash.class, EverheapException.class);
        int block = (int) (point % ALL);
        assertThat(words(medium.powerLoss(chooser), block))
            .as("at point %d", point)
            .isNotNull()
            .containsExactly(1, 2);
      }
    }
  }

  /** Pages that an opening reads before it knows what the log changes. */
  @Test
  void theCatalogIsNotPutBack() {
    Run run = run();
    SplittableRandom random = new SplittableRandom(4);
    for (CrashImage moment : some(run, random, 40)) {
      SimulatedMedium target = moment.powerLoss(Chooser.all());
      putBack(run, target, "heap", 2);
      for (int block : new int[] {0, ALL - 1}) {
        long[] words = words(target.processKill(), block);
        if (words != null) {
          assertThat(words).containsExactly(block < WRITTEN ? 2 : 1, 2);
        }
      }
    }
  }
}
