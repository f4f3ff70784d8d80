package io.everheap.structure.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.collection.DurablePriorityQueue;
import io.everheap.collection.KeyOrder;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.Month;
import java.time.MonthDay;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A priority queue compares its elements as their class does, however they are stored. */
class PriorityOrderTest {
  static Stream<List<? extends Comparable<?>>> samples() {
    Random random = new Random(1);
    return Stream.of(
        List.of(Long.MIN_VALUE, -1L, 0L, 1L, 1L << 40, Long.MAX_VALUE),
        random.longs(2_000).boxed().toList(),
        List.of(Integer.MIN_VALUE, -7, -1, 0, 1, Integer.MAX_VALUE),
        List.of(Short.MIN_VALUE, (short) -1, (short) 0, Short.MAX_VALUE),
        List.of(Byte.MIN_VALUE, (byte) -1, (byte) 0, Byte.MAX_VALUE),
        List.of('\0', 'a', 'b', '\u8000', '\uffff'),
        List.of(false, true),
        List.of(Float.NEGATIVE_INFINITY, -1f, -0f, 0f, 1f, Float.NaN),
        List.of(Double.NEGATIVE_INFINITY, -1d, -0d, 0d, 1d, Double.MAX_VALUE, Double.NaN),
        List.of(DayOfWeek.values()),
        List.of(Month.values()),
        List.of(LocalDate.MIN, LocalDate.of(-1, 1, 1), LocalDate.EPOCH, LocalDate.MAX),
        List.of(LocalTime.MIN, LocalTime.NOON, LocalTime.MAX),
        List.of(MonthDay.of(1, 31), MonthDay.of(2, 1), MonthDay.of(12, 31)),
        List.of(Year.of(-3), Year.of(0), Year.of(2026)),
        List.of(YearMonth.of(-3, 2), YearMonth.of(2025, 12), YearMonth.of(2026, 1)),
        Arrays.asList(ZoneOffset.MAX, ZoneOffset.UTC, ZoneOffset.MIN));
  }

  @ParameterizedTest
  @MethodSource("samples")
  <E extends Comparable<E>> void elementsComeInTheirNaturalOrder(List<E> elements) {
    @SuppressWarnings("unchecked")
    Class<E> type = (Class<E>) elements.getFirst().getClass();
    try (Heap heap = Heap.inMemory()) {
      DurablePriorityQueue<E> queue = heap.priorityQueue("queue", type);
      List<E> all = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        all.addAll(elements);
      }
      Collections.shuffle(all, new Random(2));
      for (E element : all) {
        queue.add(element);
      }

      assertThat(new ArrayList<>(queue)).isEqualTo(all.stream().sorted().toList());
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  @Test
  void elementsThatAreComparedEqualStayInTheOrderOfTheirAdditionInManyLeaves() {
    try (Heap heap = Heap.inMemory()) {
      KeyOrder<Long> order = KeyOrder.of("hundreds", Comparator.comparingLong(n -> n / 100));
      DurablePriorityQueue<Long> queue =
          heap.root("queue", DurablePriorityQueue.of(Long.class, order));
      List<Long> numbers = new ArrayList<>(LongStream.range(0, 3_000).boxed().toList());
      Collections.shuffle(numbers, new Random(3));
      for (Long number : numbers) {
        queue.add(number);
      }

      numbers.sort(order.comparator());
      assertThat(new ArrayList<>(queue)).isEqualTo(numbers);
    }
  }

  @Test
  void aComparatorThatChangesTheQueueIsNoticed() {
    AtomicReference<Runnable> change = new AtomicReference<>(() -> {});
    KeyOrder<Long> order =
        KeyOrder.of(
            "natural, with a change",
            (a, b) -> {
              change.getAndSet(() -> {}).run();
              return a.compareTo(b);
            });
    try (Heap heap = Heap.inMemory()) {
      DurablePriorityQueue<Long> queue =
          heap.root("queue", DurablePriorityQueue.of(Long.class, order));
      for (int size : new int[] {0, 1, 100, 1_000}) {
        queue.clear();
        queue.addAll(IntStream.range(0, size).mapToObj(i -> (long) i).toList());
        List<Long> before = new ArrayList<>(queue);
        List<Runnable> changes = List.of(() -> queue.add(5L), queue::poll, queue::clear);
        for (Runnable each : size == 0 ? changes.subList(0, 1) : changes) {
          change.set(each);
          assertThatThrownBy(() -> queue.add(7L))
              .isInstanceOf(ConcurrentModificationException.class)
              .hasMessageContaining("comparator");
          assertThat(new ArrayList<>(queue)).isEqualTo(before);
        }
      }
      assertThat(heap.verify().problems()).isEmpty();
    }
  }
}
