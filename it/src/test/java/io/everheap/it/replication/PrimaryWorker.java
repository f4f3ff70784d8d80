package io.everheap.it.replication;

import io.everheap.Heap;
import io.everheap.HeapBuilder;
import io.everheap.collection.DurableMap;
import io.everheap.replication.Primary;
import java.nio.file.Path;

/**
 * A primary whose threads count: each stores its number, and an entry for each number, in one
 * transaction.
 */
public final class PrimaryWorker {
  private PrimaryWorker() {}

  /**
   * Works until it is killed; arguments: the heap, the directory of archives, or an empty one for
   * none, copies, and the directory of a mirror, if there is one.
   */
  public static void main(String[] arguments) {
    System.setOut(System.err); // nothing but frames may go to descriptor 1
    Counters.orHalt(() -> work(arguments));
  }

  private static void work(String[] arguments) throws Exception {
    HeapBuilder builder = Heap.builder(Path.of(arguments[0]));
    if (!arguments[1].isEmpty()) {
      builder.archive(Path.of(arguments[1]));
    }
    Heap heap = builder.open();
    DurableMap<Integer, Long> last = heap.map("last", Integer.class, Long.class);
    DurableMap<Long, Integer> all = heap.map("all", Long.class, Integer.class);
    long sum = last.values().stream().mapToLong(n -> n).sum();
    if (all.size() != sum || !heap.verify().problems().isEmpty()) {
      throw new AssertionError(
          all.size() + " entries instead of " + sum + ": " + heap.verify().problems());
    }
    Primary primary = Primary.of(heap).secret(Counters.secret()).listen(Counters.anyPort());
    if (arguments.length > 3) {
      primary.mirror(Path.of(arguments[3]));
    }
    primary.copies(Integer.parseInt(arguments[2]));
    long[] found = new long[Counters.THREADS];
    for (int i = 0; i < found.length; i++) {
      found[i] = last.getOrDefault(i, 0L);
    }
    Counters.start(
        primary,
        found,
        (thread, number) ->
            heap.transact(
                () -> {
                  last.put(thread, number);
                  all.put(number * Counters.THREADS + thread, thread);
                }));
  }
}
