package io.everheap.testkit;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.collection.DurableLongArray;
import io.everheap.collection.DurableMap;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * What a writer does to a heap before and during a checkpoint, which is called a round. Each
 * transaction has a number, and all that it stores says which.
 *
 * <p>An array lies in several pages. The transaction before a round stores to the first pages, and
 * so these are written in the round; the writer stores to some of them and to others. A map holds
 * values that are allocated and freed.
 */
final class RoundsWork {
  private static final Durability ASYNC = Durability.async(Duration.ofMinutes(30));

  private static final int PAGES = 9;
  private static final long WORDS_OF_A_PAGE = 512;
  private static final int END_IN_ROUND = 6;
  private static final int START_OF_WRITER = 3;
  private static final int VALUES = 8;
  private static final long LARGE = 100;

  private final Heap heap;
  private final Ledger<Map<Long, Long>> ledger;
  private long number;

  /** What the writer does. */
  enum Act {
    /** Overwrites pages in and outside of the round; durable on return. */
    OVERWRITE,
    /** The same, not durable on return. */
    OVERWRITE_ASYNC,
    /** Allocates values and frees others. */
    ALLOCATE,
    /** The same, not durable on return. */
    ALLOCATE_ASYNC,
    /** Does all of that, and is rolled back. */
    ROLL_BACK,
    /** Several commits; only the last one waits until it is durable. */
    SEVERAL,
    /** A record of more than a segment of the log. */
    LARGE
  }

  /** Ends a transaction that is to be rolled back. */
  private static final class Undo extends RuntimeException {
    Undo() {
      super(null, null, false, false);
    }
  }

  RoundsWork(Heap heap, Ledger<Map<Long, Long>> ledger) {
    this.heap = heap;
    this.ledger = ledger;
  }

  /** Stores to everything for the first time. */
  void begin() {
    commit(
        Durability.SYNC,
        state -> {
          store(state, 0, PAGES);
          for (long key = 0; key < VALUES; key++) {
            put(state, key, 600);
          }
        });
    heap.checkpoint();
  }

  /** The transaction before a round; durable on return. */
  void change() {
    commit(
        Durability.SYNC,
        state -> {
          store(state, 0, END_IN_ROUND);
          put(state, number % VALUES, 600);
        });
  }

  void act(Act act) {
    switch (act) {
      case OVERWRITE -> overwrite(Durability.SYNC);
      case OVERWRITE_ASYNC -> overwrite(ASYNC);
      case ALLOCATE -> commit(Durability.SYNC, this::allocate);
      case ALLOCATE_ASYNC -> commit(ASYNC, this::allocate);
      case ROLL_BACK -> {
        try {
          heap.transact(
              () -> {
                Map<Long, Long> scratch = new TreeMap<>(ledger.last());
                number++;
                store(scratch, START_OF_WRITER, PAGES);
                allocate(scratch);
                throw new Undo();
              });
        } catch (Undo e) {
          // As wanted.
        }
      }
      case SEVERAL -> {
        overwrite(ASYNC);
        commit(ASYNC, this::allocate);
        overwrite(Durability.SYNC);
      }
      case LARGE -> commit(Durability.SYNC, state -> put(state, LARGE, 150_000));
    }
  }

  private void overwrite(Durability durability) {
    commit(durability, state -> store(state, START_OF_WRITER, PAGES));
  }

  private void allocate(Map<Long, Long> state) {
    put(state, number % VALUES, 3_000);
    put(state, VALUES + number % 3, 5_000);
    remove(state, VALUES + (number + 1) % 3);
  }

  private void commit(Durability durability, Consumer<Map<Long, Long>> body) {
    int place =
        heap.transact(
            durability,
            () -> {
              Map<Long, Long> state = new TreeMap<>(ledger.last());
              number = 1 + state.values().stream().mapToLong(n -> n).max().orElse(0);
              body.accept(state);
              return ledger.announce(state); // no other transaction commits before this one ends
            });
    ledger.committed(place);
    if (durability instanceof Durability.Sync) {
      ledger.synced(place);
    }
  }

  private void store(Map<Long, Long> state, int fromPage, int toPage) {
    for (int page = fromPage; page < toPage; page++) {
      array().set(page * WORDS_OF_A_PAGE, number);
      state.put(-1L - page, number);
    }
  }

  private void put(Map<Long, Long> state, long key, int bytes) {
    byte[] value = new byte[bytes];
    Arrays.fill(value, (byte) number);
    value[0] = (byte) (number >> 8);
    values().put(key, value);
    state.put(key, number);
  }

  private void remove(Map<Long, Long> state, long key) {
    values().remove(key);
    state.remove(key);
  }

  /** The number of the transaction that stored each part. */
  Map<Long, Long> contents() {
    Map<Long, Long> state = new TreeMap<>();
    values().forEach((key, value) -> state.put(key, number(value)));
    if (!state.isEmpty()) {
      for (int page = 0; page < PAGES; page++) {
        state.put(-1L - page, array().get(page * WORDS_OF_A_PAGE));
      }
    }
    return state;
  }

  private static long number(byte[] value) {
    for (int i = 2; i < value.length; i++) {
      if (value[i] != value[1]) {
        throw new AssertionError("a value has bytes of several transactions");
      }
    }
    return Short.toUnsignedLong((short) (value[0] << 8 | (value[1] & 0xff)));
  }

  private DurableLongArray array() {
    return heap.root("array", DurableLongArray.ofLength(PAGES * WORDS_OF_A_PAGE));
  }

  private DurableMap<Long, byte[]> values() {
    return heap.map("values", Long.class, byte[].class);
  }
}
