package io.everheap.engine;

import io.everheap.engine.counters.Counter;
import io.everheap.engine.counters.CountersLayout;
import io.everheap.engine.counters.CountersWriter;
import io.everheap.engine.event.EngineLogger;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.log.LogArchiver;
import io.everheap.memory.Medium;

/**
 * What an open heap does once per second, in the thread that watches its files: it looks for
 * failures that no caller has met, and publishes its counters. The first publication comes a second
 * after the opening, which therefore does not wait for it. Transactions do nothing for either.
 */
final class EngineWatch implements AutoCloseable {
  private final Engine engine;
  private final HeapState state;
  private final SuperblockStore superblocks;
  private final HomeSize size;
  private final Gate gate;
  private final Runnable tend;
  private final CountersWriter counters;
  private final Medium.Watch watch;
  private boolean publishes; // guarded by this

  EngineWatch(
      Engine engine,
      HeapState state,
      SuperblockStore superblocks,
      HomeSize size,
      Gate gate,
      Runnable tend) {
    this.tend = tend;
    this.engine = engine;
    this.state = state;
    this.superblocks = superblocks;
    this.size = size;
    this.gate = gate;
    Medium medium = engine.medium();
    this.counters = new CountersWriter(medium, superblocks.current().uuid(), this::value);
    this.publishes = !medium.readOnly();
    this.watch = engine.options().automatic() ? medium.watch(this::check, this::fail) : () -> {};
  }

  private void check() {
    publish();
    state.completePoisoning(); // an error may have interrupted it
    engine.log().recheck();
    superblocks.requireOurs();
    if (!engine.medium().readOnly()) {
      tend.run();
    }
  }

  /** Publishes the failure as well, since the thread ends. */
  private void fail(Throwable cause) {
    try {
      state.fail(cause);
    } finally {
      publish();
    }
  }

  /** Never fails: nothing depends on the counters. */
  private synchronized void publish() {
    if (publishes) {
      try {
        counters.publish(state.isPoisoned() ? CountersLayout.POISONED : CountersLayout.OPEN);
      } catch (RuntimeException e) {
        giveUp(e);
      }
    }
  }

  private long value(Counter counter) {
    return switch (counter) {
      case COMMITS -> engine.transactions().commits();
      case ABORTS -> engine.transactions().aborts();
      case CHECKPOINTS -> engine.checkpoints();
      case GROWTHS -> engine.growths();
      case APPENDED_LSN -> engine.log().appended();
      case DURABLE_LSN -> engine.log().durable();
      case CHECKPOINT_LSN -> superblocks.current().checkpointLsn();
      case ARCHIVED_LSN -> LogArchiver.reach(engine.archiver());
      case LOG_USED -> engine.log().used();
      case LOG_SIZE -> engine.log().limit();
      case HOME_SIZE -> size.allocated();
      case DIRTY -> engine.home().dirty().count() * HomeLayout.PAGE_SIZE;
      case PRIVATE ->
          engine.medium().byteAddressable()
              ? 0
              : engine.home().privatePages() * HomeLayout.PAGE_SIZE;
      case PENDING -> engine.home().redo().pendingPages() * HomeLayout.PAGE_SIZE;
      case WAITING_WRITERS -> engine.transactions().lock.waiters();
      case GATE_SHUT -> gate.holdsBack() ? 1 : 0;
    };
  }

  private void giveUp(RuntimeException e) {
    publishes = false;
    EngineLogger.get().log(System.Logger.Level.DEBUG, "counters are no longer published", e);
  }

  /** Ends the thread, and deletes the counters. */
  @Override
  public void close() {
    watch.close();
    synchronized (this) {
      publishes = false;
      try {
        counters.close();
      } catch (RuntimeException e) {
        giveUp(e);
      }
    }
  }
}
