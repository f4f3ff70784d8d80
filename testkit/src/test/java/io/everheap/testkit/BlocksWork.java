package io.everheap.testkit;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.everheap.Heap;
import io.everheap.block.Block;
import io.everheap.block.Blocks;
import io.everheap.collection.DurableArray;
import io.everheap.collection.DurableAtomicLong;
import io.everheap.collection.DurableBytes;
import io.everheap.collection.DurableCounter;
import io.everheap.collection.DurableLongArray;
import io.everheap.collection.DurableReference;
import io.everheap.collection.DurableShortArray;
import io.everheap.collection.DurableText;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Random;

/**
 * Random work on raw blocks, arrays, a text, a buffer, and atomic values, each step one
 * transaction. What a heap holds after so many steps is a function of that number.
 */
final class BlocksWork {
  private static final int SLOTS = 4;
  private static final int BLOCK_BYTES = 24;

  private final Heap heap;
  private final Random random;

  BlocksWork(Heap heap, long seed, int step) {
    this.heap = heap;
    this.random = new Random(31 * seed + step);
  }

  /** Does a step; all of its changes in one transaction. */
  static void step(Heap heap, long seed, int step) {
    heap.transact(
        () -> {
          var work = new BlocksWork(heap, seed, step);
          work.count(step);
          for (int i = work.random.nextInt(3); i >= 0; i--) {
            work.change();
          }
        });
  }

  private void count(int step) {
    heap.root("counter", DurableCounter.of()).increment();
    heap.root("long", DurableAtomicLong.of()).set(step);
  }

  private void change() {
    switch (random.nextInt(9)) {
      case 0, 1 -> replaceBlock();
      case 2 -> writeToBlock();
      case 3 -> heap.root("longs", DurableLongArray.ofLength(40)).set(random.nextInt(40), random());
      case 4 -> {
        int from = random.nextInt(100);
        var shorts = heap.root("shorts", DurableShortArray.ofLength(200));
        shorts.fill(from, from + random.nextInt(100), (short) random());
      }
      case 5 -> text(heap.root("text", DurableText.of()));
      case 6 -> bytes(heap.root("bytes", DurableBytes.of()));
      case 7 ->
          heap.root("reference", DurableReference.of(String.class))
              .set(random.nextInt(4) == 0 ? null : "value " + random());
      default -> {
        var array = heap.root("array", DurableArray.of(String.class, 9));
        array.set(random.nextInt(9), random.nextInt(4) == 0 ? null : "element " + random());
      }
    }
  }

  private long random() {
    return random.nextLong();
  }

  private static Block table(Heap heap) {
    return heap.block("blocks", 8L * SLOTS);
  }

  private void replaceBlock() {
    Block table = table(heap);
    Blocks blocks = heap.blocks();
    long slot = 8L * random.nextInt(SLOTS);
    if (table.getLong(slot) != 0) {
      blocks.free(table.getLong(slot));
    }
    long value = random();
    long handle = 0;
    if (random.nextInt(4) > 0) {
      handle = blocks.allocate(BLOCK_BYTES, range -> range.setLong(5, value)).handle();
    }
    table.setLong(slot, handle);
  }

  private void writeToBlock() {
    long handle = table(heap).getLong(8L * random.nextInt(SLOTS));
    if (handle != 0) {
      Block block = heap.blocks().at(handle);
      block.withRange(
          3,
          12,
          range -> {
            range.setInt(3, random.nextInt());
            range.setLong(7, random());
          });
    }
  }

  private void text(DurableText text) {
    if (text.length() > 200) {
      text.delete(10, 180);
    } else if (text.length() > 40 && random.nextInt(3) == 0) {
      long from = random.nextInt(10);
      long value = random();
      text.editBuffer(
          from,
          from + 16,
          view -> view.asCharBuffer().put(String.format(Locale.ROOT, "%016x", value)));
    } else {
      text.append("step ").append(Long.toHexString(random()));
    }
  }

  private void bytes(DurableBytes bytes) {
    byte[] some = new byte[1 + random.nextInt(60)];
    random.nextBytes(some);
    if (bytes.length() > 300) {
      bytes.setLength(random.nextInt(100));
    } else if (bytes.length() > some.length && random.nextInt(3) == 0) {
      long offset = random.nextLong(bytes.length() - some.length);
      bytes.edit(
          offset,
          some.length,
          view -> MemorySegment.copy(some, 0, view, JAVA_BYTE, 0, some.length));
    } else {
      bytes.append(some);
    }
  }

  /** Everything that a heap holds, as a text. */
  static String contents(Heap heap) {
    StringBuilder all = new StringBuilder();
    for (String name : new java.util.TreeSet<>(heap.names())) {
      all.append(name).append(':');
      if (name.equals("blocks")) {
        blocks(heap, all);
      } else {
        heap.entries(name).forEach(entry -> all.append(' ').append(text(entry.getValue())));
      }
      all.append('\n');
    }
    return all.toString();
  }

  private static String text(Object value) {
    return value instanceof byte[] bytes
        ? java.util.HexFormat.of().formatHex(bytes)
        : value.toString();
  }

  /** Handles differ from run to run; what they lead to does not. */
  private static void blocks(Heap heap, StringBuilder all) {
    Block table = table(heap);
    for (int slot = 0; slot < SLOTS; slot++) {
      long handle = table.getLong(8L * slot);
      byte[] bytes = new byte[handle == 0 ? 0 : BLOCK_BYTES];
      if (handle != 0) {
        heap.blocks().at(handle).copyTo(0, bytes, 0, bytes.length);
      }
      all.append(' ').append(text(bytes));
    }
  }

  /** What a heap holds after each number of steps, from none on. */
  static String[] expected(long seed, int steps) {
    String[] all = new String[steps + 1];
    try (Heap heap = Heap.inMemory()) {
      all[0] = contents(heap);
      for (int i = 1; i <= steps; i++) {
        step(heap, seed, i);
        all[i] = contents(heap);
      }
    }
    return all;
  }
}
