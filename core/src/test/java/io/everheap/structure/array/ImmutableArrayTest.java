package io.everheap.structure.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.everheap.Heap;
import io.everheap.collection.DurableArray;
import io.everheap.collection.DurableList;
import io.everheap.collection.DurableMap;
import io.everheap.collection.Shape;
import io.everheap.engine.alloc.BlockType;
import io.everheap.error.GoneException;
import io.everheap.error.TooLargeException;
import io.everheap.heap.OpenHeap;
import io.everheap.structure.common.HeapStructureId;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Arrays of values that get their elements when they are made, and no others. */
class ImmutableArrayTest {
  private static final Shape<DurableArray<String>> WORDS =
      DurableArray.ofImmutable(String.class, Arrays.asList("a", null, "c"));

  @TempDir private Path directory;

  private final Heap heap = Heap.inMemory();

  @AfterEach
  void isSound() {
    if (heap.isOpen()) {
      assertThat(heap.verify().problems()).isEmpty();
      heap.close();
    }
  }

  private static Map<String, ThrowingCallable> changes(DurableArray<String> array) {
    Map<String, ThrowingCallable> all = new LinkedHashMap<>();
    all.put("set", () -> array.set(0, "x"));
    all.put("set to null", () -> array.set(0, null));
    all.put("getAndSet", () -> array.getAndSet(1, "x"));
    all.put("compareAndSet", () -> array.compareAndSet(0, "a", "x"));
    all.put("compareAndSet of another", () -> array.compareAndSet(0, "b", "x"));
    all.put("updateAndGet", () -> array.updateAndGet(0, old -> "x"));
    all.put("fill", () -> array.fill("x"));
    all.put("fill a part", () -> array.fill(0, 0, "x"));
    all.put("list.set", () -> array.asList().set(0, "x"));
    all.put("list.sort", () -> array.asList().sort(Comparator.nullsFirst(String::compareTo)));
    all.put("list.replaceAll", () -> array.asList().replaceAll(old -> "x"));
    return all;
  }

  private static void assertRefusesChanges(DurableArray<String> array) {
    assertThat(array.isImmutable()).isTrue();
    changes(array)
        .forEach(
            (name, change) ->
                assertThatExceptionOfType(UnsupportedOperationException.class)
                    .as(name)
                    .isThrownBy(change)
                    .withMessage("the array is immutable"));
    assertThat(array.asList()).containsExactly("a", null, "c");
  }

  @Test
  void itHasItsElementsAndRefusesEveryChange() {
    assertRefusesChanges(heap.root("words", WORDS));
    heap.transact(() -> assertRefusesChanges(heap.root("words", WORDS)));
  }

  @Test
  void everyHandleRefusesChangesAfterReopening() {
    Path path = directory.resolve("heap");
    try (Heap first = Heap.open(path)) {
      first.root("words", WORDS);
      first.root("mutable", DurableArray.of(String.class, 3)).set(1, "b");
    }
    try (Heap again = Heap.open(path)) {
      assertRefusesChanges(again.root("words", DurableArray.of(String.class, 3)));
      assertRefusesChanges(again.root("words", DurableArray.ofAnyLength(String.class)));
      assertRefusesChanges(again.root("words", WORDS));
      var mutable = again.root("mutable", DurableArray.of(String.class, 3));
      assertThat(mutable.isImmutable()).isFalse();
      mutable.set(0, "x");
      assertThat(again.verify().problems()).isEmpty();
    }
  }

  @Test
  void anArrayThatCanChangeIsNotTakenForAnImmutableOne() {
    heap.root("words", DurableArray.of(String.class, 3));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> heap.root("words", WORDS))
        .withMessage("the array was made as one that can change");
    heap.root("two", DurableArray.ofImmutable(String.class, List.of("a", "b")));
    assertThatIllegalArgumentException().isThrownBy(() -> heap.root("two", WORDS));
  }

  @Test
  void elementsCanBeWordsOrStructures() {
    List<Long> longs = Collections.nCopies(200, 7L);
    var numbers = heap.root("numbers", DurableArray.ofImmutable(Long.class, longs));
    assertThat(numbers.asList()).isEqualTo(longs);
    var list = DurableList.of(String.class);
    DurableArray<DurableList<String>> lists =
        heap.transact(
            () ->
                heap.root(
                    "lists",
                    DurableArray.ofImmutable(list, Arrays.asList(heap.create(list), null))));
    lists.get(0).add("the list itself can change");
    assertThat(lists.get(0)).hasSize(1);
    assertThat(lists.get(1)).isNull();
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> lists.set(0, null));
    assertThat(heap.verify().unreachable()).isZero();
  }

  @Test
  void aMapCanHoldBothSorts() {
    DurableMap<String, DurableArray<String>> map =
        heap.root("map", DurableMap.of(String.class, DurableArray.ofAnyLength(String.class)));
    heap.transact(
        () -> {
          map.put("immutable", heap.create(WORDS));
          map.put("mutable", heap.create(DurableArray.of(String.class, 5)));
        });
    assertRefusesChanges(map.get("immutable"));
    map.get("mutable").set(4, "e");
    assertThat(heap.verify().problems()).isEmpty();
    heap.collect();
    assertRefusesChanges(map.get("immutable"));
  }

  @Test
  void whatWasRemovedIsGone() {
    DurableArray<String> words = heap.root("words", WORDS);
    DurableArray<String> other = heap.root("words", DurableArray.ofAnyLength(String.class));
    heap.remove("words");
    assertThatExceptionOfType(GoneException.class).isThrownBy(() -> words.set(0, "x"));
    assertThatExceptionOfType(GoneException.class).isThrownBy(other::isImmutable);
    assertThat(heap.verify().unreachable()).isZero();
  }

  @Test
  void oneThatIsTooLargeForATransactionIsNotMade() {
    try (Heap small = Heap.builder(directory.resolve("small")).maxTransaction(1 << 16).open()) {
      var many = DurableArray.ofImmutable(String.class, Collections.nCopies(10_000, "a text"));
      assertThatExceptionOfType(TooLargeException.class).isThrownBy(() -> small.root("many", many));
      assertThat(small.contains("many")).isFalse();
      assertThat(small.verify().problems()).isEmpty();
    }
  }

  /** Builds that do not know the type refuse the array, whatever they would do to it. */
  @Test
  void itsHeaderHasABlockTypeThatEarlierBuildsDoNotKnow() {
    DurableArray<String> words = heap.root("words", WORDS);
    long reference = HeapStructureId.of(words).reference();
    assertThat(OpenHeap.engine(heap).allocator().type(reference))
        .isEqualTo(BlockType.IMMUTABLE_ARRAY_HEADER);
  }

  @Test
  void toolsReadItByItsStoredType() {
    heap.root("words", WORDS);
    assertThat(heap.roots().getFirst().kind()).isEqualTo("object array");
    try (Stream<Map.Entry<Object, Object>> entries = heap.entries("words")) {
      assertThat(entries).containsExactly(Map.entry(0L, "a"), Map.entry(2L, "c"));
    }
  }
}
