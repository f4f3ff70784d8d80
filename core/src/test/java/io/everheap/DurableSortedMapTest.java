package io.everheap;

import static java.util.concurrent.Executors.callable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.codec.Codecs;
import io.everheap.codec.OrderedBytes;
import io.everheap.codec.OrderedCodec;
import io.everheap.codec.derived.DerivedCodecs;
import io.everheap.collection.DurableSet;
import io.everheap.collection.DurableSortedMap;
import io.everheap.collection.DurableSortedSet;
import io.everheap.collection.KeyOrder;
import io.everheap.error.ClosedException;
import io.everheap.error.GoneException;
import io.everheap.error.SchemaMismatchException;
import io.everheap.heap.OpenHeap;
import java.lang.invoke.MethodHandles;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sorted maps and sets as roots of a heap: their orders, what they refuse, how they go. */
class DurableSortedMapTest {
  private static final KeyOrder<String> BY_LENGTH =
      KeyOrder.of(
          "length, then text",
          Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()));

  private static final KeyOrder<String> REVERSE =
      KeyOrder.of("reverse", Comparator.<String>reverseOrder());

  @TempDir private Path directory;

  /** Compared by {@code compareTo}: records have no order of their own in bytes. */
  public record Version(int major, int minor) implements Comparable<Version> {
    @Override
    public int compareTo(Version other) {
      return Comparator.comparingInt(Version::major)
          .thenComparingInt(Version::minor)
          .compare(this, other);
    }
  }

  private static final class VersionCodec implements OrderedCodec<Version> {
    @Override
    public String name() {
      return "test.version";
    }

    @Override
    public void write(Version value, CodecOutput out) {
      OrderedBytes.writeInt(value.major(), out);
      OrderedBytes.writeInt(value.minor(), out);
    }

    @Override
    public Version read(CodecInput in) {
      return new Version(OrderedBytes.readInt(in), OrderedBytes.readInt(in));
    }
  }

  @Test
  void aMapIsThereAgainInItsOrderAfterAReopen() {
    try (Heap heap = Heap.open(directory)) {
      heap.sortedMap("m", String.class, Long.class).putAll(Map.of("b", 2L, "a", 1L, "c", 3L));
      heap.sortedMap("r", String.class, Long.class, REVERSE).putAll(Map.of("b", 2L, "a", 1L));
      heap.sortedSet("s", Integer.class).addAll(List.of(3, 1, 2));
    }
    try (Heap heap = Heap.open(directory)) {
      assertThat(heap.sortedMap("m", String.class, Long.class).keySet())
          .containsExactly("a", "b", "c");
      DurableSortedMap<String, Long> reverse =
          heap.sortedMap("r", String.class, Long.class, REVERSE);
      assertThat(reverse.keySet()).containsExactly("b", "a");
      assertThat(reverse.comparator()).isSameAs(REVERSE.comparator());
      assertThat(heap.sortedSet("s", Integer.class)).containsExactly(1, 2, 3);
      assertThat(heap.roots()).extracting(Root::kind).contains("sorted map", "sorted set");
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  @Test
  void anotherOrderIsRefused() {
    try (Heap heap = Heap.inMemory()) {
      heap.sortedMap("natural", String.class, Long.class);
      heap.sortedMap("reverse", String.class, Long.class, REVERSE);
      assertThatExceptionOfType(SchemaMismatchException.class)
          .isThrownBy(() -> heap.sortedMap("natural", String.class, Long.class, REVERSE))
          .withMessageContaining("order");
      assertThatExceptionOfType(SchemaMismatchException.class)
          .isThrownBy(() -> heap.sortedMap("reverse", String.class, Long.class))
          .withMessageContaining("reverse");
      assertThatExceptionOfType(SchemaMismatchException.class)
          .isThrownBy(() -> heap.sortedMap("reverse", String.class, Long.class, BY_LENGTH));
      assertThatExceptionOfType(SchemaMismatchException.class)
          .isThrownBy(() -> heap.map("natural", String.class, Long.class));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> KeyOrder.of("natural", Comparator.<String>reverseOrder()));
    }
  }

  @Test
  void keysThatAComparatorCallsEqualAreOneKeyInItsFirstForm() {
    KeyOrder<String> anyCase = KeyOrder.of("any case", String.CASE_INSENSITIVE_ORDER);
    try (Heap heap = Heap.inMemory()) {
      DurableSortedMap<String, String> map =
          heap.sortedMap("m", String.class, String.class, anyCase);
      assertThat(map.put("Key", "1")).isNull();
      assertThat(map.put("KEY", "2".repeat(300))).isEqualTo("1");
      assertThat(map).hasSize(1).containsEntry("key", "2".repeat(300));
      assertThat(map.firstKey()).isEqualTo("Key");
    }
  }

  @Test
  void whatAComparatorThrowsReachesTheCallerAndUndoesTheCall() {
    boolean[] fail = {false};
    KeyOrder<String> failing =
        KeyOrder.of(
            "failing",
            (a, b) -> {
              if (fail[0]) {
                throw new IllegalStateException("not today");
              }
              return a.compareTo(b);
            });
    try (Heap heap = Heap.inMemory()) {
      DurableSortedMap<String, Long> map = heap.sortedMap("m", String.class, Long.class, failing);
      map.put("a", 1L);
      fail[0] = true;
      for (Callable<?> call :
          List.<Callable<?>>of(
              () -> map.get("a"),
              () -> map.put("b", 1L),
              () -> map.remove("a"),
              () -> map.floorKey("b"),
              () -> map.subMap("a", "b").size())) {
        assertThatExceptionOfType(IllegalStateException.class)
            .isThrownBy(call::call)
            .withMessage("not today");
      }
      fail[0] = false;
      assertThat(map).hasSize(1);
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  @Test
  void comparableRecordsHaveTheirNaturalOrder() {
    try (Heap heap = Heap.builder(directory).lookup(MethodHandles.lookup()).open()) {
      DurableSortedMap<Version, String> map = heap.sortedMap("m", Version.class, String.class);
      map.put(new Version(1, 10), "b");
      map.put(new Version(1, 9), "a");
      map.put(new Version(-1, 0), "z");
      assertThat(map.values()).containsExactly("z", "a", "b");
      assertThat(map.comparator()).isNull();
      assertThat(heap.verify().problems()).isEmpty();
      assertThat(heap.entries("m")).hasSize(3);
    }
  }

  @Test
  void anOrderedCodecOfTheUsersOwnOrdersBytes() {
    try (Heap heap = Heap.inMemory()) {
      DurableSortedMap<Version, Long> map =
          heap.root("m", DurableSortedMap.of(new VersionCodec(), Codecs.LONG));
      for (int i = 0; i < 500; i++) {
        map.put(new Version(i % 7 - 3, i * 31 % 500), (long) i);
      }
      assertThat(List.copyOf(map.keySet())).isSorted().hasSize(500);
      assertThatExceptionOfType(UnsupportedOperationException.class)
          .isThrownBy(() -> map.prefixMap(new Version(1, 1)));
    }
  }

  @Test
  void keysWithoutAnOrderAreRefused() {
    try (Heap heap = Heap.inMemory()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> heap.sortedMap("m", int[].class, Long.class))
          .withMessageContaining("int[]")
          .withMessageContaining("KeyOrder");
      assertThatIllegalArgumentException()
          .isThrownBy(
              () ->
                  heap.root(
                      "m", DurableSortedMap.of(DerivedCodecs.list(Codecs.LONG), Codecs.LONG)));
      assertThat(heap.names()).isEmpty();
    }
  }

  @Test
  void decimalsThatAreEqualInOrderAreOneKey() {
    try (Heap heap = Heap.inMemory()) {
      DurableSortedMap<BigDecimal, String> map =
          heap.sortedMap("m", BigDecimal.class, String.class);
      map.put(new BigDecimal("1.0"), "one");
      assertThat(map.get(new BigDecimal("1.00"))).isEqualTo("one");
      assertThat(map.firstKey()).isEqualTo(new BigDecimal("1"));
    }
  }

  @Test
  void bytesAreOrderedAsUnsignedNumbers() {
    try (Heap heap = Heap.inMemory()) {
      DurableSortedMap<byte[], Long> map = heap.sortedMap("m", byte[].class, Long.class);
      map.put(new byte[] {-1}, 3L);
      map.put(new byte[] {1, 2}, 2L);
      map.put(new byte[] {}, 1L);
      assertThat(map.values()).containsExactly(1L, 2L, 3L);
      assertThat(map.comparator().compare(new byte[] {-1}, new byte[] {1})).isPositive();
      assertThat(map.prefixMap(new byte[] {-1})).hasSize(1);
      assertThat(map.prefixMap(new byte[] {})).hasSize(3);
    }
  }

  @Test
  void aPrefixSelectsTheKeysThatBeginWithIt() {
    try (Heap heap = Heap.inMemory()) {
      DurableSortedMap<String, Integer> map = heap.sortedMap("m", String.class, Integer.class);
      List<String> keys =
          List.of("", "a", "ab", "ab\0", "abc", "ab\uffff", "ac", "b", "\ud83d\ude00", "\uffff");
      IntStream.range(0, keys.size()).forEach(i -> map.put(keys.get(i), i));
      for (String prefix : List.of("", "a", "ab", "abc", "x", "\ud83d", "\uffff", "\0")) {
        List<String> wanted = map.keySet().stream().filter(k -> k.startsWith(prefix)).toList();
        assertThat(map.prefixMap(prefix).keySet()).as(prefix).containsExactlyElementsOf(wanted);
        assertThat(map.prefixMap(prefix).descendingKeySet())
            .containsExactlyElementsOf(wanted.reversed());
      }
      NavigableMap<String, Integer> ab = map.prefixMap("ab");
      assertThat(ab.firstKey()).isEqualTo("ab");
      assertThatIllegalArgumentException().isThrownBy(() -> ab.put("ac", 1));
      ab.clear();
      assertThat(map.keySet()).containsExactly("", "a", "ac", "b", "\ud83d\ude00", "\uffff");
      DurableSortedSet<String> set = heap.sortedSet("s", String.class);
      set.addAll(keys);
      assertThat(set.prefixSet("ab")).containsExactly("ab", "ab\0", "abc", "ab\uffff");
    }
  }

  @Test
  void subSetsTakeElementsOfTheirRange() {
    try (Heap heap = Heap.inMemory()) {
      DurableSortedSet<Integer> set = heap.sortedSet("s", Integer.class);
      assertThat(set.subSet(0, 10).add(5)).isTrue();
      assertThat(set.descendingSet().add(6)).isTrue();
      assertThat(set.subSet(0, 10).add(5)).isFalse();
      assertThatIllegalArgumentException().isThrownBy(() -> set.headSet(3).add(3));
      assertThat(set.sizeLong()).isEqualTo(2);
      assertThat(set.pollLast()).isEqualTo(6);
    }
  }

  @Test
  void valuesCanBeLargeOrStructures() {
    try (Heap heap = Heap.open(directory)) {
      DurableSortedMap<Long, byte[]> large = heap.sortedMap("large", Long.class, byte[].class);
      DurableSortedMap<String, byte[]> texts = heap.sortedMap("texts", String.class, byte[].class);
      byte[] value = new byte[3 << 20];
      Arrays.fill(value, (byte) 7);
      large.put(1L, value);
      texts.put("a", value);
      assertThat(large.get(1L)).isEqualTo(value);
      assertThat(texts.firstEntry().getValue()).isEqualTo(value);
      DurableSortedMap<String, DurableSet<Long>> index =
          heap.root("index", DurableSortedMap.of(String.class, DurableSet.of(Long.class)));
      DurableSet<Long> set =
          heap.transact(
              () -> {
                DurableSet<Long> made = heap.create(DurableSet.of(Long.class));
                index.put("a", made);
                return made;
              });
      index.get("a").add(5L);
      assertThat(set).containsExactly(5L);
      heap.transact(() -> heap.free(set));
      assertThatExceptionOfType(GoneException.class).isThrownBy(() -> index.get("a").size());
      index.clear();
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  @Test
  void removingARootFreesAllOfIt() {
    for (int entries : new int[] {0, 1, 100, 30_000}) {
      try (Heap heap = Heap.inMemory()) {
        heap.map("types", String.class, String.class).put("so that", "types are known");
        heap.sortedMap("first", String.class, String.class);
        heap.remove("first");
        long before = heap.stats().blocks();
        DurableSortedMap<String, String> map = heap.sortedMap("m", String.class, String.class);
        heap.transact(
            () -> {
              for (int i = 0; i < entries; i++) {
                map.put("a common beginning " + i, "value " + i);
              }
            });
        map.prefixMap("a common beginning 1").clear();
        assertThat(heap.verify().problems()).isEmpty();
        heap.remove("m");
        assertThat(heap.verify().problems()).isEmpty();
        OpenHeap.engine(heap).drainHousekeeping();
        assertThat(heap.stats().blocks()).isEqualTo(before);
        assertThat(heap.verify().problems()).isEmpty();
        assertThatExceptionOfType(GoneException.class).isThrownBy(() -> map.get("a"));
        assertThatExceptionOfType(GoneException.class).isThrownBy(() -> map.put("a", "b"));
        assertThatExceptionOfType(GoneException.class)
            .isThrownBy(() -> map.entrySet().iterator().hasNext());
        assertThatExceptionOfType(GoneException.class).isThrownBy(map::clear);
      }
    }
  }

  @Test
  void clearingALargeMapIsOneShortTransactionAndLeavesNothing() {
    try (Heap heap = Heap.inMemory()) {
      DurableSortedMap<Long, String> map = heap.sortedMap("m", Long.class, String.class);
      long before = heap.stats().blocks();
      heap.transact(() -> IntStream.range(0, 20_000).forEach(i -> map.put((long) i, "v" + i)));
      heap.transact(map::clear);
      assertThat(map).isEmpty();
      map.put(1L, "new");
      OpenHeap.engine(heap).drainHousekeeping();
      map.remove(1L);
      assertThat(heap.stats().blocks()).isEqualTo(before);
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  @Test
  void aRolledBackTransactionLeavesNoTrace() {
    try (Heap heap = Heap.inMemory()) {
      DurableSortedMap<Long, Long> map = heap.sortedMap("m", Long.class, Long.class);
      for (long i = 0; i < 1000; i++) {
        map.put(i, i);
      }
      assertThatExceptionOfType(ArithmeticException.class)
          .isThrownBy(
              () ->
                  heap.transact(
                      () -> {
                        map.subMap(100L, 900L).clear();
                        map.put(5000L, 1L);
                        assertThat(map).hasSize(201);
                        throw new ArithmeticException();
                      }));
      assertThat(map).hasSize(1000);
      assertThat(map.lastKey()).isEqualTo(999);
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  @Test
  void afterTheHeapWasClosedEverythingSaysSo() {
    Heap heap = Heap.inMemory();
    DurableSortedMap<Long, Long> map = heap.sortedMap("m", Long.class, Long.class);
    DurableSortedSet<String> set = heap.sortedSet("s", String.class);
    map.put(1L, 1L);
    heap.close();
    for (Callable<?> call :
        List.<Callable<?>>of(
            () -> map.get(1L),
            () -> map.put(1L, 1L),
            map::size,
            map::firstEntry,
            () -> map.subMap(0L, 5L).size(),
            () -> map.keySet().iterator().hasNext(),
            callable(map::clear),
            () -> set.contains("a"),
            () -> set.add("a"),
            set::sizeLong)) {
      assertThatExceptionOfType(ClosedException.class).isThrownBy(call::call);
    }
  }
}
