package io.everheap.engine.alloc;

import java.util.Arrays;

/** A priority queue of ints; the smallest comes first. Guarded by the writer lock. */
final class IntHeap {
  private int[] values = new int[8];
  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  /** The smallest value; the queue must not be empty. */
  int peek() {
    return values[0];
  }

  void push(int value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, size * 2);
    }
    int at = size++;
    while (at > 0) {
      int parent = (at - 1) >>> 1;
      if (values[parent] <= value) {
        break;
      }
      values[at] = values[parent];
      at = parent;
    }
    values[at] = value;
  }

  /** Removes and returns the smallest value; the queue must not be empty. */
  int pop() {
    int smallest = values[0];
    int value = values[--size];
    int at = 0;
    for (int child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && values[child + 1] < values[child]) {
        child++;
      }
      if (values[child] >= value) {
        break;
      }
      values[at] = values[child];
      at = child;
    }
    values[at] = value;
    return smallest;
  }
}
