package io.everheap.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.collection.DurableIntArray;
import io.everheap.engine.tx.Transactions;
import io.everheap.heap.OpenHeap;
import io.everheap.support.tier.Campaign;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Random writes to a block and an array, alone and in nested transactions that commit or roll back,
 * do what they do to Java arrays.
 */
@Campaign
class BlockModelTest {
  private static final int SIZE = 200;

  enum Kind {
    BYTE,
    SHORT,
    INT,
    LONG,
    COPY,
    MOVE,
    FILL,
    ADD,
    RANGE,
    ELEMENT,
    ELEMENTS,
    SORT,
    BEGIN,
    COMMIT,
    ROLL_BACK
  }

  /** One operation. */
  record Step(Kind kind, int at, int to, int length, long value) {}

  /** What block and array hold. */
  private static final class State {
    private final byte[] bytes;
    private final int[] ints;

    State(byte[] bytes, int[] ints) {
      this.bytes = bytes;
      this.ints = ints;
    }

    State copy() {
      return new State(bytes.clone(), ints.clone());
    }
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    return Combinators.combine(
            Arbitraries.of(Kind.class),
            Arbitraries.integers().between(0, SIZE - 50),
            Arbitraries.integers().between(0, SIZE - 50),
            Arbitraries.integers().between(0, 50),
            Arbitraries.longs())
        .as(Step::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(150);
  }

  @Property(tries = 50)
  void blocksAndArraysFollowTheModel(@ForAll("steps") List<Step> steps) {
    try (Heap heap = Heap.inMemory()) {
      Block block = heap.block("block", SIZE);
      var array = heap.root("array", DurableIntArray.ofLength(SIZE));
      Transactions tx = OpenHeap.engine(heap).transactions();
      State now = new State(new byte[SIZE], new int[SIZE]);
      Deque<State> before = new ArrayDeque<>();
      for (Step step : steps) {
        switch (step.kind) {
          case BEGIN -> {
            tx.begin();
            before.push(now.copy());
          }
          case COMMIT -> {
            if (!before.isEmpty()) {
              tx.end(true);
              before.pop();
            }
          }
          case ROLL_BACK -> {
            if (!before.isEmpty()) {
              tx.end(false);
              now = before.pop();
            }
          }
          default -> {
            apply(step, block, array);
            apply(step, now);
          }
        }
        assertSame(now, block, array);
      }
      while (!before.isEmpty()) {
        tx.end(false);
        now = before.pop();
      }
      assertSame(now, block, array);
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  private static void assertSame(State expected, Block block, DurableIntArray array) {
    byte[] bytes = new byte[SIZE];
    block.copyTo(0, bytes, 0, SIZE);
    assertThat(bytes).isEqualTo(expected.bytes);
    assertThat(array.toArray()).isEqualTo(expected.ints);
  }

  private static void apply(Step s, Block block, DurableIntArray array) {
    switch (s.kind) {
      case BYTE -> block.setByte(s.at, (byte) s.value);
      case SHORT -> block.setShort(s.at, (short) s.value);
      case INT -> block.setInt(s.at, (int) s.value);
      case LONG -> block.setLong(s.at, s.value);
      case COPY -> block.copyFrom(s.at, bytes(s), 0, s.length);
      case MOVE -> block.copyFrom(s.to, block, s.at, s.length);
      case FILL -> block.fill(s.at, s.length, (byte) s.value);
      case ADD -> block.getAndAddLong(s.at, s.value);
      case RANGE ->
          block.withRange(
              s.at,
              50,
              range -> {
                range.setLong(s.at + 3, s.value);
                range.setInt(s.at + 40, (int) s.value);
              });
      case ELEMENT -> array.set(s.at, (int) s.value);
      case ELEMENTS -> array.fill(s.at, s.at + s.length, (int) s.value);
      default -> array.sort(s.at, s.at + s.length);
    }
  }

  private static byte[] bytes(Step s) {
    byte[] bytes = new byte[s.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (s.value >>> i);
    }
    return bytes;
  }

  private static void apply(Step s, State state) {
    ByteBuffer b = ByteBuffer.wrap(state.bytes).order(ByteOrder.LITTLE_ENDIAN);
    switch (s.kind) {
      case BYTE -> b.put(s.at, (byte) s.value);
      case SHORT -> b.putShort(s.at, (short) s.value);
      case INT -> b.putInt(s.at, (int) s.value);
      case LONG -> b.putLong(s.at, s.value);
      case COPY -> b.put(s.at, bytes(s));
      case MOVE -> System.arraycopy(state.bytes, s.at, state.bytes, s.to, s.length);
      case FILL -> java.util.Arrays.fill(state.bytes, s.at, s.at + s.length, (byte) s.value);
      case ADD -> b.putLong(s.at, b.getLong(s.at) + s.value);
      case RANGE -> b.putLong(s.at + 3, s.value).putInt(s.at + 40, (int) s.value);
      case ELEMENT -> state.ints[s.at] = (int) s.value;
      case ELEMENTS -> java.util.Arrays.fill(state.ints, s.at, s.at + s.length, (int) s.value);
      default -> java.util.Arrays.sort(state.ints, s.at, s.at + s.length);
    }
  }
}
