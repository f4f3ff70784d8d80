package io.everheap.engine;

import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.home.Home;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.tx.Transactions;

/**
 * Gives whole chunks at the end of the home image that hold no block back to the file system. The
 * file is cut when both superblocks name the lower capacity: the first checkpoint writes one while
 * transactions go on, the second one the other with no transaction running.
 */
final class Shrink {
  private final Home home;
  private final Allocator allocator;
  private final Transactions transactions;
  private final Checkpointer checkpointer;
  private final HomeSize size;

  Shrink(
      Home home,
      Allocator allocator,
      Transactions transactions,
      Checkpointer checkpointer,
      HomeSize size) {
    this.home = home;
    this.allocator = allocator;
    this.transactions = transactions;
    this.checkpointer = checkpointer;
    this.size = size;
  }

  /** Returns the bytes given back; outside of a transaction. */
  long run() {
    long[] freed = {0};
    long before = home.getLong(HomeLayout.CAPACITY_ADDRESS);
    // A transaction may wait for a checkpoint, so it comes before this thread keeps others out.
    long after = lowerCapacity();
    checkpointer.exclusively(
        () -> {
          if (after < before) {
            checkpointer.checkpoint();
            transactions.quiesced(
                () -> {
                  // A transaction may have grown the image again since.
                  if (home.getLong(HomeLayout.CAPACITY_ADDRESS) == after) {
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
    transactions.run(allocator::trim); // chunks that are empty but kept for their size
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
