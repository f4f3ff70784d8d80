package io.everheap.structure.deque;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.codec.WordCodec;
import io.everheap.collection.DurableDeque;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.Stripes;
import io.everheap.error.ClosedException;
import io.everheap.error.CorruptException;
import io.everheap.error.GoneException;
import io.everheap.heap.OpenHeap;
import io.everheap.structure.list.DurableListTest;
import io.everheap.support.tier.Campaign;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What deques do when they are large, bounded, shared, reopened, damaged, or gone. */
@Campaign
class DurableDequeTest {
  @Test
  void aDequeSurvivesItsProcess(@TempDir Path directory) {
    try (Heap heap = Heap.open(directory)) {
      DurableDeque<String> deque = heap.deque("deque", String.class);
      for (int i = 0; i < 200; i++) {
        deque.addFirst("first " + i);
        deque.addLast("last " + i);
      }
      deque.remove("first 0");
    }
    try (Heap heap = Heap.open(directory)) {
      DurableDeque<String> deque = heap.deque("deque", String.class);
      assertThat(deque).hasSize(399).startsWith("first 199").endsWith("last 199");
      assertThat(heap.entries("deque").findFirst()).contains(java.util.Map.entry(0L, "first 199"));
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  /** Runs something each time that it decodes. */
  private static final class Meddling implements WordCodec<Long> {
    private Runnable action = () -> {};

    @Override
    public String name() {
      return "meddling";
    }

    @Override
    public long toWord(Long value) {
      return value;
    }

    @Override
    public Long fromWord(long word) {
      Runnable now = action;
      action = () -> {};
      now.run();
      return word;
    }
  }

  @Test
  void whatDecodingTakesIsNotTakenTwice() throws Exception {
    try (Heap heap = Heap.inMemory()) {
      Meddling codec = new Meddling();
      DurableDeque<Long> deque = heap.root("deque", DurableDeque.of(codec));
      deque.addAll(List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L));
      List<Long> inside = new ArrayList<>();
      codec.action = () -> inside.add(deque.poll());
      assertThat(deque.take()).isEqualTo(2L);
      codec.action = () -> inside.add(deque.pollLast());
      assertThat(deque.pollLast()).isEqualTo(7L);
      codec.action = () -> inside.add(deque.poll());
      assertThat(heap.<Long, RuntimeException>transact(() -> deque.poll())).isEqualTo(4L);
      codec.action = deque::clear;
      assertThat(deque.poll()).isNull();
      assertThat(inside).containsExactly(1L, 8L, 3L);
      assertThat(deque).isEmpty();
      deque.add(9L);
      codec.action = () -> heap.remove("deque");
      assertThatThrownBy(deque::poll).isInstanceOf(GoneException.class);
      assertThat(heap.contains("deque")).isTrue();
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  @Test
  void whatIsClearedOrRemovedLeaksNothing() {
    try (Heap heap = Heap.inMemory()) {
      heap.deque("other", Long.class);
      long before = OpenHeap.engine(heap).allocator().stats().blocks();
      DurableDeque<String> texts = heap.deque("texts", String.class);
      DurableDeque<Long> words = heap.deque("words", Long.class);
      heap.transact(
          () -> {
            for (long i = 0; i < 15_000; i++) {
              texts.add("text " + i);
              words.add(i);
            }
          });
      Iterator<Long> iterator = words.iterator();
      iterator.next();
      words.clear();
      words.addFirst(7L);
      assertThat(iterator.next()).isEqualTo(7L);
      assertThat(words).containsExactly(7L);
      assertThat(heap.verify().problems()).isEmpty();
      heap.remove("words");
      heap.remove("texts");
      OpenHeap.engine(heap).drainHousekeeping();

      assertThat(OpenHeap.engine(heap).allocator().stats().blocks())
          .as("a node of the map of roots may stay")
          .isBetween(before, before + 2);
      assertThat(heap.verify().problems()).isEmpty();
      assertThatThrownBy(texts::poll).isInstanceOf(GoneException.class);
      assertThatThrownBy(() -> texts.offer("x")).isInstanceOf(GoneException.class);
      assertThatThrownBy(texts::size).isInstanceOf(GoneException.class);
      assertThatThrownBy(() -> words.iterator().hasNext()).isInstanceOf(GoneException.class);
    }
  }

  @Test
  void aQueueThatIsUsedForLongKeepsFewBlocks() {
    try (Heap heap = Heap.inMemory()) {
      DurableDeque<Long> deque = heap.deque("deque", Long.class);
      long before = OpenHeap.engine(heap).allocator().stats().blocks();
      for (long i = 0; i < 1000; i++) {
        deque.offer(i);
        deque.offer(-i);
        assertThat(deque.poll()).isNotNull();
        assertThat(deque.pollLast()).isNotNull();
      }
      assertThat(OpenHeap.engine(heap).allocator().stats().blocks()).isBetween(before, before + 1);
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  @Test
  void aBoundedDequeTakesNoMore() {
    try (Heap heap = Heap.inMemory()) {
      DurableDeque<Long> deque = heap.root("deque", DurableDeque.of(Long.class, 3));
      deque.addAll(List.of(1L, 2L));

      assertThat(deque.remainingCapacity()).isEqualTo(1);
      assertThatThrownBy(() -> deque.addAll(List.of(3L, 4L)))
          .isInstanceOf(IllegalStateException.class);
      assertThat(deque).containsExactly(1L, 2L);
      assertThat(deque.offer(3L)).isTrue();
      assertThat(deque.offer(4L)).isFalse();
      assertThat(deque.offerFirst(4L)).isFalse();
      assertThatThrownBy(() -> deque.push(4L)).hasMessageContaining("full: it has 3");
      assertThat(deque.remainingCapacity()).isZero();
    }
  }

  @Test
  void anIteratorRemovesNothingTwice() {
    try (Heap heap = Heap.inMemory()) {
      DurableDeque<Long> deque = heap.deque("deque", Long.class);
      deque.addAll(List.of(1L, 2L, 3L));
      Iterator<Long> i = deque.iterator();
      i.next();
      deque.poll();
      i.remove();

      assertThat(deque).containsExactly(2L, 3L);
      assertThatThrownBy(i::remove).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void whatIsMovedInATransactionIsInExactlyOneDeque() {
    try (Heap heap = Heap.inMemory()) {
      DurableDeque<String> from = heap.deque("from", String.class);
      DurableDeque<String> to = heap.root("to", DurableDeque.of(String.class, 2));
      from.addAll(List.of("a", "b", "c"));

      assertThatThrownBy(() -> from.drainTo(to)).isInstanceOf(IllegalStateException.class);
      assertThat(from).containsExactly("a", "b", "c");
      assertThat(to).isEmpty();
      assertThat(from.drainTo(to, 2)).isEqualTo(2);
      assertThat(from).containsExactly("c");
      assertThat(to).containsExactly("a", "b");
      assertThatThrownBy(() -> from.drainTo(from)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aClosedHeapSaysSo() {
    Heap heap = Heap.inMemory();
    DurableDeque<Long> deque = heap.deque("deque", Long.class);
    deque.add(1L);
    heap.close();

    assertThatThrownBy(deque::peek).isInstanceOf(ClosedException.class);
    assertThatThrownBy(deque::poll).isInstanceOf(ClosedException.class);
    assertThatThrownBy(deque::take).isInstanceOf(ClosedException.class);
  }

  /**
   * Flips words of the structure: every call returns or says what is wrong, and verify sees it.
   * What {@code clear} leaves is freed in the background, which meets the damage, too: the warnings
   * that "a background task gave up" come from here, and are meant.
   */
  @Test
  void aDamagedDequeIsRefusedOrRead() {
    var random = new Random(5);
    int found = 0;
    for (int run = 0; run < 45; run++) {
      Heap heap = Heap.inMemory();
      DurableDeque<String> deque = heap.deque("deque", String.class);
      deque.addAll(LongStream.range(0, 300).mapToObj(i -> "t" + i).toList());
      deque.removeIf(text -> text.endsWith("5"));
      long header = DurableListTest.headerOf(heap, "deque");
      var memory = OpenHeap.engine(heap).memory();
      long first = Reference.address(memory.getLong(header + 16 + DequeLayout.FIRST));
      long second = Reference.address(memory.getLong(first + DequeLayout.NEXT));
      long at =
          switch (run % 3) {
            case 0 -> header + 16 + 8L * random.nextInt(6);
            case 1 -> first + 8L * random.nextInt(9);
            default -> second + 8L * random.nextInt(9);
          };
      long old = memory.getLong(at);
      long flipped = random.nextBoolean() ? old ^ 1L << random.nextInt(64) : random.nextLong();
      heap.transact(() -> memory.putLong(Stripes.NONE, at, flipped));
      if (!heap.verify().problems().isEmpty()) {
        found++;
      }
      tolerate(() -> new ArrayList<>(deque));
      tolerate(() -> assertThat(deque.contains("nothing")).isFalse());
      tolerate(() -> deque.remove("t70"));
      tolerate(() -> deque.offerFirst("new"));
      tolerate(() -> deque.offerLast("new"));
      for (int i = 0; i < 70; i++) {
        tolerate(deque::pollFirst);
        tolerate(deque::pollLast);
      }
      tolerate(deque::clear);
      OpenHeap.engine(heap).drainHousekeeping();
      heap.close();
    }
    assertThat(found).isGreaterThan(30);
  }

  private static void tolerate(Runnable call) {
    try {
      call.run();
    } catch (CorruptException | IllegalStateException | GoneException e) {
      assertThat(e).hasMessageNotContaining("null");
    }
  }
}
