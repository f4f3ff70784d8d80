package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.encryption.KeyProvider;
import io.everheap.engine.Engine;
import io.everheap.engine.EngineOptions;
import io.everheap.engine.alloc.AllocationVisitor;
import io.everheap.engine.alloc.AllocationWalker;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.home.CheckedPages.PageDamage;
import io.everheap.engine.tx.Stripes;
import io.everheap.memory.Medium;
import io.everheap.memory.crypt.SealedMedium;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * A process that uses the engine alone: the catalog words hold references to blocks of all sizes,
 * whose words follow from the first one. A state is the list of these first words.
 */
final class BlockProcess implements SimulatedProcess {
  private static final int CELLS = 16;
  private static final int TYPE = 300;
  private static final KeyProvider KEY = KeyProvider.of(new byte[32]);

  private final EngineOptions options;
  private final boolean encrypted;
  private final long seed;
  private final int steps;
  private final Random random;
  private final Ledger<List<Long>> ledger;

  /** The first process, which makes the heap. */
  BlockProcess(EngineOptions options, long seed, int steps) {
    this(options, false, seed, steps);
  }

  /** The first process, which makes the heap, encrypted or not. */
  BlockProcess(EngineOptions options, boolean encrypted, long seed, int steps) {
    this(options, encrypted, seed, steps, Ledger.Before.of(Collections.nCopies(CELLS, 0L)));
  }

  private BlockProcess(
      EngineOptions options,
      boolean encrypted,
      long seed,
      int steps,
      Ledger.Before<List<Long>> before) {
    this.options = options;
    this.encrypted = encrypted;
    this.seed = seed;
    this.steps = steps;
    this.random = new Random(seed);
    this.ledger = new Ledger<>(before, options.sync());
  }

  @Override
  public Promise promise() {
    return ledger.promise(
        (next, before) ->
            new BlockProcess(options, encrypted, next, Math.min(steps, 8), left(before)));
  }

  /** A killed process keeps of an encrypted heap what is durable: the ring is in its memory. */
  private Ledger.Before<List<Long>> left(Ledger.Before<List<Long>> before) {
    return encrypted
        ? new Ledger.Before<>(
            before.history(),
            before.durable(),
            before.durable(),
            before.powerLost(),
            before.first())
        : before;
  }

  @Override
  public void run(SimulatedMedium medium) {
    if (medium.exists("heap") && new Random(seed).nextInt(3) == 0) {
      try (SimulatedMedium reader = medium.image().readOnly();
          Engine engine = open(reader)) {
        contents(engine);
      }
    }
    try (Engine engine = open(medium)) {
      ledger.opened(contents(engine));
      work(engine);
      assertThat(contents(engine)).as("before the end").isEqualTo(ledger.last());
    }
    if (new Random(seed).nextInt(4) == 0) {
      try (SimulatedMedium again = medium.processKill();
          Engine engine = open(again)) {
        assertThat(contents(engine)).as("after a clean close").isEqualTo(ledger.last());
      }
    }
  }

  private Engine open(SimulatedMedium medium) {
    Medium on = encrypted ? SealedMedium.open(medium, KEY) : medium;
    Engine engine = Engine.open(on, options);
    medium.opened(engine);
    return engine;
  }

  private void work(Engine engine) {
    for (int i = 0; i < steps; i++) {
      transaction(engine);
      if (random.nextInt(10) == 0) {
        engine.checkpoint();
        ledger.synced();
      }
      if (random.nextInt(12) == 0) {
        engine.sync();
        ledger.synced();
      }
      if (random.nextInt(20) == 0) {
        engine.shrink();
      }
    }
  }

  private void transaction(Engine engine) {
    List<Long> state = new ArrayList<>(ledger.last());
    boolean commit = random.nextInt(8) != 0;
    engine.transactions().begin();
    boolean ok = false;
    try {
      for (int i = random.nextInt(1, 4); i > 0; i--) {
        change(engine, state);
        if (random.nextInt(4) == 0) {
          inner(engine, state);
        }
      }
      if (commit) {
        ledger.announce(List.copyOf(state));
      }
      ok = commit;
    } finally {
      engine.transactions().end(ok);
    }
    if (commit) {
      ledger.committed();
    }
  }

  private void inner(Engine engine, List<Long> state) {
    List<Long> inner = new ArrayList<>(state);
    boolean commit = random.nextBoolean();
    engine.transactions().begin();
    boolean ok = false;
    try {
      for (int i = random.nextInt(1, 3); i > 0; i--) {
        change(engine, inner);
      }
      ok = commit;
    } finally {
      engine.transactions().end(ok);
    }
    if (commit) {
      Collections.copy(state, inner);
    }
  }

  private void change(Engine engine, List<Long> state) {
    int cell = random.nextInt(CELLS);
    long word = engine.context().catalog(cell);
    long old = engine.memory().getLong(word);
    long value = random.nextInt(1, Integer.MAX_VALUE);
    if (old != Reference.NULL && engine.allocator().size(old) < 20_000 && random.nextInt(3) == 0) {
      update(engine, old, value);
    } else {
      if (old != Reference.NULL) {
        engine.allocator().free(cell, old);
      }
      boolean empty = random.nextInt(4) == 0;
      value = empty ? 0 : value;
      engine.memory().putLong(cell, word, empty ? Reference.NULL : block(engine, value));
    }
    state.set(cell, value);
  }

  /** Each block has its size in its second word. */
  private long block(Engine engine, long value) {
    int words =
        2
            + random.nextInt(
                switch (random.nextInt(60)) {
                  case 0 -> 60_000;
                  case 1, 2, 3, 4 -> 2_000;
                  default -> 40;
                });
    long reference = engine.allocator().allocateRaw(TYPE, words * 8L);
    ByteBuffer bytes = ByteBuffer.allocate(words * 8).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < words; i++) {
      bytes.putLong(word(value, words, i));
    }
    engine.memory().initBytes(Reference.payload(reference), bytes.array(), 0, words * 8);
    return reference;
  }

  private void update(Engine engine, long reference, long value) {
    long at = Reference.payload(reference);
    int words = Math.toIntExact(engine.allocator().size(reference) / 8);
    for (int i = 0; i < words; i++) {
      engine.memory().putLong(Stripes.NONE, at + i * 8L, word(value, words, i));
    }
  }

  private static long word(long value, int words, int i) {
    return switch (i) {
      case 0 -> value;
      case 1 -> words;
      default -> value * 31 + i;
    };
  }

  /** Reads everything and checks that what is allocated is what the cells hold. */
  private static List<Long> contents(Engine engine) {
    List<PageDamage> damaged = new ArrayList<>();
    engine.scrub(damaged::add);
    assertThat(damaged).as("pages that do not match their checksums").isEmpty();
    List<Long> state = new ArrayList<>();
    List<Long> held = new ArrayList<>();
    for (int cell = 0; cell < CELLS; cell++) {
      long reference = engine.memory().getLong(engine.context().catalog(cell));
      if (reference == Reference.NULL) {
        state.add(0L);
        continue;
      }
      held.add(Reference.address(reference));
      long at = Reference.payload(reference);
      long value = engine.memory().getLong(at);
      int words = Math.toIntExact(engine.allocator().size(reference) / 8);
      for (int i = 0; i < words; i++) {
        if (engine.memory().getLong(at + i * 8L) != word(value, words, i)) {
          throw new AssertionError("word " + i + " of the block of cell " + cell);
        }
      }
      state.add(value);
    }
    checkAllocated(engine, held);
    return state;
  }

  private static void checkAllocated(Engine engine, List<Long> held) {
    List<Long> allocated = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    AllocationVisitor visitor =
        new AllocationVisitor() {
          @Override
          public void block(long reference, int type, long size) {
            allocated.add(Reference.address(reference));
          }

          @Override
          public void problem(long address, String message) {
            problems.add(message + " at " + address);
          }
        };
    AllocationWalker walker = new AllocationWalker(engine.memory(), engine.home().extentShift());
    engine.transactions().quiesced(() -> walker.walk(visitor));
    assertThat(problems).as("problems of the allocator").isEmpty();
    assertThat(allocated).as("allocated blocks").containsExactlyInAnyOrderElementsOf(held);
  }
}
