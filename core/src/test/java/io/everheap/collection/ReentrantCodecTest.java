package io.everheap.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.codec.Codecs;
import io.everheap.error.CorruptValueException;
import io.everheap.error.GoneException;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Decoding runs the program's code, which may use the structure that it decodes for, or throw. */
class ReentrantCodecTest {
  private final Heap heap = Heap.inMemory();
  private final Hooked codec = new Hooked();
  private final DurableMap<String, String> map = heap.map("map", Codecs.STRING, codec);
  private final DurableSortedMap<String, String> sorted =
      heap.root("sorted", DurableSortedMap.of(Codecs.STRING, codec));
  private final DurableList<String> list = heap.list("list", codec);
  private final DurablePriorityQueue<String> queue =
      heap.root("queue", DurablePriorityQueue.of(codec));
  private final DurableDeque<String> deque = heap.deque("deque", codec);
  private final DurableReference<String> reference =
      heap.root("reference", DurableReference.of(codec));
  private final DurableArray<String> array = heap.root("array", DurableArray.of(codec, 2));

  /** A codec of texts that runs a hook once, when it decodes a text that the tests did not add. */
  private static final class Hooked implements Codec<String> {
    private static final String ADDED = "x";
    private String skipped = ADDED;
    private @Nullable Runnable hook;

    @Override
    public String name() {
      return "test.hooked";
    }

    @Override
    public void write(String value, CodecOutput out) {
      Codecs.STRING.write(value, out);
    }

    @Override
    public String read(CodecInput in) {
      String value = Codecs.STRING.read(in);
      if (value.equals(ADDED) || value.equals(skipped)) {
        return value;
      }
      Runnable now = hook;
      hook = null;
      if (now != null) {
        now.run();
      }
      return value;
    }
  }

  @BeforeEach
  void fill() {
    for (String value : List.of("1", "2", "3")) {
      map.put(value, value);
      sorted.put(value, value);
      list.add(value);
      queue.add(value);
      deque.add(value);
    }
    reference.set("1");
    array.set(0, "1");
  }

  @AfterEach
  void everythingIsSound() {
    assertThat(heap.verify().problems()).isEmpty();
    heap.close();
  }

  private Object whenDecoding(Runnable hook, Supplier<?> operation) {
    codec.hook = hook;
    Object result = operation.get();
    assertThat(codec.hook).isNull();
    return result;
  }

  @Test
  void aMapMayLoseTheKeyThatIsPut() {
    assertThat(whenDecoding(() -> map.keySet().remove("1"), () -> map.put("1", "x")))
        .isEqualTo("1");

    assertThat(map).containsOnlyKeys("2", "3");
  }

  @Test
  void aMapMayBeClearedByARemoval() {
    assertThat(whenDecoding(map::clear, () -> map.remove("1"))).isEqualTo("1");

    assertThat(map).isEmpty();
  }

  @Test
  void aSortedMapMayLoseTheKeyThatIsPut() {
    assertThat(whenDecoding(() -> sorted.keySet().remove("1"), () -> sorted.put("1", "x")))
        .isEqualTo("1");

    assertThat(sorted).containsOnlyKeys("2", "3");
  }

  @Test
  void aSortedMapMayBeClearedByARemoval() {
    assertThat(whenDecoding(sorted::clear, () -> sorted.remove("2"))).isEqualTo("2");

    assertThat(sorted).isEmpty();
  }

  @Test
  void aListMayMoveTheElementThatIsReplaced() {
    assertThat(whenDecoding(list::removeFirst, () -> list.set(1, "x"))).isEqualTo("2");

    assertThat(list).containsExactly("x", "3");
  }

  @Test
  void aListMayMoveTheElementThatIsRemoved() {
    assertThat(whenDecoding(list::removeFirst, () -> list.remove(1))).isEqualTo("2");

    assertThat(list).containsExactly("3");
  }

  @Test
  void aListNoticesThatTheElementWhichItLookedForMoved() {
    codec.skipped = "1";
    codec.hook = list::removeFirst;
    assertThatThrownBy(() -> list.remove("2")).isInstanceOf(ConcurrentModificationException.class);

    assertThat(list).containsExactly("1", "2", "3");
  }

  @Test
  void aPriorityQueueMayLoseItsHead() {
    assertThat(whenDecoding(queue::poll, queue::poll)).isEqualTo("1");

    assertThat(queue).containsExactly("3");
  }

  @Test
  void aDequeMayLoseItsEnds() {
    assertThat(whenDecoding(deque::clear, deque::poll)).isNull();

    assertThat(deque).isEmpty();
  }

  @Test
  void aReferenceNoticesThatItWasFreed() {
    heap.transact(
        () -> {
          DurableReference<String> other = heap.create(DurableReference.of(codec));
          other.set("1");
          codec.hook = () -> heap.free(other);
          assertThatThrownBy(() -> other.getAndSet("x")).isInstanceOf(GoneException.class);
          assertThat(other.get()).isEqualTo("1");
          heap.free(other);
        });
  }

  @Test
  void anAtomicLongNoticesThatItWasFreed() {
    heap.transact(
        () -> {
          DurableAtomicLong number = heap.create(DurableAtomicLong.of(1));
          assertThatThrownBy(
                  () ->
                      number.updateAndGet(
                          old -> {
                            heap.free(number);
                            return old + 1;
                          }))
              .isInstanceOf(GoneException.class);
          assertThat(number.get()).isEqualTo(1);
          heap.free(number);
        });
  }

  @Test
  void anArrayNoticesThatItWasFreed() {
    heap.transact(
        () -> {
          DurableLongArray numbers = heap.create(DurableLongArray.of(1));
          assertThatThrownBy(
                  () ->
                      numbers.updateAndGet(
                          0,
                          old -> {
                            heap.free(numbers);
                            return old + 1;
                          }))
              .isInstanceOf(GoneException.class);
          assertThat(numbers.get(0)).isEqualTo(1);
          heap.free(numbers);
        });
  }

  @Test
  void whatDecodingThrowsUndoesTheChange() {
    List<Supplier<?>> changes =
        List.of(
            () -> map.put("1", "x"),
            () -> map.remove("1"),
            () -> sorted.put("1", "x"),
            () -> sorted.remove("1"),
            () -> list.set(0, "x"),
            () -> list.remove(0),
            list::removeLast,
            () -> reference.getAndSet("x"),
            () -> array.getAndSet(0, "x"));
    String before = contents();
    for (Supplier<?> change : changes) {
      assertThatThrownBy(() -> failing(change))
          .isInstanceOf(CorruptValueException.class)
          .hasRootCauseInstanceOf(ArithmeticException.class);
      assertThatThrownBy(() -> heap.transact(() -> failing(change)))
          .isInstanceOf(CorruptValueException.class);
      assertThat(contents()).isEqualTo(before);
    }
  }

  private void failing(Supplier<?> change) {
    codec.hook =
        () -> {
          throw new ArithmeticException("on purpose");
        };
    Object _ = change.get();
  }

  private String contents() {
    return List.of(new TreeMap<>(map), sorted, list, queue, deque, reference, array.get(0))
        .toString();
  }
}
