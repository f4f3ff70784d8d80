package io.everheap.structure.deque;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.collection.DurableDeque;
import io.everheap.engine.alloc.Reference;
import io.everheap.heap.OpenHeap;
import io.everheap.structure.common.Guard;
import io.everheap.structure.common.HeapStructureId;
import io.everheap.structure.common.StructureContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A deque of many chunks: no operation on one element walks through all of them. The steps are
 * counted, from one chunk to the next.
 */
class LongDequeTest {
  private static final int ELEMENTS = 64 * 1024;
  private static final int CHUNKS = ELEMENTS / DequeLayout.CHUNK_PLACES;

  private final Heap heap = Heap.inMemory();
  private DurableDeque<Integer> deque;
  private DequeChunks chunks;
  private DequeSearch search;
  private Guard exclusive;

  @BeforeEach
  void fill() {
    deque = heap.deque("d", Integer.class);
    heap.transact(() -> deque.addAll(IntStream.range(0, ELEMENTS).boxed().toList()));
    StructureContext context = OpenHeap.structures(heap);
    long reference = ((HeapStructureId) deque.id()).reference();
    chunks = new DequeChunks(context, reference, DequeLifecycle.OFFSET);
    exclusive = new Guard(context.stripes(), chunks.stripe()).exclusive();
    search = new DequeSearch(chunks, exclusive);
  }

  @AfterEach
  void close() {
    heap.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theNextChunkIsOneStepAway(boolean up) {
    long chunk = Reference.NULL;
    for (int i = 0; i < CHUNKS; i++) {
      long position = (long) (up ? i : CHUNKS - 1 - i) * DequeLayout.CHUNK_PLACES;
      chunk = search.find(position, up, chunk, Reference.NULL, exclusive);
      assertThat(chunks.base(chunk)).isEqualTo(position);
    }
    assertThat(search.steps()).isLessThan(3L * CHUNKS);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFreedChunkDoesNotEndTheWay(boolean up) {
    int half = ELEMENTS / 2;
    Iterator<Integer> elements = up ? deque.iterator() : deque.descendingIterator();
    for (int i = 0; i < half; i++) {
      elements.next();
    }
    long position = up ? half : half - 1;
    long kept = search.find(position - (up ? 64 : -64), up, 0, 0, exclusive);
    long freed = search.find(position, up, 0, 0, exclusive);
    heap.transact(
        () -> {
          for (int i = 0; i < 4 * DequeLayout.CHUNK_PLACES; i++) {
            elements.next();
            elements.remove();
          }
        });
    long before = search.steps();
    long found = search.find(position, up, freed, kept, exclusive);
    assertThat(search.steps() - before).isLessThan(4);
    assertThat(chunks.base(found)).isEqualTo(up ? half + 4 * 64 : half - 5 * 64);
  }

  @Test
  void elementsAreFoundInRandomOrder() {
    List<Integer> positions = new ArrayList<>(IntStream.range(0, ELEMENTS).boxed().toList());
    Collections.shuffle(positions, new Random(7));
    heap.transact(
        () -> {
          for (int position : positions) {
            long chunk = search.locate(position, Reference.NULL);
            assertThat(chunks.base(chunk)).isEqualTo(DequeLayout.base(position));
            chunks.remove(chunk, position);
          }
        });
    assertThat(search.steps()).isLessThan(64L * ELEMENTS);
    assertThat(deque).isEmpty();
    assertThat(heap.verify().problems()).isEmpty();
  }

  @Test
  void whatIsRememberedOfAClearedDequeIsNotUsed() {
    heap.transact(
        () -> {
          for (int position = 0; position < ELEMENTS; position += 997) {
            assertThat(search.locate(position, Reference.NULL)).isNotZero();
          }
          long old = search.locate(ELEMENTS / 2, Reference.NULL);
          deque.clear();
          deque.addAll(IntStream.range(0, ELEMENTS).boxed().toList());
          long first = chunks.head();
          for (int i = 0; i < ELEMENTS; i += 501) {
            long chunk = search.locate(first + i, old);
            assertThat(heapInt(chunk, first + i)).isEqualTo(i);
          }
        });
  }

  private int heapInt(long chunk, long position) {
    return (int) chunks.memory().getLong(DequeLayout.place(chunk, position));
  }

  @Test
  void anIteratorThatRemovesKeepsToTheOrder() {
    Random random = new Random(11);
    List<Integer> expected = new ArrayList<>();
    List<Integer> seen = new ArrayList<>();
    for (Iterator<Integer> i = deque.iterator(); i.hasNext(); ) {
      int element = i.next();
      seen.add(element);
      boolean dense = element / 5000 % 2 == 0; // whole chunks go, or single elements
      if (dense ? element % 5000 < 4000 : random.nextInt(50) == 0) {
        i.remove();
      } else {
        expected.add(element);
      }
    }
    assertThat(seen).hasSize(ELEMENTS).isSorted();
    assertThat(List.copyOf(deque)).isEqualTo(expected);
    List<Integer> reversed = new ArrayList<>();
    deque.descendingIterator().forEachRemaining(reversed::add);
    assertThat(reversed.reversed()).isEqualTo(expected);
    assertThat(heap.verify().problems()).isEmpty();
  }
}
