package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.durable.Durable;
import io.everheap.engine.Engine;
import io.everheap.engine.EngineOptions;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.Stripes;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.CrashImage;
import io.everheap.testkit.machine.SimulatedMedium;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** Reads of what a log changed, before a checkpoint brought all pages up to date. */
public final class RedoScenarios {
  private static final HeapSetup SYNC = new HeapSetup(true);
  private static final int BYTES = 16 << 10; // several pages
  private static final int WORDS = 64;
  private static final int ROWS = 300; // some of which lie in two pages

  private RedoScenarios() {}

  /** Of a size that does not divide that of a page. */
  @Durable(name = "redo.Row")
  interface Row {
    long a();

    void a(long value);

    long b();

    void b(long value);

    long c();

    void c(long value);

    long d();

    void d(long value);

    long e();

    void e(long value);

    long f();

    void f(long value);

    long g();

    void g(long value);

    long h();

    void h(long value);

    long i();

    void i(long value);

    long j();

    void j(long value);

    long k();

    void k(long value);

    default void fill(long value) {
      a(value);
      b(value);
      c(value);
      d(value);
      e(value);
      f(value);
      g(value);
      h(value);
      i(value);
      j(value);
      k(value);
    }

    default void check(long value) {
      assertThat(List.of(a(), b(), c(), d(), e(), f(), g(), h(), i(), j(), k()))
          .containsOnly(value);
    }
  }

  /** Fields of objects are loaded without a look at the region, where that is right. */
  public static void objectsAreUpToDate() {
    for (SimulatedMedium medium : List.of(SimulatedMedium.file(1), SimulatedMedium.dax(1))) {
      CrashImage left;
      try (Heap heap = SYNC.open(medium)) {
        for (int i = 0; i < ROWS; i++) {
          int age = i;
          rows(heap).put(i, heap.create(Row.class, row -> row.fill(age)));
        }
        heap.checkpoint();
        for (int i = 0; i < ROWS; i++) {
          rows(heap).get(i).fill(-i);
        }
        left = medium.image();
      }
      try (Heap heap = SYNC.open(left.powerLoss(Chooser.none()))) {
        Row last = rows(heap).get(ROWS - 1);
        for (int i = 0; i < ROWS; i++) {
          rows(heap).get(i).check(-i);
        }
        heap.checkpoint();
        last.check(1 - ROWS);
      }
    }
  }

  /** Stores to pages that nothing loaded from before. */
  public static void storesAreKept() {
    EngineOptions options = SimulatedHeaps.options(Durability.SYNC);
    for (SimulatedMedium medium : List.of(SimulatedMedium.file(1), SimulatedMedium.dax(1))) {
      CrashImage left;
      long kept;
      long freed;
      try (Engine engine = Engine.open(medium, options)) {
        kept = block(engine);
        freed = block(engine);
        engine.checkpoint();
        transact(engine, () -> putWords(engine, kept, 1));
        transact(engine, () -> putWords(engine, freed, 1));
        transact(engine, () -> engine.allocator().free(Stripes.NONE, freed));
        left = medium.image();
      }
      try (Engine engine = Engine.open(left.powerLoss(Chooser.none()), options)) {
        long middle = Reference.payload(kept) + BYTES / 2;
        transact(engine, () -> engine.memory().putLong(Stripes.NONE, middle, 2));
        long[] fresh = new long[1];
        byte[] bytes = new byte[BYTES];
        Arrays.fill(bytes, (byte) 3);
        transact(
            engine,
            () -> {
              fresh[0] = engine.allocator().allocateRaw(1, BYTES);
              engine.memory().initBytes(Reference.payload(fresh[0]), bytes, 0, BYTES);
            });
        assertThat(Reference.address(fresh[0])).isEqualTo(Reference.address(freed));
        for (int i = 0; i < BYTES; i += 8) {
          long at = Reference.payload(kept) + i;
          assertThat(engine.memory().getLong(at)).isEqualTo(at == middle ? 2 : 1);
          assertThat(engine.memory().getLong(Reference.payload(fresh[0]) + i))
              .isEqualTo(0x0303_0303_0303_0303L);
        }
      }
    }
  }

  /** Commits that are in the ring alone, of which the newest lie before the oldest. */
  public static void aRingThatWrapsIsAppliedInItsOrder() {
    EngineOptions options = SimulatedHeaps.options(Durability.async(Duration.ofHours(1)));
    SimulatedMedium medium = SimulatedMedium.file(1);
    try (Engine engine = Engine.open(medium, options)) {
      long block = block(engine);
      engine.checkpoint();
      long value = 0;
      for (int round = 0; round < 4; round++) {
        long start = engine.log().appended();
        engine.log().awaitDurable(start);
        while (engine.log().appended() - start < options.ringSize() / 4 * 3L) {
          int word = (int) (++value % WORDS);
          long next = value;
          transact(
              engine,
              () ->
                  engine
                      .memory()
                      .putLong(Stripes.NONE, Reference.payload(block) + 8L * word, next));
        }
        try (Engine again = Engine.open(medium.image().processKill(), options)) {
          again.checkpoint();
          for (long newest = value - WORDS + 1; newest <= value; newest++) {
            long at = Reference.payload(block) + newest % WORDS * 8;
            assertThat(again.memory().getLong(at)).isEqualTo(newest);
          }
        }
      }
    }
  }

  private static long block(Engine engine) {
    long[] block = new long[1];
    transact(engine, () -> block[0] = engine.allocator().allocate(1, BYTES));
    return block[0];
  }

  private static void putWords(Engine engine, long block, long value) {
    for (int i = 0; i < BYTES; i += 8) {
      engine.memory().putLong(Stripes.NONE, Reference.payload(block) + i, value);
    }
  }

  private static void transact(Engine engine, Runnable body) {
    engine.transactions().run(body::run);
  }

  private static DurableMap<Integer, Row> rows(Heap heap) {
    return heap.map("rows", Integer.class, Row.class);
  }
}
