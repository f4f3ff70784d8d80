package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.codec.Codec;
import io.everheap.codec.Codecs;
import io.everheap.codec.derived.CodecRegistry;
import io.everheap.codec.derived.DerivedCodecs;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurableSet;
import io.everheap.collection.DurableSortedMap;
import io.everheap.support.release.ReleasedKey;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * Maps, sets and sorted maps of a heap with keys of each type that a heap takes. The keys and the
 * names are in released files: they never change, and new types are appended for the next release.
 *
 * @param name of the type
 * @param codec of the keys
 * @param order whether the type has a natural order, so that there is a sorted map too
 * @param keys equal keys for each entry: the first one was stored
 */
record TypedKeys<K>(String name, Codec<K> codec, Order order, List<List<K>> keys) {
  private static final String FARSI = "\u0633\u0644\u0627\u0645 \u06f1\u06f2";

  enum Order {
    NATURAL,
    NONE
  }

  /** A sealed type of records. */
  public sealed interface Contact permits Mail, Phone {}

  /** The first permitted class. */
  public record Mail(String address) implements Contact {}

  /** The second permitted class. */
  public record Phone(List<Integer> digits) implements Contact {}

  /** All types, with new keys at each call. */
  static List<TypedKeys<?>> all() {
    return Stream.of(scalars(), times(), composites()).flatMap(List::stream).toList();
  }

  private static List<TypedKeys<?>> scalars() {
    return List.of(
        natural("long", Codecs.LONG, 0L, -1L, Long.MAX_VALUE, Long.MIN_VALUE),
        natural("int", Codecs.INT, 0, -1, Integer.MAX_VALUE),
        natural("short", Codecs.SHORT, (short) 0, Short.MIN_VALUE),
        natural("byte", Codecs.BYTE, (byte) 0, (byte) -1),
        natural("char", Codecs.CHAR, 'a', '\u0633', '\uffff'),
        natural("boolean", Codecs.BOOLEAN, true, false),
        natural("float", Codecs.FLOAT, 1.5f, -0f, 0f, Float.NaN),
        natural("double", Codecs.DOUBLE, 1.5, -0.0, 0.0, Double.NaN),
        natural("text", Codecs.STRING, "", "a", FARSI, "\u65e5\u672c", "\ud83d", "x".repeat(3000)),
        natural("uuid", Codecs.UUID, new UUID(1, 2), new UUID(-1, -2)),
        natural("big integer", Codecs.BIG_INTEGER, BigInteger.ZERO, BigInteger.TWO.pow(99)),
        of(
            "big decimal",
            Codecs.BIG_DECIMAL,
            Order.NONE,
            List.of(new BigDecimal("1.0")),
            List.of(new BigDecimal("1.00"))),
        natural(
            "enum",
            DerivedCodecs.enumeration(ReleasedKey.Shade.class),
            ReleasedKey.Shade.LIGHT,
            ReleasedKey.Shade.DARK),
        of(
            "bytes",
            Codecs.BYTES,
            Order.NONE,
            List.of(new byte[0], new byte[0]),
            List.of(new byte[] {1, -1}, new byte[] {1, -1})));
  }

  private static List<TypedKeys<?>> times() {
    LocalDateTime moon = LocalDateTime.of(1969, 7, 20, 20, 17);
    ZoneOffset offset = ZoneOffset.ofHoursMinutes(3, 30);
    return List.of(
        natural("instant", Codecs.INSTANT, Instant.EPOCH, Instant.ofEpochSecond(-1, 7)),
        natural("duration", Codecs.DURATION, Duration.ZERO, Duration.ofSeconds(-3, 5)),
        natural("date", Codecs.LOCAL_DATE, LocalDate.of(2026, 2, 28)),
        natural("time", Codecs.LOCAL_TIME, LocalTime.of(23, 59, 59, 1)),
        natural("date and time", Codecs.LOCAL_DATE_TIME, moon),
        natural("offset", Codecs.ZONE_OFFSET, offset),
        natural("year", Codecs.YEAR, Year.of(2026)),
        natural("year and month", Codecs.YEAR_MONTH, YearMonth.of(2026, 2)),
        natural("month and day", Codecs.MONTH_DAY, MonthDay.of(2, 29)),
        natural("day of week", Codecs.DAY_OF_WEEK, DayOfWeek.FRIDAY),
        natural("month", Codecs.MONTH, Month.MAY),
        of("time with offset", Codecs.OFFSET_TIME, Order.NONE, List.of(OffsetTime.MIN)),
        of(
            "date and time with offset",
            Codecs.OFFSET_DATE_TIME,
            Order.NONE,
            List.of(OffsetDateTime.of(moon, offset))),
        of(
            "date and time of a zone",
            Codecs.ZONED_DATE_TIME,
            Order.NONE,
            List.of(ZonedDateTime.of(moon, ZoneId.of("Asia/Tehran")))),
        of("zone", Codecs.ZONE_ID, Order.NONE, List.of(ZoneId.of("Asia/Tehran"))),
        of("period", Codecs.PERIOD, Order.NONE, List.of(Period.of(1, -2, 3))));
  }

  private static List<TypedKeys<?>> composites() {
    var registry = new CodecRegistry();
    Codec<List<Long>> longs = DerivedCodecs.list(Codecs.LONG);
    Codec<List<String>> texts = DerivedCodecs.list(Codecs.STRING);
    Codec<ReleasedKey.Point> point = registry.forClass(ReleasedKey.Point.class);
    return List.of(
        of("list of longs", longs, Order.NONE, lists(1L, 2L), lists(), lists(3L, null)),
        of("list of texts", texts, Order.NONE, lists("a", FARSI), lists("a", null, "a")),
        of(
            "list of lists",
            DerivedCodecs.list(longs),
            Order.NONE,
            lists(List.of(1L), List.of()),
            lists(new ArrayList<>(List.of(2L)), null)),
        of(
            "list of records",
            DerivedCodecs.list(point),
            Order.NONE,
            lists(new ReleasedKey.Point(1, "a"), new ReleasedKey.Point(2, null))),
        of(
            "optional text",
            DerivedCodecs.optional(Codecs.STRING),
            Order.NONE,
            List.of(Optional.empty()),
            List.of(Optional.of(FARSI), Optional.of(new String(FARSI)))),
        of(
            "record",
            point,
            Order.NONE,
            List.of(new ReleasedKey.Point(1, "one")),
            List.of(new ReleasedKey.Point(2, null)),
            List.of(new ReleasedKey.Point(3, FARSI))),
        of(
            "record with a list",
            registry.forClass(ReleasedKey.Route.class),
            Order.NONE,
            routes(new ReleasedKey.Point(1, "a"), new ReleasedKey.Point(2, "b")),
            routes(),
            List.of(new ReleasedKey.Route(null, null))),
        of(
            "sealed type",
            registry.forClass(Contact.class),
            Order.NONE,
            List.of(new Mail("a@example.org")),
            List.of(new Phone(List.of(1, 2)), new Phone(Arrays.asList(1, 2)))));
  }

  private static List<ReleasedKey.Route> routes(ReleasedKey.Point... points) {
    return lists(points).stream()
        .map(list -> new ReleasedKey.Route(list, ReleasedKey.Shade.DARK))
        .toList();
  }

  /** Equal lists of different classes. */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  private static <E> List<List<E>> lists(E... elements) {
    List<E> list = new ArrayList<>(Arrays.asList(elements));
    return List.of(
        list,
        Arrays.asList(elements),
        new CopyOnWriteArrayList<>(list),
        Collections.unmodifiableList(list),
        list.stream().toList());
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  private static <K> TypedKeys<K> natural(String name, Codec<K> codec, K... keys) {
    return new TypedKeys<>(name, codec, Order.NATURAL, Stream.of(keys).map(List::of).toList());
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  private static <K> TypedKeys<K> of(String name, Codec<K> codec, Order order, List<K>... keys) {
    return new TypedKeys<>(name, codec, order, List.of(keys));
  }

  // ---- In a heap ----------------------------------------------------------------------------

  private DurableMap<K, String> map(Heap heap) {
    return heap.map("by " + name, codec, Codecs.STRING);
  }

  private DurableSet<K> set(Heap heap) {
    return heap.set("set of " + name, codec);
  }

  private Optional<DurableSortedMap<K, String>> sorted(Heap heap) {
    return order == Order.NATURAL
        ? Optional.of(heap.root("sorted by " + name, DurableSortedMap.of(codec, Codecs.STRING)))
        : Optional.empty();
  }

  private List<Map<K, String>> maps(Heap heap) {
    List<Map<K, String>> maps = new ArrayList<>();
    maps.add(map(heap));
    sorted(heap).ifPresent(maps::add);
    return maps;
  }

  private String value(int entry) {
    return "value " + entry + " of " + name;
  }

  /** Stores the first key of each entry. */
  void fill(Heap heap) {
    for (int i = 0; i < keys.size(); i++) {
      K key = keys.get(i).getFirst();
      String value = value(i);
      maps(heap).forEach(map -> map.put(key, value));
      set(heap).add(key);
    }
  }

  /** Requires that all equal keys find the entry, and that there is no other one. */
  void requireFound(Heap heap) {
    for (int i = 0; i < keys.size(); i++) {
      for (K key : keys.get(i)) {
        for (Map<K, String> map : maps(heap)) {
          assertThat(map.get(key)).as("%s of %s", key, name).isEqualTo(value(i));
          assertThat(map.containsKey(key)).isTrue();
        }
        assertThat(set(heap).contains(key)).isTrue();
      }
    }
    maps(heap).forEach(map -> assertThat(map).hasSize(keys.size()));
    assertThat(set(heap)).hasSize(keys.size());
    requireIterated(heap);
  }

  private void requireIterated(Heap heap) {
    List<K> stored = keys.stream().map(List::getFirst).toList();
    for (Map<K, String> map : maps(heap)) {
      assertThat(map.keySet()).containsExactlyInAnyOrderElementsOf(stored);
    }
    sorted(heap)
        .ifPresent(
            map ->
                assertThat(map.keySet())
                    .containsExactlyElementsOf(stored.stream().sorted().toList()));
    assertThat(set(heap)).containsExactlyInAnyOrderElementsOf(stored);
  }

  /** Replaces each entry by its last equal key, then removes each by all of its equal keys. */
  void replaceAndRemove(Heap heap) {
    for (int i = 0; i < keys.size(); i++) {
      List<K> equal = keys.get(i);
      for (Map<K, String> map : maps(heap)) {
        for (K key : equal) {
          assertThat(map.replace(key, "replaced")).isNotNull();
        }
        assertThat(map.put(equal.getLast(), "put")).isEqualTo("replaced");
        assertThat(map).hasSize(keys.size());
        for (K key : equal) { // the first one removes it
          map.put(key, "again");
          assertThat(map.remove(key)).isEqualTo("again");
          assertThat(map.containsKey(key)).isFalse();
        }
        map.put(equal.getFirst(), "again");
      }
      assertThat(set(heap).add(equal.getLast())).isFalse();
    }
    for (List<K> equal : keys) {
      assertThat(set(heap).remove(equal.getLast())).isTrue();
      maps(heap).forEach(map -> assertThat(map.remove(equal.getLast())).isEqualTo("again"));
    }
    maps(heap).forEach(map -> assertThat(map).isEmpty());
    assertThat(set(heap)).isEmpty();
  }

  @Override
  public String toString() {
    return name;
  }
}
