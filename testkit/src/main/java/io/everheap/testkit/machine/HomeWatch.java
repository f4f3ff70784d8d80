package io.everheap.testkit.machine;

import io.everheap.engine.Engine;
import io.everheap.engine.alloc.AllocationVisitor;
import io.everheap.engine.alloc.AllocationWalker;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.tx.CommitParticipant;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Compares the home image that a recovery built, word by word, with the one that the predecessor
 * had after the last commit that was recovered.
 *
 * <p>Bytes that belong to no committed state may differ: payloads of free blocks and slots, where a
 * rolled back transaction may have left anything, free pages and chunks, and the rest of a chunk's
 * header page behind its header.
 *
 * @param compared is called after each comparison
 */
public record HomeWatch(Runnable compared) {
  private static final int PAGE = HomeLayout.PAGE_SIZE;
  private static final int MOST_REPORTED = 10;

  /**
   * Compares an engine that was just opened, and records each of its commits from now on.
   *
   * @param before the history of its predecessor; null if there is none
   * @return its own history
   * @throws AssertionError if it holds something else than its predecessor had
   */
  HomeHistory watch(@Nullable HomeHistory before, Engine engine) {
    HomeHistory[] history = new HomeHistory[1];
    engine.transactions().quiesced(() -> history[0] = compare(before, engine));
    return history[0];
  }

  private HomeHistory compare(@Nullable HomeHistory before, Engine engine) {
    long end = engine.recovery().endLsn();
    boolean unchanged = engine.log().appended() == end; // no thread in the background has begun
    HomeHistory history;
    if (before != null && unchanged && !before.isUnknown(end)) {
      require(before, engine, end);
      compared.run();
      history = before.continueFrom(engine);
    } else {
      history = HomeHistory.begin(engine);
    }
    if (!engine.medium().readOnly()) {
      CommitParticipant allocator = engine.allocator().participant();
      engine
          .transactions()
          .setParticipant(new Observer(allocator, () -> history.committed(engine)));
    }
    return history;
  }

  private static void require(HomeHistory before, Engine engine, long end) {
    Long capacity = before.capacityAt(end);
    if (capacity == null) {
      throw new AssertionError("recovered up to LSN " + end + ", less than the opening before");
    }
    long found = engine.home().getLong(HomeLayout.CAPACITY_ADDRESS);
    if (capacity != found) {
      throw new AssertionError("recovered with the capacity " + found + " in place of " + capacity);
    }
    var differing = new TreeMap<Long, BitSet>();
    byte[] bytes = new byte[PAGE];
    for (long page = HomeLayout.CATALOG_ADDRESS / PAGE; page < capacity / PAGE; page++) {
      engine.home().copyOut(page * PAGE, bytes, 0, PAGE);
      if (!Arrays.equals(bytes, before.page(page, end))) {
        differing.put(page, words(bytes, before.page(page, end)));
      }
    }
    if (!differing.isEmpty()) {
      requireFree(before, engine, end, differing);
    }
  }

  private static BitSet words(byte[] a, byte[] b) {
    var differing = new BitSet();
    ByteBuffer x = ByteBuffer.wrap(a);
    ByteBuffer y = ByteBuffer.wrap(b);
    for (int at = 0; at < PAGE; at += 8) {
      differing.set(at / 8, x.getLong(at) != y.getLong(at));
    }
    return differing;
  }

  private static void requireFree(
      HomeHistory before, Engine engine, long end, TreeMap<Long, BitSet> differing) {
    List<String> differences = new ArrayList<>();
    var state =
        new State() {
          @Override
          public void kept(long address, long bytes) {
            long to = address + bytes;
            differing
                .subMap(address / PAGE, true, (to - 1) / PAGE, true)
                .forEach(
                    (page, words) -> {
                      int from = (int) (Math.max(address, page * PAGE) % PAGE) / 8;
                      int until = (int) ((Math.min(to, (page + 1) * PAGE) - 1) % PAGE) / 8;
                      for (int word = words.nextSetBit(from);
                          word >= 0 && word <= until && differences.size() < MOST_REPORTED;
                          word = words.nextSetBit(word + 1)) {
                        differences.add(difference(before, engine, end, page, word));
                      }
                    });
          }
        };
    state.kept(HomeLayout.CATALOG_ADDRESS, 8L * HomeLayout.CATALOG_WORDS);
    new AllocationWalker(engine.memory(), engine.home().extentShift()).walk(state);
    if (!differences.isEmpty()) {
      throw new AssertionError(
          "recovered up to LSN "
              + end
              + " with other words than it was committed with: "
              + differences);
    }
  }

  private static String difference(
      HomeHistory before, Engine engine, long end, long page, int word) {
    long address = page * PAGE + word * 8L;
    long expected =
        ByteBuffer.wrap(before.page(page, end)).order(ByteOrder.LITTLE_ENDIAN).getLong(word * 8);
    return String.format(
        Locale.ROOT,
        "0x%x: 0x%x in place of 0x%x",
        address,
        engine.home().getLong(address),
        expected);
  }

  /** Visits everything that belongs to a committed state. */
  private abstract static class State implements AllocationVisitor {
    @Override
    public void block(long reference, int type, long size) {
      if (size > 0) {
        kept(Reference.payload(reference), (size + 7) & -8);
      }
    }

    @Override
    public void problem(long address, String message) {
      throw new AssertionError(
          String.format(Locale.ROOT, "recovered with damage at 0x%x: %s", address, message));
    }
  }

  /** Reports commits, with the writer lock held. */
  private record Observer(CommitParticipant of, Runnable committed) implements CommitParticipant {
    @Override
    public void freed(FreedBlocks sink) {
      of.freed(sink);
    }

    @Override
    public void prepare() {
      of.prepare();
    }

    @Override
    public void fresh(FreshBlocks sink) {
      of.fresh(sink);
    }

    @Override
    public void applied() {
      of.applied();
      committed.run();
    }

    @Override
    public boolean isTorn() {
      return of.isTorn();
    }

    @Override
    public int mark() {
      return of.mark();
    }

    @Override
    public void rollbackTo(int mark) {
      of.rollbackTo(mark);
    }

    @Override
    public void reset() {
      of.reset();
    }
  }
}
