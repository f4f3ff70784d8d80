package io.everheap.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.codec.Codecs;
import io.everheap.error.CorruptValueException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code remove} of the iterators of maps removes, and when it may be called. */
class IteratorRemovalTest {
  /** Refuses to read negative values, if it is told to. */
  record Picky(boolean refuses) implements Codec<Integer> {
    @Override
    public String name() {
      return "test.Picky";
    }

    @Override
    public void write(Integer value, CodecOutput out) {
      out.writeInt(value);
    }

    @Override
    public Integer read(CodecInput in) {
      int value = in.readInt();
      if (refuses && value < 0) {
        throw new CorruptValueException("negative");
      }
      return value;
    }
  }

  static Stream<BiFunction<Heap, Picky, Map<Long, Integer>>> maps() {
    return Stream.of(
        (heap, codec) -> heap.root("map", DurableMap.of(Codecs.LONG, codec)),
        (heap, codec) -> heap.root("sorted map", DurableSortedMap.of(Codecs.LONG, codec)));
  }

  @ParameterizedTest
  @MethodSource("maps")
  void anEntryThatDoesNotDecodeCanBeRemovedAndPassedOver(
      BiFunction<Heap, Picky, Map<Long, Integer>> maker) {
    try (Heap heap = Heap.inMemory()) {
      for (long key : List.of(1L, 2L, 3L)) {
        maker.apply(heap, new Picky(false)).put(key, key == 2 ? -1 : 1);
      }
      Map<Long, Integer> map = maker.apply(heap, new Picky(true));
      Iterator<Map.Entry<Long, Integer>> entries = map.entrySet().iterator();
      int failures = 0;
      int read = 0;
      while (entries.hasNext()) {
        try {
          assertThat(entries.next().getValue()).isOne();
          read++;
        } catch (CorruptValueException e) {
          failures++;
          entries.remove();
        }
      }
      assertThat(failures).isOne();
      assertThat(read).isEqualTo(2);
      assertThat(map).hasSize(2).doesNotContainKey(2L);
    }
  }

  @ParameterizedTest
  @MethodSource("maps")
  void onlyWhatWasReturnedIsRemovedAndOnlyOnce(BiFunction<Heap, Picky, Map<Long, Integer>> maker) {
    try (Heap heap = Heap.inMemory()) {
      Map<Long, Integer> map = maker.apply(heap, new Picky(true));
      for (long key = 0; key < 100; key++) {
        map.put(key, 1);
      }
      Iterator<Long> keys = map.keySet().iterator();
      assertThatThrownBy(keys::remove).isInstanceOf(IllegalStateException.class);
      long first = keys.next();
      assertThat(keys.hasNext()).isTrue(); // does not move what remove() removes
      keys.remove();
      assertThat(map).hasSize(99).doesNotContainKey(first);
      assertThatThrownBy(keys::remove).isInstanceOf(IllegalStateException.class);
      long next = keys.next();
      map.remove(next);
      keys.remove(); // it is gone already
      assertThat(map).hasSize(98);
      long changed = keys.next();
      map.put(changed, 7);
      keys.remove(); // the key, whatever its value is by now
      assertThat(map).hasSize(97).doesNotContainKey(changed);
    }
  }
}
