package io.everheap.structure.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.collection.TestCodecs;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.Stripes;
import io.everheap.error.CorruptException;
import io.everheap.structure.map.MapHeap;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values as words: in the word itself, in a cell, in parts. */
class ValueStoreTest {
  private final MapHeap heap = MapHeap.inMemory();

  @AfterEach
  void close() {
    heap.closeUnchecked();
  }

  @Test
  void aWordIsItsOwnValue() {
    var store = new ValueStore<>(heap.context(), TestCodecs.LONG);

    assertThat(stored(store, -7L)).isEqualTo(-7L);
    assertThat(store.get(-7L)).isEqualTo(-7L);
    assertThat(heap.allocated()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 9, 4000, 8192, 100_000, (1 << 20) - 8, (1 << 20) - 7, 3_000_000})
  void bytesOfAnyLengthComeBackAndGoAgain(int length) {
    var store = new ValueStore<>(heap.context(), TestCodecs.BYTES);
    byte[] value = new byte[length];
    new Random(length).nextBytes(value);
    long before = heap.allocated();

    long word = stored(store, value);

    assertThat(word).isNotZero();
    assertThat(store.get(word)).isEqualTo(value);
    assertThat(problems(word)).isEmpty();
    heap.transact(
        () -> {
          store.free(Stripes.NONE, word);
          return true;
        });
    assertThat(heap.allocated()).isEqualTo(before);
    assertThatThrownBy(() -> store.get(word)).isInstanceOf(CorruptException.class);
  }

  @Test
  void aTransactionReadsWhatItStoredAndARollbackForgetsIt() {
    var store = new ValueStore<>(heap.context(), TestCodecs.STRING);

    heap.transact(
        () -> {
          long word = store.store("text");
          assertThat(store.get(word)).isEqualTo("text");
          return false;
        });

    assertThat(heap.allocated()).isZero();
  }

  @Test
  void aWordThatLeadsToAnotherBlockIsDamage() {
    var store = new ValueStore<>(heap.context(), TestCodecs.STRING);
    long map = HeapStructureId.of(heap.map(TestCodecs.LONG, TestCodecs.LONG)).reference();

    for (long word : new long[] {0, 1, -1, map, Reference.of(1L << 43, 1)}) {
      assertThatThrownBy(() -> store.get(word)).isInstanceOf(CorruptException.class);
      assertThatThrownBy(
              () ->
                  heap.transact(
                      () -> {
                        store.free(Stripes.NONE, word);
                        return true;
                      }))
          .isInstanceOf(CorruptException.class);
      assertThat(problems(word)).hasSize(1);
    }
  }

  @Test
  void aCheckFindsLostPartsAndValuesThatDoNotDecode() {
    var store = new ValueStore<>(heap.context(), TestCodecs.BYTES);
    long large = stored(store, new byte[2_500_000]);
    long part = heap.engine().memory().getLong(Reference.payload(large) + LargeValues.PARTS);
    heap.transact(
        () -> {
          heap.engine().allocator().free(Stripes.NONE, part);
          return true;
        });
    assertThat(problems(large)).singleElement().asString().contains("part of a value");

    long notText = stored(store, new byte[] {-1, -1});
    List<String> problems = new ArrayList<>();
    new ValueCheck(heap.context(), findings(problems), false, TestCodecs.STRING)
        .check(8, notText, 5L);
    assertThat(problems).singleElement().asString().contains("does not decode");
  }

  private <T> long stored(ValueStore<T> store, T value) {
    long[] word = new long[1];
    heap.transact(
        () -> {
          word[0] = store.store(value);
          return true;
        });
    return word[0];
  }

  private List<String> problems(long word) {
    List<String> problems = new ArrayList<>();
    new ValueCheck(heap.context(), findings(problems), false, TestCodecs.BYTES).check(8, word, 5L);
    return problems;
  }

  private static StructureFindings findings(List<String> problems) {
    return new StructureFindings() {
      @Override
      public void problem(String kind, long address, @Nullable String key, String message) {
        problems.add(message);
      }

      @Override
      public boolean owned(long reference) {
        return true;
      }
    };
  }
}
