package io.everheap.structure.list;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.collection.DurableDeque;
import io.everheap.collection.DurableList;
import io.everheap.collection.DurableMap;
import io.everheap.collection.Shape;
import io.everheap.collection.TestCodecs;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.Stripes;
import io.everheap.error.ClosedException;
import io.everheap.error.CorruptException;
import io.everheap.error.GoneException;
import io.everheap.error.SchemaMismatchException;
import io.everheap.heap.OpenHeap;
import io.everheap.structure.Structures;
import io.everheap.structure.map.MapHandle;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.ListIterator;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What lists do when they are large, shared, reopened, damaged, or gone. */
@Campaign
public class DurableListTest {
  @Test
  void aLargeListIsSplitAndJoinedLikeAnArrayList() {
    try (Heap heap = Heap.inMemory()) {
      DurableList<Long> list = heap.list("list", Long.class);
      List<Long> model = new ArrayList<>();
      var random = new Random(1);
      for (int round = 0; round < 15; round++) {
        boolean growing = round % 15 < 9;
        int size = model.size();
        int index = random.nextInt(size + 1);
        if (growing) {
          List<Long> values = LongStream.range(0, random.nextInt(20_000)).boxed().toList();
          list.addAll(index, values);
          model.addAll(index, values);
        } else {
          int end = index + random.nextInt(size - index + 1);
          list.subList(index, end).clear();
          model.subList(index, end).clear();
        }
        heap.transact(() -> change(list, model, random));
        assertThat(heap.verify().problems()).isEmpty();
      }
      assertThat(list.equals(model)).isTrue();
      while (!model.isEmpty()) {
        int from = random.nextInt(model.size());
        int to = Math.min(model.size(), from + 1 + random.nextInt(5000));
        list.subList(from, to).clear();
        model.subList(from, to).clear();
        assertThat(list.size()).isEqualTo(model.size());
      }
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  private static void change(DurableList<Long> list, List<Long> model, Random random) {
    for (int i = 0; i < 1000; i++) {
      int index = random.nextInt(model.size() + 1);
      long value = random.nextLong();
      if (i % 3 == 0 || index == model.size()) {
        list.add(index, value);
        model.add(index, value);
      } else if (i % 3 == 1) {
        assertThat(list.remove(index)).isEqualTo(model.remove(index));
      } else {
        assertThat(list.set(index, value)).isEqualTo(model.set(index, value));
      }
    }
  }

  @Test
  void aListSurvivesItsProcess(@TempDir Path directory) {
    try (Heap heap = Heap.open(directory)) {
      DurableList<String> list = heap.list("list", String.class);
      for (int i = 0; i < 1000; i++) {
        list.add("text " + i);
      }
    }
    try (Heap heap = Heap.open(directory)) {
      assertThat(heap.list("list", String.class)).hasSize(1000).endsWith("text 999");
      assertThat(heap.entries("list").skip(998).toList())
          .containsExactly(
              java.util.Map.entry(998L, "text 998"), java.util.Map.entry(999L, "text 999"));
      assertThat(heap.roots().getFirst().toString()).contains("list", "element", "string");
      assertThatThrownBy(() -> heap.list("list", Long.class))
          .isInstanceOf(SchemaMismatchException.class);
      assertThatThrownBy(() -> heap.map("list", Long.class, Long.class))
          .isInstanceOf(SchemaMismatchException.class);
    }
  }

  @Test
  void whatIsClearedOrRemovedLeaksNothing() {
    try (Heap heap = Heap.inMemory()) {
      heap.list("other", Long.class);
      long before = OpenHeap.engine(heap).allocator().stats().blocks();
      DurableList<String> texts = heap.list("texts", String.class);
      DurableList<Long> words = heap.list("words", Long.class);
      heap.transact(
          () -> {
            for (long i = 0; i < 30_000; i++) {
              texts.add("text " + i);
              words.add(i);
            }
          });
      texts.clear();
      assertThat(texts).isEmpty();
      assertThat(heap.verify().problems()).isEmpty();
      texts.add("again");
      heap.remove("words");
      heap.remove("texts");
      OpenHeap.engine(heap).drainHousekeeping();

      assertThat(OpenHeap.engine(heap).allocator().stats().blocks())
          .as("a node of the map of roots may stay")
          .isBetween(before, before + 2);
      assertThat(heap.verify().problems()).isEmpty();
      assertThatThrownBy(() -> texts.get(0)).isInstanceOf(GoneException.class);
      assertThatThrownBy(() -> texts.add("x")).isInstanceOf(GoneException.class);
      assertThatThrownBy(texts::size).isInstanceOf(GoneException.class);
      assertThatThrownBy(words::clear).isInstanceOf(GoneException.class);
    }
  }

  @Test
  void listsAndDequesHoldStructures() {
    try (Heap heap = Heap.inMemory()) {
      Shape<DurableDeque<String>> texts = DurableDeque.of(String.class);
      DurableList<DurableDeque<String>> list = heap.root("list", DurableList.of(texts));
      DurableDeque<DurableList<Long>> deque =
          heap.root("deque", DurableDeque.of(DurableList.of(Long.class)));
      heap.transact(
          () -> {
            for (int i = 0; i < 3; i++) {
              list.add(heap.create(texts));
              list.getLast().add("text " + i);
            }
            deque.add(heap.create(DurableList.of(Long.class)));
          });
      deque.getFirst().add(5L);

      assertThat(list.get(1)).containsExactly("text 1");
      assertThat(deque.peekLast()).containsExactly(5L);
      assertThat(heap.verify().problems()).isEmpty();
      assertThat(heap.verify().unreachable()).isZero();
      DurableDeque<String> freed = list.get(2);
      heap.free(freed);
      assertThatThrownBy(freed::poll).isInstanceOf(GoneException.class);
      assertThatThrownBy(() -> list.get(2).size()).isInstanceOf(GoneException.class);
      assertThatThrownBy(() -> list.get(2).add("x")).isInstanceOf(GoneException.class);
      list.removeLast();
      heap.free(deque.poll());
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  @Test
  void aClosedHeapSaysSo() {
    Heap heap = Heap.inMemory();
    DurableList<Long> list = heap.list("list", Long.class);
    list.add(1L);
    heap.close();

    assertThatThrownBy(() -> list.get(0)).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> list.add(2L)).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> list.iterator().hasNext()).isInstanceOf(ClosedException.class);
  }

  @Test
  void anIteratorDoesNotRemoveWhatItDidNotReturn() {
    try (Heap heap = Heap.inMemory()) {
      DurableList<Long> list = heap.list("list", Long.class);
      list.addAll(List.of(1L, 2L, 3L));
      ListIterator<Long> i = list.listIterator();
      i.next();
      list.addFirst(0L);

      assertThatThrownBy(i::remove).isInstanceOf(ConcurrentModificationException.class);
      assertThatThrownBy(() -> i.set(9L)).isInstanceOf(ConcurrentModificationException.class);
      assertThat(list).containsExactly(0L, 1L, 2L, 3L);
    }
  }

  @Test
  void aFunctionThatChangesTheListUndoesTheCall() {
    try (Heap heap = Heap.inMemory()) {
      DurableList<String> list = heap.list("list", String.class);
      list.addAll(List.of("c", "a", "b"));

      assertThatThrownBy(() -> list.removeIf(e -> list.add("x")))
          .isInstanceOf(ConcurrentModificationException.class);
      assertThatThrownBy(() -> list.replaceAll(e -> list.set(0, "y")))
          .isInstanceOf(ConcurrentModificationException.class);
      assertThatThrownBy(
              () ->
                  list.sort(
                      (a, b) -> {
                        list.set(0, "z");
                        return a.compareTo(b);
                      }))
          .isInstanceOf(ConcurrentModificationException.class);
      assertThat(list).containsExactly("c", "a", "b");
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  /** Each state that a reader sees is one that was committed: all elements are of one round. */
  @Test
  void readersSeeOnlyWhatWasCommitted() throws Exception {
    try (Heap heap = Heap.inMemory();
        var threads = Executors.newFixedThreadPool(3)) {
      DurableList<Long> list = heap.list("list", Long.class);
      DurableList<String> texts = heap.list("texts", String.class);
      var done = new AtomicBoolean();
      list.addAll(LongStream.range(0, 300).boxed().toList());
      texts.addAll(list.stream().map(i -> "text " + i).toList());
      Callable<Void> reader =
          () -> {
            var random = new Random(1);
            while (!done.get()) {
              int index = random.nextInt(300);
              long value = list.get(index);
              assertThat(value % 1000).isEqualTo(index);
              assertThat(texts.get(index)).startsWith("text ");
              List<Long> all = heap.read(() -> List.copyOf(list));
              assertThat(all).hasSizeBetween(300, 600);
              assertThat(all.get(index) / 1000).isEqualTo(all.get(299) / 1000);
            }
            return null;
          };
      List<Future<Void>> readers = List.of(threads.submit(reader), threads.submit(reader));
      try {
        for (int round = 1; round <= 150; round++) {
          long base = round * 1000L;
          heap.transact(() -> list.replaceAll(old -> base + old % 1000));
          list.addAll(LongStream.range(300, 600).map(i -> base + i).boxed().toList());
          texts.replaceAll(old -> "text " + base);
          list.subList(300, 600).clear();
        }
      } finally {
        done.set(true);
      }
      for (Future<Void> future : readers) {
        Limit.get(future);
      }
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  /**
   * Flips words of the structure: every call returns or says what is wrong, and verify sees it.
   * What {@code clear} leaves is freed in the background, which meets the damage, too: the warnings
   * that "a background task gave up" come from here, and are meant.
   */
  @Test
  void aDamagedListIsRefusedOrRead() {
    var random = new Random(5);
    int found = 0;
    for (int run = 0; run < 45; run++) {
      Heap heap = Heap.inMemory();
      DurableList<String> list = heap.list("list", String.class);
      list.addAll(LongStream.range(0, 9000).mapToObj(i -> "t" + i).toList());
      long header = headerOf(heap, "list");
      var memory = OpenHeap.engine(heap).memory();
      long root = Reference.address(memory.getLong(header + 16 + TreeLayout.ROOT));
      long leaf = Reference.address(memory.getLong(TreeLayout.link(root, 3)));
      long at =
          switch (run % 3) {
            case 0 -> header + 16 + 8L * random.nextInt(5);
            case 1 -> root + 8L * random.nextInt(100);
            default -> leaf + 8L * random.nextInt(128);
          };
      long old = memory.getLong(at);
      long flipped = random.nextBoolean() ? old ^ 1L << random.nextInt(64) : random.nextLong();
      heap.transact(() -> memory.putLong(Stripes.NONE, at, flipped));
      if (!heap.verify().problems().isEmpty()) {
        found++;
      }
      tolerate(() -> list.get(random.nextInt(9000)));
      tolerate(() -> list.get(450));
      tolerate(() -> list.indexOf("nothing"));
      tolerate(() -> list.add(random.nextInt(9000), "new"));
      tolerate(() -> list.addLast("new"));
      tolerate(() -> list.remove(random.nextInt(9000)));
      tolerate(list::removeLast);
      tolerate(() -> list.subList(300, 700).clear());
      tolerate(list::clear);
      OpenHeap.engine(heap).drainHousekeeping();
      heap.close();
    }
    assertThat(found).isGreaterThan(20);
  }

  private static void tolerate(Runnable call) {
    try {
      call.run();
    } catch (CorruptException
        | IndexOutOfBoundsException
        | IllegalStateException
        | GoneException e) {
      assertThat(e).hasMessageNotContaining("null");
    }
  }

  public static long headerOf(Heap heap, String name) {
    return Reference.address(referenceOf(heap, name));
  }

  public static long referenceOf(Heap heap, String name) {
    DurableMap<String, Long> roots =
        MapHandle.attach(
            Structures.of(OpenHeap.engine(heap).context()),
            OpenHeap.engine(heap).memory().getLong(OpenHeap.engine(heap).context().catalog(0)),
            TestCodecs.STRING,
            TestCodecs.LONG);
    return roots.get(name);
  }
}
