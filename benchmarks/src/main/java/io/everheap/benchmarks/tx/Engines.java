package io.everheap.benchmarks.tx;

import io.everheap.benchmarks.medium.EmulatedDaxMedium;
import io.everheap.engine.Engine;
import io.everheap.engine.EngineOptions;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.Transactions;
import io.everheap.memory.FileMedium;
import java.nio.file.Path;
import java.time.Duration;

/** Engines with the default sizes and the durability that a case needs. */
final class Engines {
  /** How often an asynchronous heap syncs in the background. */
  static final Duration INTERVAL = Duration.ofMillis(10);

  /** The type of blocks that are no one else's. */
  static final int TYPE = 1000;

  /** Any stripe: a structure would derive it from the address. */
  static final int STRIPE = 7;

  private Engines() {}

  /** A heap on emulated persistent memory whose log has all its segments. */
  static Engine emulatedDax(Path directory, int logMib) {
    return withLog(
        Engine.open(
            EmulatedDaxMedium.open(directory), withLogSize(options(true, 0, true), logMib)));
  }

  static Engine syncFile(Path directory) {
    return Engine.open(FileMedium.open(directory, false, true), options(true, 0, true));
  }

  /** A heap on a file whose commits do not wait, and whose log has all its segments. */
  static Engine asyncFile(Path directory, int logMib) {
    EngineOptions options = options(false, INTERVAL.toNanos(), true);
    return withLog(
        Engine.open(FileMedium.open(directory, false, true), withLogSize(options, logMib)));
  }

  private static EngineOptions withLogSize(EngineOptions o, int logMib) {
    long logSize = (long) logMib << 20;
    return new EngineOptions(
        o.maxCapacity(),
        o.extentShift(),
        logSize,
        (int) Math.min(o.segmentSize(), Long.highestOneBit(logSize / 8)),
        o.ringSize(),
        o.maxTransaction(),
        o.memoryBudget(),
        o.lockTimeoutNanos(),
        o.sync(),
        o.asyncNanos(),
        o.automatic());
  }

  /** Writes as much log as the heap keeps: from then on segments are used again. */
  private static Engine withLog(Engine engine) {
    long word = allocate(engine, 8);
    long end = engine.log().appended() + engine.options().logSize();
    while (engine.log().appended() < end) {
      update(engine, word, end);
    }
    return engine;
  }

  /** Updates a word in a transaction of its own. */
  static void update(Engine engine, long address, long value) {
    Transactions tx = engine.transactions();
    tx.begin();
    boolean ok = false;
    try {
      engine.memory().putLong(STRIPE, address, value);
      ok = true;
    } finally {
      tx.end(ok);
    }
  }

  static EngineOptions options(boolean sync, long asyncNanos, boolean automatic) {
    EngineOptions d = EngineOptions.defaults();
    return new EngineOptions(
        d.maxCapacity(),
        d.extentShift(),
        d.logSize(),
        d.segmentSize(),
        d.ringSize(),
        d.maxTransaction(),
        d.memoryBudget(),
        d.lockTimeoutNanos(),
        sync,
        asyncNanos,
        automatic);
  }

  /** Allocates a block of zeros in a transaction of its own and returns where its payload is. */
  static long allocate(Engine engine, long bytes) {
    Transactions tx = engine.transactions();
    long reference = 0;
    tx.begin();
    boolean ok = false;
    try {
      reference = engine.allocator().allocate(TYPE, bytes);
      ok = true;
    } finally {
      tx.end(ok);
    }
    return Reference.payload(reference);
  }
}
