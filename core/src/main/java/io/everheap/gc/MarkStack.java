package io.everheap.gc;

import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import java.util.Arrays;

/**
 * A stack of marked blocks whose references are still to be followed. The array is bounded; what
 * does not fit goes into a bitmap, from which the empty array is filled again.
 *
 * <p>Used by the marking thread.
 */
final class MarkStack {
  private static final int INITIAL = 1 << 10;
  private static final int MAX_REFILL = 1 << 15;

  private final HeapMemory memory;
  private final int maxSize;
  private final MarkBits overflow;
  private final long[] taken;
  private long[] stack;
  private int count;
  private boolean overflowed;

  /** Address at which the next refill begins. */
  private long cursor;

  /**
   * Creates an empty stack.
   *
   * @param memory from which the generations of blocks in the bitmap are loaded
   * @param capacity of the home image, in bytes
   * @param maxSize maximum length of the array
   */
  MarkStack(HeapMemory memory, long capacity, int maxSize) {
    this.memory = memory;
    this.maxSize = maxSize;
    this.taken = new long[MAX_REFILL];
    this.stack = new long[Math.min(INITIAL, Math.max(1, maxSize))];
    this.overflow = new MarkBits(capacity);
  }

  void push(long reference) {
    if (count == stack.length) {
      if (count >= maxSize) {
        overflow.add(reference);
        overflowed = true;
        return;
      }
      stack = Arrays.copyOf(stack, Math.min(maxSize, 2 * count));
    }
    stack[count++] = reference;
  }

  /** Removes and returns a reference; 0 if the stack is empty. */
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
    overflowed = !end || cursor > 0; // blocks below the cursor may have been added since
    cursor = end ? 0 : taken[n - 1];
  }
}
