package io.everheap.engine;

import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.home.ChangedPages;
import io.everheap.engine.home.Home;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.tx.Transactions;

/**
 * Gives whole free chunks at the end of the home image back to the file system. The file is
 * truncated when both superblocks have the lower capacity: the first checkpoint writes one of them
 * while transactions go on, the second one writes the other while no transaction runs.
 */
final class Shrink {
  private final Home home;
  private final Allocator allocator;
  private final Transactions transactions;
  private final Checkpointer checkpointer;
  private final HomeSize size;
  private final ChangedPages changes;

  Shrink(
      Home home,
      Allocator allocator,
      Transactions transactions,
      Checkpointer checkpointer,
      HomeSize size,
      ChangedPages changes) {
    this.changes = changes;
    this.home = home;
    this.allocator = allocator;
    this.transactions = transactions;
    this.checkpointer = checkpointer;
    this.size = size;
  }

  /** Runs outside of a transaction; returns the bytes given back. */
  long run() {
    long[] freed = {0};
    long before = home.getLong(HomeLayout.CAPACITY_ADDRESS);
    // Outside of exclusively(): the transactions in it may wait for a checkpoint.
    long after = lowerCapacity();
    checkpointer.exclusively(
        () -> {
          if (after < before) {
            checkpointer.checkpoint();
            transactions.quiesced(
                () -> {
                  // A transaction may have grown the image again meanwhile.
                  // A running backup needs the pages behind the new end as of its checkpoint.
                  if (home.getLong(HomeLayout.CAPACITY_ADDRESS) == after && !changes.isBegun()) {
                    checkpointer.checkpoint();
                    size.cut(after);
                    freed[0] = before - after;
                  }
                });
          }
        });
    return freed[0];
  }

  private long lowerCapacity() {
    transactions.run(allocator::trim); // frees empty chunks that are kept for their size class
    return transactions.call(
        () -> {
          long capacity = transactions.memory().getLong(HomeLayout.CAPACITY_ADDRESS);
          long used = Math.max(allocator.usedEnd(), HomeLayout.INITIAL_CAPACITY);
          if (used < capacity) {
            allocator.shrink(used);
          }
          return Math.min(used, capacity);
        });
  }
}
