package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.block.Block;
import io.everheap.collection.DurableArray;
import io.everheap.collection.DurableAtomicLong;
import io.everheap.collection.DurableBytes;
import io.everheap.collection.DurableCounter;
import io.everheap.collection.DurableIntArray;
import io.everheap.collection.DurableReference;
import io.everheap.collection.DurableText;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One change of a block, an array, a text or an atomic value is one fence and few bytes. */
class BlocksFlushTest {
  /** Log bytes of a store of one word: part header, run header, the word, up to a line. */
  private static final long ONE_WORD = 64;

  private static final long FEW_WORDS = 320;

  /**
   * A change and what it may cost.
   *
   * @param bytes of the log on DAX
   */
  record Budget(String name, CrashTest.Operation change, long bytes) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Budget> budgets() {
    return List.of(
        new Budget("a long of a block", heap -> block(heap).setLong(8, 7), ONE_WORD),
        new Budget("a byte of a block", heap -> block(heap).setByte(3, (byte) 7), ONE_WORD),
        new Budget("a long in two words", heap -> block(heap).setLong(13, 7), ONE_WORD),
        new Budget("add to a long", heap -> block(heap).getAndAddLong(8, 7), ONE_WORD),
        new Budget(
            "a range",
            heap ->
                block(heap)
                    .withRange(
                        0,
                        64,
                        range -> {
                          for (int i = 0; i < 8; i++) {
                            range.setLong(8L * i, i + 1);
                          }
                        }),
            192),
        new Budget(
            "allocate and link",
            heap ->
                heap.transact(
                    () ->
                        block(heap)
                            .setLong(0, heap.blocks().allocate(64, r -> r.setLong(8, 1)).handle())),
            FEW_WORDS),
        new Budget("an element", heap -> ints(heap).set(5, 9), ONE_WORD),
        new Budget("a fill", heap -> ints(heap).fill(0, 8, 9), 128),
        new Budget("an atomic long", heap -> number(heap).incrementAndGet(), ONE_WORD),
        new Budget("a counter", heap -> heap.root("counter", DurableCounter.of()).add(1), ONE_WORD),
        new Budget("an append", heap -> text(heap).append("more"), 128),
        new Budget("a byte", heap -> heap.root("bytes", DurableBytes.of()).set(1, (byte) 1), 64),
        new Budget(
            "a reference",
            heap -> heap.root("reference", DurableReference.of(String.class)).set("another"),
            FEW_WORDS),
        new Budget(
            "an element with a value",
            heap -> heap.root("array", DurableArray.of(String.class, 10)).set(3, "another"),
            FEW_WORDS));
  }

  @ParameterizedTest
  @MethodSource("budgets")
  void onDaxAChangeIsOneFenceAndFewBytes(Budget budget) throws Exception {
    FlushLint.Cost cost = FlushLint.of(budget.change).after(BlocksFlushTest::fill).onDax();

    assertThat(cost.fences()).as("fences").isEqualTo(1);
    assertThat(cost.syncs()).as("syncs").isZero();
    assertThat(cost.logBytes()).as("log bytes").isPositive().isLessThanOrEqualTo(budget.bytes);
    assertThat(cost.idle()).as("forces of nothing").isZero();
    assertThat(cost.cleanLines()).as("clean lines forced").isZero();
    assertThat(cost.unflushed()).as("left undurable").isEmpty();
  }

  @ParameterizedTest
  @MethodSource("budgets")
  void onAFileAChangeIsOneDurableWrite(Budget budget) throws Exception {
    FlushLint.Cost cost = FlushLint.of(budget.change).after(BlocksFlushTest::fill).onFiles();

    assertThat(cost.fences()).as("fences").isZero();
    assertThat(cost.syncs()).as("syncs").isEqualTo(1);
    assertThat(cost.unflushed()).as("left undurable").isEmpty();
  }

  private static void fill(Heap heap) {
    block(heap).fill(0, 64, (byte) 1);
    ints(heap).fill(1);
    text(heap).append("some text");
    number(heap).set(1);
    heap.root("counter", DurableCounter.of()).add(1);
    heap.root("bytes", DurableBytes.of()).append(new byte[10]);
    heap.root("reference", DurableReference.of(String.class)).set("one");
    heap.root("array", DurableArray.of(String.class, 10)).set(3, "one");
  }

  private static Block block(Heap heap) {
    return heap.block("block", 64);
  }

  private static DurableIntArray ints(Heap heap) {
    return heap.root("ints", DurableIntArray.ofLength(100));
  }

  private static DurableText text(Heap heap) {
    return heap.root("text", DurableText.of());
  }

  private static DurableAtomicLong number(Heap heap) {
    return heap.root("number", DurableAtomicLong.of());
  }
}
