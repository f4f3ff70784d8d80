package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.support.Limit;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Reads in the middle of a commit, and commits in the middle of a read: each access of the home
 * image in turn is where one thread stops until the other one has ended or waits. Each scenario
 * throws when something is wrong.
 */
public final class ReaderScenarios {
  private ReaderScenarios() {}

  private static DurableMap<Long, byte[]> values(Heap heap) {
    return heap.map("values", Long.class, byte[].class);
  }

  private static byte[] filled(int length, int with) {
    byte[] value = new byte[length];
    Arrays.fill(value, (byte) with);
    return value;
  }

  /**
   * Commits that change several values in their places stop at each of their stores, and each value
   * is read then: it is the one before or after the commit.
   */
  public static void aReadDuringACommitSeesAWholeValue() throws Exception {
    var commits = new StoppedCommits();
    try (Heap heap = RaceScenarios.open(HookedMedium.of(SimulatedMedium.file(1), commits))) {
      commits.begin(heap);
      for (int i = 1; i <= 4; i++) { // a stripe that is odd between two commits is even at the next
        commits.commit(heap, i);
      }
    }
  }

  /** A writer that stops at each store, and a reader for each value. */
  private static final class StoppedCommits implements HookedMedium.Hook {
    /** So many that they have several stripes, whatever the seed of the map. */
    private static final int VALUES = 8;

    private static final int WORDS = 8;

    private final Thread writer = Thread.currentThread();
    private final List<Reader> readers = new ArrayList<>();
    private int stops;

    void begin(Heap heap) {
      write(heap, 0);
      for (long key = 0; key < VALUES; key++) {
        readers.add(new Reader(values(heap), key));
      }
    }

    void commit(Heap heap, int with) throws Exception {
      stops = 0;
      readers.forEach(reader -> reader.newest = with);
      write(heap, with);
      assertThat(stops).as("stores of a commit").isGreaterThanOrEqualTo(VALUES * WORDS);
      for (Reader reader : readers) {
        reader.end();
      }
    }

    private static void write(Heap heap, int with) {
      heap.transact(
          () -> {
            for (long key = 0; key < VALUES; key++) {
              values(heap).put(key, filled(WORDS * Long.BYTES, with));
            }
          });
    }

    @Override
    public void before(String call, String file) {
      if (call.equals("store") && Thread.currentThread().equals(writer)) {
        stops++;
        readers.forEach(Reader::read);
      }
    }
  }

  /** Reads one value, in one thread at a time. */
  private static final class Reader {
    private final DurableMap<Long, byte[]> map;
    private final long key;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private Thread thread = new Thread();
    private volatile int newest;

    Reader(DurableMap<Long, byte[]> map, long key) {
      this.map = map;
      this.key = key;
    }

    /** Reads, unless a read waits for the writer; returns when it has ended, or waits as well. */
    void read() {
      if (!thread.isAlive() && failure.get() == null) {
        thread = Thread.ofPlatform().daemon().start(this::get);
      }
      Threads.awaitWaiting(thread, "WriterLock");
    }

    private void get() {
      try {
        byte[] value = map.get(key);
        assertThat(value).isIn(filled(value.length, newest - 1), filled(value.length, newest));
      } catch (Throwable t) {
        failure.set(t);
      }
    }

    void end() throws InterruptedException {
      Limit.join(thread);
      assertThat(failure.get()).as("what is wrong with value " + key).isNull();
    }
  }

  /** A commit makes a value shorter before the first load of a read, the second one, and so on. */
  public static void aCommitDuringARead() {
    var commit = new CommitWithin();
    try (Heap heap = RaceScenarios.open(HookedMedium.of(SimulatedMedium.file(1), commit))) {
      DurableMap<Long, byte[]> map = values(heap);
      int loads = 0;
      do {
        map.put(1L, filled(200, 1));
        commit.before(++loads, () -> map.put(1L, filled(150, 2)));
        assertThat(map.get(1L)).isIn(filled(200, 1), filled(150, 2));
      } while (commit.end());
      assertThat(loads).as("loads of a read").isGreaterThan(3);
    }
  }

  /** Runs something in another thread, once, before a load of this one. */
  private static final class CommitWithin implements HookedMedium.Hook {
    private final Thread reader = Thread.currentThread();
    private Runnable action = () -> {};
    private int left;

    void before(int nth, Runnable runs) {
      left = nth;
      action = runs;
    }

    /** Whether it ran; from now on it does not. */
    boolean end() {
      boolean ran = left == 0;
      left = 0;
      return ran;
    }

    @Override
    public void before(String call, String file) {
      if (call.equals("load") && Thread.currentThread().equals(reader) && left > 0 && --left == 0) {
        Threads.run(action);
      }
    }
  }

  /** Two entries change together between the two reads of a view. */
  public static void aViewSeesOneState() throws Exception {
    try (Heap heap = Heap.inMemory()) {
      DurableMap<Long, Long> map = heap.map("map", Long.class, Long.class);
      Runnable commit =
          () ->
              heap.transact(
                  () -> {
                    map.merge(1L, 1L, Long::sum);
                    map.merge(2L, 1L, Long::sum);
                  });
      commit.run();
      var views = new AtomicInteger();
      heap.read(
          () -> {
            Long first = map.get(1L);
            if (views.incrementAndGet() == 1) {
              Threads.run(commit);
            }
            assertThat(map.get(2L)).isEqualTo(first);
            return null;
          });
    }
  }

  /** A key is removed and comes back in another place while a writer of it waits for its turn. */
  public static void aWriterLooksAgain() throws Exception {
    try (Heap heap = Heap.inMemory()) {
      DurableMap<Long, byte[]> map = values(heap);
      map.put(1L, new byte[100]);
      Thread waiting = Thread.ofPlatform().daemon().unstarted(() -> map.set(1L, new byte[] {1}));
      heap.transact(
          () -> {
            waiting.start();
            Threads.awaitWaiting(waiting, "WriterLock");
            map.remove(1L);
            map.put(2L, new byte[3000]);
            map.put(1L, new byte[2000]);
          });
      Limit.join(waiting);
      assertThat(map.get(1L)).containsExactly(1);
      assertThat(heap.verify().problems()).isEmpty();
    }
  }
}
