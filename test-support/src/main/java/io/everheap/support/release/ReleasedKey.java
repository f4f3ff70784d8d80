package io.everheap.support.release;

import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A key that a release stored in each cache whose keys may have any class. The names of the nested
 * types and the keys themselves are in files that were released: they never change, and new keys
 * are appended for the next release.
 *
 * @param name what is special about the key; the released lists of contents have it
 * @param key the key as it was stored
 * @param form what every process makes of the same key
 * @param equal keys of other classes, or built in another way, that are equal to this one
 */
public record ReleasedKey(String name, Object key, Form form, List<Object> equal) {
  /** What every process makes of the same key. */
  public enum Form {
    /** The same bytes by serialization, and the same hash code. */
    STABLE,
    /**
     * The same bytes by serialization; the hash code of an enum differs from process to process.
     */
    STABLE_BYTES,
    /** The order of the elements, and so the bytes, may differ from process to process. */
    VARIABLE
  }

  /** An enum, one of whose constants has a class of its own. */
  public enum Shade {
    /** Without a body. */
    LIGHT,
    /** With a body. */
    DARK {
      @Override
      public boolean isDark() {
        return true;
      }
    };

    /** Whether it is dark. */
    public boolean isDark() {
      return false;
    }
  }

  /** A record of scalars. */
  public record Point(int x, @Nullable String name) implements Serializable {}

  /** A record with a list. */
  public record Route(List<Point> points, @Nullable Shade shade) implements Serializable {}

  /** A record with a set. */
  public record Tags(Set<String> tags) implements Serializable {}

  /** A record with a map. */
  public record Limits(Map<String, Integer> limits) implements Serializable {}

  /**
   * Returns the value that was stored under the key.
   *
   * @return a text that no other key has
   */
  public String value() {
    return "value of " + name;
  }

  /**
   * Makes all keys. Each call makes new ones, so the keys of two calls are equal but not the same.
   *
   * @return keys with different names, none equal to another
   */
  public static List<ReleasedKey> all() {
    return Stream.of(scalars(), texts(), times(), others(), records(), lists(), sets(), maps())
        .flatMap(List::stream)
        .toList();
  }

  private static ReleasedKey stable(String name, Object key, Object... equal) {
    return new ReleasedKey(name, key, Form.STABLE, List.of(equal));
  }

  private static ReleasedKey enums(String name, Object key, Object... equal) {
    return new ReleasedKey(name, key, Form.STABLE_BYTES, List.of(equal));
  }

  private static ReleasedKey variable(String name, Object key, Object... equal) {
    return new ReleasedKey(name, key, Form.VARIABLE, List.of(equal));
  }

  private static List<ReleasedKey> scalars() {
    return List.of(
        stable("long", 1L << 40),
        stable("long -1", -1L),
        stable("int", 1_000_000),
        stable("short", (short) -2),
        stable("byte", (byte) 7),
        stable("char", '\u0633'),
        stable("boolean", true),
        stable("float", 1.5f),
        stable("float -0", -0f),
        stable("double", Math.PI),
        stable("double NaN", Double.NaN),
        stable("big integer", BigInteger.TWO.pow(100)),
        stable("big decimal 1.0", new BigDecimal("1.0")),
        stable("big decimal 1.00", new BigDecimal("1.00")),
        stable("uuid", new UUID(1, -2)),
        stable("bytes", new byte[] {1, -1, 0}),
        stable("no bytes", new byte[0]),
        enums("enum", Shade.LIGHT),
        enums("enum with a body", Shade.DARK));
  }

  private static List<ReleasedKey> texts() {
    return List.of(
        stable("text", "text"),
        stable("empty text", ""),
        stable("Farsi", "\u0633\u0644\u0627\u0645 \u06f1\u06f2\u06f3"),
        stable("Japanese", "\u65e5\u672c\u8a9e"),
        stable("Greek", "\u03a9\u03bc\u03ad\u03b3\u03b1"),
        stable("emoji", "\ud83d\ude00"),
        stable("half of a pair", "\ud83d"),
        stable("NUL", "\0"),
        stable("long text", "0123456789".repeat(300)));
  }

  private static List<ReleasedKey> times() {
    return List.of(
        stable("instant", Instant.ofEpochSecond(1_700_000_000, 123_456_789)),
        stable("duration", Duration.ofSeconds(-3, 5)),
        stable("date", LocalDate.of(2026, 2, 28)),
        stable("time", LocalTime.of(23, 59, 59, 1)),
        stable("date and time", LocalDateTime.of(1969, 7, 20, 20, 17)),
        stable(
            "zoned time", ZonedDateTime.of(2026, 11, 28, 10, 0, 0, 0, ZoneId.of("Europe/Paris"))));
  }

  private static List<ReleasedKey> others() {
    BitSet wide = new BitSet(1000);
    wide.set(3);
    return List.of(
        stable("uri", URI.create("http://example.org/a%20b")), stable("bits", bits(), wide));
  }

  private static BitSet bits() {
    BitSet bits = new BitSet();
    bits.set(3);
    return bits;
  }

  private static List<ReleasedKey> records() {
    return List.of(
        stable("record", new Point(1, "one")),
        stable("record with null", new Point(2, null)),
        stable("record with Farsi", new Point(3, "\u0633\u0644\u0627\u0645")),
        enums(
            "record with List.of",
            new Route(List.of(new Point(1, "a"), new Point(2, "b")), Shade.DARK),
            new Route(Arrays.asList(new Point(1, "a"), new Point(2, "b")), Shade.DARK),
            new Route(new ArrayList<>(List.of(new Point(1, "a"), new Point(2, "b"))), Shade.DARK)),
        stable(
            "record with ArrayList",
            new Route(new ArrayList<>(List.of(new Point(7, "x"))), null),
            new Route(List.of(new Point(7, "x")), null)),
        stable(
            "record with LinkedHashSet",
            new Tags(new LinkedHashSet<>(List.of("b", "a"))),
            new Tags(new HashSet<>(Set.of("a", "b"))),
            new Tags(Set.of("a", "b"))),
        variable(
            "record with Set.of",
            new Tags(Set.of("x", "y", "z")),
            new Tags(new TreeSet<>(List.of("x", "y", "z")))),
        stable(
            "record with TreeMap",
            new Limits(new TreeMap<>(Map.of("a", 1, "b", 2))),
            new Limits(new HashMap<>(Map.of("a", 1, "b", 2))),
            new Limits(Map.of("a", 1, "b", 2))),
        variable(
            "record with Map.of",
            new Limits(Map.of("x", 1, "y", 2, "z", 3)),
            new Limits(new TreeMap<>(Map.of("x", 1, "y", 2, "z", 3)))));
  }

  // ---- Lists --------------------------------------------------------------------------------

  /** A list of each class, with other elements in each. */
  @SuppressWarnings("JdkObsolete") // a LinkedList is a key like others
  private static List<ReleasedKey> lists() {
    List<ReleasedKey> keys = new ArrayList<>();
    keys.add(list("List.of", List.of("List.of", 1, 2L)));
    keys.add(list("List.of with one", List.of("one")));
    keys.add(list("empty list", List.of()));
    keys.add(list("ArrayList", new ArrayList<>(List.of("ArrayList", 1))));
    keys.add(list("ArrayList with null", new ArrayList<>(Arrays.asList("null", null))));
    keys.add(list("Arrays.asList", Arrays.asList("Arrays.asList", 1)));
    keys.add(list("Arrays.asList with null", Arrays.asList(null, "null")));
    keys.add(list("LinkedList", new LinkedList<>(List.of("LinkedList", 1))));
    keys.add(list("Stream.toList", Stream.of("Stream.toList", 1).toList()));
    keys.add(list("Stream.toList with null", Stream.of("Stream", null).toList()));
    keys.add(
        list(
            "unmodifiable list",
            Collections.unmodifiableList(new ArrayList<>(List.of("unmodifiable", 1)))));
    keys.add(list("singleton list", Collections.singletonList("singleton")));
    keys.add(list("list of Farsi", List.of("\u0633\u0644\u0627\u0645", "\u06f1")));
    keys.add(list("list of equal texts", List.of("same", new String("same"), "same")));
    keys.add(list("list of enums", Form.STABLE_BYTES, List.of(Shade.DARK, Shade.LIGHT)));
    keys.add(list("list of records", List.of(new Point(1, "one"), new Point(2, null))));
    keys.add(
        stable(
            "list of lists",
            List.of(List.of(1), List.of()),
            Arrays.asList(new ArrayList<>(List.of(1)), new LinkedList<>()),
            new ArrayList<>(List.of(List.of(1), List.of()))));
    return keys;
  }

  private static ReleasedKey list(String name, List<?> list) {
    return list(name, Form.STABLE, list);
  }

  @SuppressWarnings("JdkObsolete") // as above
  private static ReleasedKey list(String name, Form form, List<?> list) {
    return of(
        name,
        form,
        list,
        Stream.of(
            new ArrayList<>(list),
            Arrays.asList(list.toArray()),
            new LinkedList<>(list),
            list.stream().toList(),
            Collections.unmodifiableList(new ArrayList<>(list))));
  }

  // ---- Sets ---------------------------------------------------------------------------------

  private static List<ReleasedKey> sets() {
    List<ReleasedKey> keys = new ArrayList<>();
    keys.add(set("empty set", Form.STABLE, Set.of()));
    keys.add(set("Set.of with one", Form.STABLE, Set.of("one")));
    keys.add(set("Set.of", Form.VARIABLE, Set.of("Set.of", 1, 2L)));
    keys.add(set("HashSet", Form.STABLE, new HashSet<>(List.of("HashSet", 1, 2L))));
    keys.add(set("HashSet with null", Form.STABLE, new HashSet<>(Arrays.asList("null", null))));
    keys.add(
        set("HashSet of enums", Form.VARIABLE, new HashSet<>(List.of(Shade.LIGHT, Shade.DARK))));
    keys.add(
        set("LinkedHashSet", Form.STABLE, new LinkedHashSet<>(List.of("LinkedHashSet", 2, 1))));
    keys.add(set("TreeSet", Form.STABLE, new TreeSet<>(List.of("TreeSet", "a", "b"))));
    keys.add(set("EnumSet", Form.STABLE_BYTES, EnumSet.of(Shade.DARK)));
    keys.add(
        set(
            "unmodifiable set",
            Form.STABLE,
            Collections.unmodifiableSet(new LinkedHashSet<>(List.of("unmodifiable", 1)))));
    keys.add(
        set(
            "set of Farsi",
            Form.STABLE,
            new LinkedHashSet<>(List.of("\u0633\u0644\u0627\u0645", "\u06f1"))));
    keys.add(
        set(
            "set of records",
            Form.STABLE,
            new LinkedHashSet<>(List.of(new Point(1, "one"), new Point(2, "two")))));
    return keys;
  }

  private static ReleasedKey set(String name, Form form, Collection<?> set) {
    List<?> reversed = new ArrayList<>(set).reversed();
    return of(
        name,
        form,
        set,
        Stream.of(
            new HashSet<>(set),
            new HashSet<>(reversed),
            new LinkedHashSet<>(set),
            new LinkedHashSet<>(reversed),
            Collections.unmodifiableSet(new LinkedHashSet<>(set))));
  }

  // ---- Maps ---------------------------------------------------------------------------------

  private static List<ReleasedKey> maps() {
    Map<Object, Object> withNull = new HashMap<>();
    withNull.put("null", null);
    withNull.put(null, "null");
    return List.of(
        map("empty map", Form.STABLE, Map.of()),
        map("Map.of with one", Form.STABLE, Map.of("one", 1)),
        map("Map.of", Form.VARIABLE, Map.of("Map.of", 1, "b", 2L, "c", "3")),
        map("HashMap", Form.STABLE, new HashMap<>(Map.of("HashMap", 1))),
        map("HashMap with null", Form.STABLE, withNull),
        map("LinkedHashMap", Form.STABLE, linked()),
        map("TreeMap", Form.STABLE, new TreeMap<>(Map.of("TreeMap", 1, "b", 2))),
        map("EnumMap", Form.STABLE_BYTES, new EnumMap<>(Map.of(Shade.DARK, 1))),
        map(
            "unmodifiable map",
            Form.STABLE,
            Collections.unmodifiableMap(new TreeMap<>(Map.of("unmodifiable", 1, "b", 2)))),
        map(
            "map of Farsi",
            Form.STABLE,
            new TreeMap<>(Map.of("\u0633\u0644\u0627\u0645", "\u06f1"))),
        map(
            "map of lists",
            Form.STABLE,
            new TreeMap<>(Map.of("a", List.of(1, 2), "b", List.of()))));
  }

  private static Map<Object, Object> linked() {
    Map<Object, Object> map = new LinkedHashMap<>();
    map.put("LinkedHashMap", 1);
    map.put("b", 2);
    return map;
  }

  private static ReleasedKey map(String name, Form form, Map<?, ?> map) {
    Map<Object, Object> reversed = new LinkedHashMap<>();
    new ArrayList<>(map.entrySet())
        .reversed()
        .forEach(entry -> reversed.put(entry.getKey(), entry.getValue()));
    Map<Object, Object> wide = new HashMap<>(1000);
    wide.putAll(map);
    return of(
        name,
        form,
        map,
        Stream.of(
            new HashMap<>(map),
            wide,
            new LinkedHashMap<>(map),
            reversed,
            Collections.unmodifiableMap(new LinkedHashMap<>(map))));
  }

  private static ReleasedKey of(String name, Form form, Object key, Stream<Object> equal) {
    return new ReleasedKey(name, key, form, equal.toList());
  }
}
