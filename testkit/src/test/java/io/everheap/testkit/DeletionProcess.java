package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.everheap.Heap;
import io.everheap.engine.HeapFiles;
import io.everheap.error.MissingException;
import io.everheap.testkit.machine.SimulatedMedium;

/**
 * A process that makes a heap with an entry and a region, and deletes it. Its successor finds the
 * whole heap, or one that can only be deleted, or none.
 */
final class DeletionProcess implements SimulatedProcess {
  /** How far it was. */
  private enum State {
    NEW,
    COMMITTED,
    DELETING,
    DELETED
  }

  private final HeapSetup setup;
  private volatile State state;

  DeletionProcess(HeapSetup setup) {
    this(setup, State.NEW);
  }

  private DeletionProcess(HeapSetup setup, State state) {
    this.setup = setup;
    this.state = state;
  }

  @Override
  public Promise promise() {
    State now = state;
    return new Promise() {
      @Override
      public SimulatedProcess successor(boolean powerLost, long seed) {
        return new DeletionProcess(setup, now);
      }

      @Override
      public Object key() {
        return now;
      }
    };
  }

  @Override
  public void run(SimulatedMedium medium) {
    boolean there = HeapFiles.exists(medium);
    if (state == State.NEW || (state != State.DELETED && there)) {
      use(medium);
    } else if (state == State.COMMITTED) {
      throw new AssertionError("the heap is lost, and was not deleted");
    }
    if (state != State.DELETED) {
      delete(medium);
    }
    assertThat(medium.list("")).isEmpty();
    assertThat(medium.list("log")).isEmpty();
  }

  private void use(SimulatedMedium medium) {
    try (Heap heap = setup.open(medium, BackupProcess.unclosed(medium))) {
      if (state != State.NEW) {
        assertThat(heap.names()).contains("numbers");
      }
      setup.verify(heap);
      heap.map("numbers", Long.class, Long.class).put(1L, 1L);
      state = state == State.NEW ? State.COMMITTED : state;
      if (setup.key() == null) {
        heap.region("r", 4096);
      }
      heap.checkpoint();
    }
  }

  private void delete(SimulatedMedium medium) {
    if (medium.exists("heap.deleted")) {
      assertThatExceptionOfType(MissingException.class)
          .isThrownBy(() -> setup.open(medium, BackupProcess.unclosed(medium)))
          .withMessageContaining("was interrupted");
    } else if (!medium.exists("heap")) {
      assertThat(state).isEqualTo(State.DELETING);
      return;
    }
    state = State.DELETING;
    HeapFiles.delete(medium);
    state = State.DELETED;
  }
}
