package io.everheap.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.codec.Codecs;
import io.everheap.codec.WordCodec;
import io.everheap.codec.derived.CodecRegistry;
import io.everheap.error.CorruptValueException;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.time.zone.ZoneRulesException;
import java.time.zone.ZoneRulesProvider;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A value that this program cannot decode blocks none of its neighbours, and can be removed. */
class UndecodableValuesTest {
  private static final Heap HEAP = Heap.inMemory();

  /** Whether the program is one that does not decode the bad values. */
  private static boolean later;

  /** A record whose constructor refuses what it accepted when it was stored. */
  record Amount(int number) implements Comparable<Amount> {
    Amount {
      if (later && number < 0) {
        throw new IllegalArgumentException("negative");
      }
    }

    @Override
    public int compareTo(Amount other) {
      return Integer.compare(number, other.number);
    }
  }

  /** Throws what no codec should throw. */
  record Throwing() implements Codec<Integer> {
    @Override
    public String name() {
      return "test.Throwing";
    }

    @Override
    public void write(Integer value, CodecOutput out) {
      out.writeInt(value);
    }

    @Override
    public Integer read(CodecInput in) {
      int value = in.readInt();
      if (later && value < 0) {
        throw new IllegalStateException("negative");
      }
      return value;
    }
  }

  /** As {@link Throwing}, with words. */
  record ThrowingWords() implements WordCodec<Integer> {
    @Override
    public String name() {
      return "test.ThrowingWords";
    }

    @Override
    public long toWord(Integer value) {
      return value;
    }

    @Override
    public Integer fromWord(long word) {
      if (later && word < 0) {
        throw new NoClassDefFoundError("test");
      }
      return (int) word;
    }
  }

  /** Has a time zone that a later JVM lacks. */
  private static final class Zones extends ZoneRulesProvider {
    private static final String ID = "Test/Olympus";
    private static final ZoneId BAD;

    @SuppressWarnings("InvalidZoneId") // this class registers it
    private static ZoneId zone() {
      return ZoneId.of(ID);
    }

    static {
      registerProvider(new Zones());
      later = false;
      BAD = zone();
    }

    @Override
    protected Set<String> provideZoneIds() {
      return Set.of(ID);
    }

    @Override
    protected @Nullable ZoneRules provideRules(String zoneId, boolean forCaching) {
      if (later) {
        throw new ZoneRulesException("Unknown time-zone ID: " + zoneId);
      }
      return forCaching ? null : ZoneRules.of(ZoneOffset.UTC);
    }

    @Override
    protected NavigableMap<String, ZoneRules> provideVersions(String zoneId) {
      return new TreeMap<>();
    }
  }

  /**
   * A reason why a value does not decode.
   *
   * @param codec of the values
   * @param bad the value that does not decode later
   * @param good two values
   */
  record Reason<T>(String name, Codec<T> codec, T bad, List<T> good) {
    @Override
    public String toString() {
      return name;
    }

    T value(int i) {
      return good.get(i);
    }

    /** Stores as the earlier program. */
    void store(Runnable body) {
      later = false;
      body.run();
      later = true;
    }
  }

  static Stream<Reason<?>> reasons() {
    later = false;
    return Stream.of(
        new Reason<>(
            "a constructor that refuses",
            new CodecRegistry().lookup(MethodHandles.lookup()).forClass(Amount.class),
            new Amount(-1),
            List.of(new Amount(1), new Amount(2))),
        new Reason<>("a codec", new Throwing(), -1, List.of(1, 2)),
        new Reason<>("a codec of words", new ThrowingWords(), -1, List.of(1, 2)),
        new Reason<>(
            "a time zone",
            Codecs.ZONE_ID,
            Zones.BAD,
            List.of(ZoneId.of("Europe/Berlin"), ZoneId.of("Europe/Paris"))));
  }

  @ParameterizedTest
  @MethodSource("reasons")
  <T> void maps(Reason<T> reason) {
    for (boolean sorted : new boolean[] {false, true}) {
      ConcurrentMap<Long, T> stored =
          sorted
              ? HEAP.root("sorted", DurableSortedMap.of(Codecs.LONG, reason.codec))
              : HEAP.root("map", DurableMap.of(Codecs.LONG, reason.codec));
      reason.store(
          () -> {
            stored.put(1L, reason.bad);
            stored.put(2L, reason.value(0));
            stored.put(3L, reason.bad);
          });
      if (sorted) {
        DurableSortedMap<Long, T> map =
            HEAP.root("sorted", DurableSortedMap.of(Codecs.LONG, reason.codec));
        check(reason, map, "sorted", map.undecodable());
        assertThat(map.keySet().pollLast()).isEqualTo(3);
        assertThat(map.keySet().pollFirst()).isEqualTo(1);
        assertThat(map.keySet()).containsExactly(2L);
        map.set(1L, reason.value(1));
        assertThat(map.delete(1L)).isTrue();
        map.set(1L, reason.value(1));
        assertThat(map.get(1L)).isEqualTo(reason.value(1));
        assertThat(map.undecodable().hasNext()).isFalse();
      } else {
        DurableMap<Long, T> map = HEAP.root("map", DurableMap.of(Codecs.LONG, reason.codec));
        check(reason, map, "map", map.undecodable());
        assertThat(map.delete(3L)).isTrue();
        map.set(1L, reason.value(1));
        assertThat(map.get(1L)).isEqualTo(reason.value(1));
        assertThat(map.undecodable().hasNext()).isFalse();
      }
    }
  }

  private static <T> void check(
      Reason<T> reason, ConcurrentMap<Long, T> map, String root, Iterator<Undecodable> bad) {
    assertThat(map.size()).isEqualTo(3);
    assertThat(map.containsKey(1L)).isTrue();
    assertThat(map.get(2L)).isEqualTo(reason.value(0));
    assertThat(map.containsValue(reason.value(0))).isTrue();
    assertThat(map.containsValue(reason.value(1))).isFalse();
    assertThat(map.toString()).contains("<undecodable", "2=" + reason.value(0));
    assertNamed(() -> map.get(1L), root, "key 1", reason);
    assertNamed(() -> map.put(1L, reason.value(0)), root, "key 1", reason);
    assertNamed(() -> map.remove(1L), root, "key 1", reason);
    assertNamed(() -> map.values().iterator().forEachRemaining(value -> {}), root, "key", reason);
    assertThat(map.remove(1L, reason.value(0))).isFalse();
    assertThat(map.replace(1L, reason.value(0), reason.value(1))).isFalse();
    assertThat(map.values().removeIf(value -> false)).isFalse();
    assertThat(decoded(map.values().iterator())).containsExactly(reason.value(0));
    assertThat(decoded(map.keySet().iterator())).containsExactlyInAnyOrder(1L, 2L, 3L);
    List<Object> positions = new ArrayList<>();
    bad.forEachRemaining(
        found -> {
          positions.add(found.position());
          assertThat(found.bytes()).isNotEmpty();
        });
    assertThat(positions).containsExactlyInAnyOrder(1L, 3L);
    map.putAll(Map.of(1L, reason.value(0)));
    assertThat(map.get(1L)).isEqualTo(reason.value(0));
  }

  @ParameterizedTest
  @MethodSource("reasons")
  <T> void lists(Reason<T> reason) {
    DurableList<T> list = HEAP.root("list", DurableList.of(reason.codec));
    reason.store(
        () -> list.addAll(List.of(reason.bad, reason.value(0), reason.bad, reason.value(1))));
    assertNamed(() -> list.get(2), "list", "position 2", reason);
    assertNamed(() -> list.set(0, reason.value(0)), "list", "position 0", reason);
    assertNamed(() -> list.remove(0), "list", "position 0", reason);
    assertThat(list.indexOf(reason.value(1))).isEqualTo(3);
    assertThat(list.lastIndexOf(reason.value(0))).isEqualTo(1);
    assertThat(list.toString()).contains("<undecodable", reason.value(0).toString());
    assertThat(list).hasSize(4).isNotEqualTo(List.of(reason.value(0)));
    assertThat(list.removeIf(value -> value.equals(reason.value(1)))).isTrue();
    assertThat(decoded(list.iterator())).containsExactly(reason.value(0));
    assertThat(positions(list.undecodable())).containsExactly(0L, 2L);
    list.replace(0, reason.value(1));
    list.delete(2);
    assertThat(list).containsExactly(reason.value(1), reason.value(0));
    reason.store(() -> list.addAll(0, List.of(reason.bad, reason.bad)));
    setAside(list);
    assertThat(list).containsExactly(reason.value(1), reason.value(0));
  }

  @ParameterizedTest
  @MethodSource("reasons")
  <T> void deques(Reason<T> reason) throws InterruptedException {
    DurableDeque<T> deque = HEAP.root("deque", DurableDeque.of(reason.codec));
    List<T> all = List.of(reason.bad, reason.value(0), reason.bad, reason.value(1), reason.bad);
    reason.store(() -> deque.addAll(all));
    assertThat(deque.peek()).isEqualTo(reason.value(0));
    assertThat(deque.peekLast()).isEqualTo(reason.value(1));
    assertThat(deque.poll()).isEqualTo(reason.value(0));
    assertThat(deque.pollLast()).isEqualTo(reason.value(1));
    assertThat(deque.poll()).isNull();
    assertThat(deque.awaitElement(0, TimeUnit.SECONDS)).isFalse();
    assertThat(deque).hasSize(3);
    deque.add(reason.value(1));
    assertThat(HEAP.<T, RuntimeException>transact(deque::removeFirst)).isEqualTo(reason.value(1));
    deque.clear();
    reason.store(() -> deque.addAll(all));
    List<T> drained = new ArrayList<>();
    assertThat(deque.drainTo(drained)).isEqualTo(2);
    assertThat(drained).isEqualTo(reason.good);
    deque.add(reason.value(0));
    assertThat(deque.take()).isEqualTo(reason.value(0));
    deque.add(reason.value(0));
    assertThat(deque.contains(reason.value(1))).isFalse();
    assertThat(deque.remove(reason.value(0))).isTrue();
    deque.add(reason.value(0));
    assertThat(deque.removeIf(reason.value(0)::equals)).isTrue();
    assertThat(positions(deque.undecodable())).containsExactly(0L, 1L, 2L);
    assertNamed(() -> deque.iterator().next(), "deque", "position 0", reason);
    deque.add(reason.value(0));
    setAside(deque);
    assertThat(deque).containsExactly(reason.value(0));
  }

  @Test
  void priorityQueues() {
    KeyOrder<Integer> order = KeyOrder.of("test.up", Integer::compare);
    DurablePriorityQueue<Integer> queue =
        HEAP.root("queue", DurablePriorityQueue.of(new Throwing(), order));
    later = false;
    queue.addAll(List.of(-3, -2, -1, 4, 8));
    later = true;
    queue.addAll(List.of(6, 2, 10, 5));
    assertThat(queue.peek()).isEqualTo(2);
    assertThat(decoded(queue.iterator())).containsExactly(2, 4, 5, 6, 8, 10);
    assertThat(queue.poll()).isEqualTo(2);
    List<Integer> drained = new ArrayList<>();
    queue.drainTo(drained);
    assertThat(drained).containsExactly(4, 5, 6, 8, 10);
    assertThat(queue.poll()).isNull();
    queue.add(7);
    assertThat(queue.poll()).isEqualTo(7);
    assertThat(queue).hasSize(3);
    setAside(queue);
    assertThat(queue).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("reasons")
  <T> void workQueues(Reason<T> reason) {
    DurableWorkQueue<T> queue = HEAP.root("work", DurableWorkQueue.of(reason.codec));
    reason.store(() -> queue.addAll(List.of(reason.bad, reason.value(0))));
    assertThat(positions(queue.undecodable())).containsExactly(0L);
    Duration hour = Duration.ofHours(1);
    try (Lease<T> bad = Objects.requireNonNull(queue.tryLease(hour))) {
      assertNamed(bad::element, "work", "position 0", reason);
      assertThat(bad.undecodable()).isNotNull();
      assertThat(bad.attempt()).isOne();
    }
    try (Lease<T> good = Objects.requireNonNull(queue.tryLease(hour))) {
      assertThat(good.element()).isEqualTo(reason.value(0)); // the other one is put off
      assertThat(good.undecodable()).isNull();
      good.acknowledge();
    }
    assertThat(queue.tryLease(hour)).isNull();
    assertThat(queue.size()).isOne();
  }

  @ParameterizedTest
  @MethodSource("reasons")
  <T> void aLeaseOfAnUndecodableElementCountsAndCanBeAcknowledged(Reason<T> reason) {
    DurableWorkQueue<T> queue = HEAP.root("work", DurableWorkQueue.of(reason.codec));
    reason.store(() -> queue.add(reason.bad));
    Duration hour = Duration.ofHours(1);
    Lease<T> first = Objects.requireNonNull(queue.tryLease(hour));
    assertThat(first.release(Duration.ZERO)).isTrue();
    Lease<T> second = Objects.requireNonNull(queue.tryLease(hour));
    assertThat(second.attempt()).isEqualTo(2);
    DurableList<byte[]> aside = HEAP.root("aside", DurableList.of(Codecs.BYTES));
    HEAP.transact(
        () -> {
          aside.add(Objects.requireNonNull(second.undecodable()).bytes());
          second.acknowledge();
        });
    assertThat(queue.isEmpty()).isTrue();
    assertThat(aside).hasSize(1);
  }

  @ParameterizedTest
  @MethodSource("reasons")
  <T> void arraysAndReferences(Reason<T> reason) {
    DurableArray<T> array = HEAP.root("array", DurableArray.of(reason.codec, 3));
    reason.store(() -> array.fill(0, 2, reason.bad));
    assertNamed(() -> array.get(1), "array", "position 1", reason);
    array.set(0, reason.value(0));
    assertThat(array.compareAndSet(1, reason.value(0), reason.value(1))).isFalse();
    assertThat(positions(array.undecodable())).containsExactly(1L);
    setAside(array);
    assertThat(array.get(1)).isNull();
    DurableReference<T> cell = HEAP.root("cell", DurableReference.of(reason.codec));
    reason.store(() -> cell.set(reason.bad));
    assertNamed(cell::get, "cell", "", reason);
    assertThat(cell.toString()).contains("<undecodable");
    assertThat(cell.compareAndSet(reason.value(0), reason.value(1))).isFalse();
    cell.set(reason.value(0));
    assertThat(cell.get()).isEqualTo(reason.value(0));
    reason.store(() -> cell.set(reason.bad));
    setAside(cell);
    assertThat(cell.get()).isNull();
  }

  @Test
  void setsOfAnUndecodableElement() {
    DurableSet<ZoneId> set = HEAP.root("set", DurableSet.of(Codecs.ZONE_ID));
    later = false;
    set.add(Zones.BAD);
    later = true;
    set.add(ZoneId.of("Europe/Paris"));
    assertThat(set.toString()).contains("<undecodable", "Europe/Paris");
    assertThat(decoded(set.iterator())).containsExactly(ZoneId.of("Europe/Paris"));
    Undecodable bad = set.undecodable().next();
    assertThat(new String(bad.bytes(), StandardCharsets.UTF_8)).contains(Zones.ID);
    setAside(set);
    assertThat(set).containsExactly(ZoneId.of("Europe/Paris"));
  }

  @Test
  void aKeyThatDoesNotDecodeComesWithTheBytesOfItsValue() {
    KeyOrder<ZoneId> order = KeyOrder.of("test.id", Comparator.comparing(ZoneId::getId));
    DurableMap<ZoneId, String> map = HEAP.root("map", DurableMap.of(Codecs.ZONE_ID, Codecs.STRING));
    DurableSortedMap<ZoneId, String> sorted =
        HEAP.root("sorted", DurableSortedMap.of(Codecs.ZONE_ID, Codecs.STRING, order));
    DurableSortedSet<ZoneId> set = HEAP.root("set", DurableSortedSet.of(Codecs.ZONE_ID, order));
    map.put(Zones.BAD, "value");
    sorted.put(Zones.BAD, "value");
    set.add(Zones.BAD);
    later = true;
    for (Structure structure : List.of(map, sorted)) {
      Undecodable found = structure.undecodable().next();
      assertThat(found.position()).isEqualTo(found.bytes());
      assertThat(new String(found.value(), StandardCharsets.UTF_8)).contains("value");
    }
    assertThat(set.undecodable().next().value()).isEmpty();
  }

  @BeforeEach
  void beTheEarlierProgram() {
    later = false;
  }

  @AfterEach
  void removeRoots() {
    later = false;
    List.copyOf(HEAP.names()).forEach(HEAP::remove);
  }

  @AfterAll
  static void close() {
    HEAP.close();
  }

  @Test
  void aSortedSpliteratorGoesOnAfterAnUndecodableValue() {
    DurableSortedMap<Long, Integer> map =
        HEAP.root("map", DurableSortedMap.of(Codecs.LONG, new Throwing()));
    for (int key = 0; key < 9; key++) {
      map.put((long) key, key == 4 ? -1 : key);
    }
    later = true;
    var values = map.values().spliterator();
    List<Integer> seen = new ArrayList<>();
    assertThatThrownBy(() -> values.forEachRemaining(seen::add))
        .isInstanceOf(CorruptValueException.class);
    values.forEachRemaining(seen::add);
    assertThat(seen).containsExactly(0, 1, 2, 3, 5, 6, 7, 8);
  }

  private static String nameOf(Reason<?> reason) {
    return reason.codec.name();
  }

  private static void setAside(Structure structure) {
    DurableList<byte[]> aside = HEAP.root("aside", DurableList.of(Codecs.BYTES));
    int before = aside.size();
    HEAP.transact(
        () -> {
          for (Iterator<Undecodable> bad = structure.undecodable(); bad.hasNext(); ) {
            aside.add(bad.next().bytes());
            bad.remove();
          }
        });
    assertThat(aside.size()).isGreaterThan(before);
    assertThat(structure.undecodable().hasNext()).isFalse();
  }

  private static List<Object> positions(Iterator<Undecodable> bad) {
    List<Object> positions = new ArrayList<>();
    bad.forEachRemaining(found -> positions.add(found.position()));
    return positions;
  }

  private static <E> List<E> decoded(Iterator<E> iterator) {
    List<E> elements = new ArrayList<>();
    while (iterator.hasNext()) {
      try {
        elements.add(iterator.next());
      } catch (CorruptValueException e) {
        // the others follow
      }
    }
    return elements;
  }

  private static void assertNamed(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable call,
      String root,
      String position,
      Reason<?> reason) {
    assertThatThrownBy(call)
        .isInstanceOf(CorruptValueException.class)
        .hasMessageContaining("root " + root)
        .hasMessageContaining(position)
        .hasMessageContaining(nameOf(reason));
  }
}
