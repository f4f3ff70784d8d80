package io.everheap.benchmarks.objects;

import io.everheap.Heap;
import java.util.Random;

/** Grows a tree of objects, each at a random one of the newest that have room. */
final class Tree {
  private static final int OPEN = 1 << 16;
  private static final int BATCH = 1000;

  private final Heap heap;
  private final Random random = new Random(1);
  private final Branch[] open = new Branch[OPEN];
  private final boolean[] half = new boolean[OPEN];
  private int count = 1;

  private Tree(Heap heap) {
    this.heap = heap;
    this.open[0] = heap.object("tree", Branch.class);
  }

  static void grow(Heap heap, long objects) {
    Tree tree = new Tree(heap);
    for (long made = 1; made < objects; made += BATCH) {
      long from = made;
      long to = Math.min(objects, made + BATCH);
      heap.transact(
          () -> {
            for (long number = from; number < to; number++) {
              tree.add(number);
            }
          });
    }
  }

  private void add(long number) {
    int at = random.nextInt(count);
    Branch made = heap.create(Branch.class, branch -> branch.number(number));
    if (!half[at]) {
      open[at].left(made);
      half[at] = true;
      if (count < OPEN) {
        open[count] = made;
        half[count++] = false;
      }
    } else {
      open[at].right(made);
      open[at] = made;
      half[at] = false;
    }
  }
}
