package io.everheap.gc;

import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import java.util.Arrays;

/**
 * What was found and is still to be looked into. It takes a bounded array; what does not fit goes
 * into a set of bits, from which the array is filled again when it is empty.
 */
final class MarkStack {
  private static final int INITIAL = 1 << 10;
  private static final int MOST_TAKEN = 1 << 15;

  private final HeapMemory memory;
  private final int most;
  private final MarkBits overflow;
  private final long[] taken;
  private long[] stack;
  private int count;
  private boolean overflowed;

  /** Where the search for what did not fit goes on. */
  private long cursor;

  /**
   * An empty stack.
   *
   * @param memory that says the generations of blocks
   * @param most references that the array takes
   */
  MarkStack(HeapMemory memory, long capacity, int most) {
    this.memory = memory;
    this.most = most;
    this.taken = new long[MOST_TAKEN];
    this.stack = new long[Math.min(INITIAL, Math.max(1, most))];
    this.overflow = new MarkBits(capacity);
  }

  void push(long reference) {
    if (count == stack.length) {
      if (count >= most) {
        overflow.add(reference);
        overflowed = true;
        return;
      }
      stack = Arrays.copyOf(stack, Math.min(most, 2 * count));
    }
    stack[count++] = reference;
  }

  /** Takes a reference, or 0 if nothing is left. */
  long pop() {
    while (count == 0 && overflowed) {
      refill();
    }
    return count == 0 ? Reference.NULL : stack[--count];
  }

  private void refill() {
    int n = overflow.take(cursor, taken);
    if (stack.length < n) {
      stack = new long[n];
    }
    for (int i = 0; i < n; i++) {
      stack[count++] = Reference.withGenerationOf(taken[i], memory.getLong(taken[i]));
    }
    boolean end = n < taken.length;
    overflowed = !end || cursor > 0; // what lies before may have been added since
    cursor = end ? 0 : taken[n - 1];
  }
}
