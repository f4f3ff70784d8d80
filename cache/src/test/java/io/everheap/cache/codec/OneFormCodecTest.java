package io.everheap.cache.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.error.CorruptValueException;
import io.everheap.support.release.ReleasedKey;
import java.io.ObjectInputFilter;
import java.io.Serializable;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.LocalDate;
import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Calendar;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Equal keys have the same bytes, and are read as keys that are equal to them. */
@SuppressWarnings("JdkObsolete") // old lists and maps are keys like others
class OneFormCodecTest {
  private static final ObjectInputFilter OWN =
      ObjectInputFilter.Config.createFilter("io.everheap.**");
  private static final ClassLoader LOADER = OneFormCodecTest.class.getClassLoader();

  private final Codec<Object> codec = CacheCodecs.keys(Object.class, LOADER, OWN);

  private static <K> byte[] bytes(Codec<K> codec, K key) {
    var out = new CodecOutput();
    codec.write(key, out);
    return out.toByteArray();
  }

  private byte[] bytes(Object key) {
    return bytes(codec, key);
  }

  private Object read(byte[] bytes) {
    return codec.read(new CodecInput(bytes));
  }

  /** Requires that all keys have the same bytes, which are read as a key that is equal to each. */
  private void requireOne(Object... keys) {
    byte[] first = bytes(keys[0]);
    Object read = read(first);
    for (Object key : keys) {
      assertThat(key).isEqualTo(keys[0]);
      assertThat(bytes(key)).as("%s of %s", key, key.getClass()).isEqualTo(first);
      assertThat(read).isEqualTo(key);
      assertThat(key).isEqualTo(read);
      assertThat(read.hashCode()).isEqualTo(key.hashCode());
    }
    assertThat(bytes(read)).isEqualTo(first);
  }

  private void requireTwo(Object one, Object other) {
    assertThat(bytes(one)).isNotEqualTo(bytes(other));
  }

  private void requireRefused(Object key, String message) {
    assertThatThrownBy(() -> bytes(key))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message)
        .hasMessageContaining(key.getClass().getName());
    assertThatThrownBy(() -> bytes(new Part(key))).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> bytes(Collections.singletonList(key)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  // ---- Keys of releases ---------------------------------------------------------------------

  private static List<ReleasedKey> released() {
    return ReleasedKey.all();
  }

  @ParameterizedTest
  @MethodSource("released")
  void equalKeysOfReleasesHaveTheSameBytes(ReleasedKey key) {
    byte[] bytes = bytes(key.key());
    assertThat(read(bytes)).isEqualTo(key.key());
    assertThat(bytes(read(bytes))).isEqualTo(bytes);
    for (Object equal : key.equal()) {
      assertThat(bytes(equal)).as("%s as %s", key.name(), equal.getClass()).isEqualTo(bytes);
    }
  }

  @Test
  void keysOfReleasesHaveDifferentBytes() {
    List<ReleasedKey> keys = released();
    assertThat(keys.stream().map(key -> Arrays.hashCode(bytes(key.key()))).distinct())
        .hasSize(keys.size());
  }

  // ---- Lists, sets, maps --------------------------------------------------------------------

  @Test
  void listsOfEveryClassAreOne() {
    List<Integer> list = List.of(1, 2);
    requireOne(
        list,
        Arrays.asList(1, 2),
        new ArrayList<>(list),
        new ArrayList<>(List.of(0, 1, 2, 3)).subList(1, 3),
        new LinkedList<>(list),
        new Vector<>(list),
        new CopyOnWriteArrayList<>(list),
        Collections.unmodifiableList(new LinkedList<>(list)),
        Collections.synchronizedList(new ArrayList<>(list)),
        Collections.checkedList(new ArrayList<>(list), Integer.class),
        List.of(2, 1).reversed(),
        Stream.of(1, 2).toList(),
        new AbstractList<Integer>() {
          @Override
          public Integer get(int index) {
            return index + 1;
          }

          @Override
          public int size() {
            return 2;
          }
        });
    requireTwo(List.of(1, 2), List.of(2, 1));
    requireTwo(List.of(1), List.of(1L));
    requireTwo(List.of(1), List.of(1, 1));
    requireTwo(Arrays.asList(null, 1), Arrays.asList(1, null));
    requireTwo(List.of(), Collections.singletonList(null));
  }

  @Test
  void setsOfEveryClassAndOrderAreOne() {
    Set<String> wide = new HashSet<>(1000, 0.1f);
    wide.addAll(List.of("a", "b", "c"));
    requireOne(
        Set.of("a", "b", "c"),
        new HashSet<>(List.of("c", "b", "a")),
        wide,
        new LinkedHashSet<>(List.of("b", "c", "a")),
        new TreeSet<>(List.of("a", "b", "c")),
        new TreeSet<>(List.of("a", "b", "c")).descendingSet(),
        new ConcurrentSkipListSet<>(List.of("a", "b", "c")),
        Map.of("a", 1, "b", 2, "c", 3).keySet(),
        new TreeMap<>(Map.of("a", 1, "b", 2, "c", 3)).keySet(),
        Collections.unmodifiableSet(new LinkedHashSet<>(List.of("c", "a", "b"))));
  }

  @Test
  void mapsOfEveryClassAndOrderAreOne() {
    Map<Object, Object> byAccess = new LinkedHashMap<>(16, 0.75f, true);
    byAccess.put("a", 1);
    byAccess.put("b", 2L);
    Object _ = byAccess.get("a");
    requireOne(
        Map.of("a", 1, "b", 2L),
        new HashMap<>(Map.of("b", 2L, "a", 1)),
        new TreeMap<>(Map.of("a", 1, "b", 2L)),
        new TreeMap<>(Map.of("a", 1, "b", 2L)).descendingMap(),
        byAccess,
        new Hashtable<>(Map.of("a", 1, "b", 2L)),
        new ConcurrentHashMap<>(Map.of("a", 1, "b", 2L)),
        Collections.synchronizedMap(new HashMap<>(Map.of("a", 1, "b", 2L))));
    requireTwo(Map.of("a", 1), Map.of("a", 2));
    Map<Object, Object> nulls = new HashMap<>();
    nulls.put(null, 1);
    nulls.put("a", null);
    requireOne(nulls, new LinkedHashMap<>(nulls));
  }

  @Test
  void entriesOfMapsAreOne() {
    requireOne(
        Map.entry("a", 1),
        new AbstractMap.SimpleEntry<>("a", 1),
        new AbstractMap.SimpleImmutableEntry<>("a", 1),
        new HashMap<>(Map.of("a", 1)).entrySet().iterator().next());
    requireTwo(Map.entry("a", "b"), List.of("a", "b"));
  }

  @Test
  void enumSetsAndMapsAreSetsAndMaps() {
    requireOne(EnumSet.of(TimeUnit.DAYS, TimeUnit.HOURS), Set.of(TimeUnit.HOURS, TimeUnit.DAYS));
    requireOne(EnumSet.noneOf(TimeUnit.class), Set.of(), new TreeSet<>());
    requireOne(new EnumMap<>(Map.of(TimeUnit.DAYS, 1)), Map.of(TimeUnit.DAYS, 1));
  }

  @Test
  void containersInContainersAreOneToo() {
    requireOne(
        List.of(Set.of(Map.of("a", List.of(1, 2)), Map.of()), Map.entry(Set.of(1, 2), 3)),
        Arrays.asList(
            new LinkedHashSet<>(
                List.of(new TreeMap<>(), new HashMap<>(Map.of("a", Arrays.asList(1, 2))))),
            new AbstractMap.SimpleEntry<>(new TreeSet<>(List.of(2, 1)), 3)));
    List<Integer> inner = new ArrayList<>(List.of(1));
    requireOne(List.of(inner, inner), List.of(List.of(1), Arrays.asList(1)));
    LocalDate date = LocalDate.of(2026, 2, 28);
    requireOne(List.of(date, date), List.of(date, LocalDate.of(2026, 2, 28)));
  }

  @Test
  void numbersAreEqualAsTheirClassesSay() {
    requireTwo(List.of(0.0), List.of(-0.0));
    requireOne(List.of(Double.NaN), List.of(Double.longBitsToDouble(0x7ff8_0000_0000_0001L)));
    requireTwo(List.of(new BigDecimal("1.0")), List.of(new BigDecimal("1.00")));
    requireTwo(Set.of(1), Set.of(1L));
  }

  /** Two lists of the same elements, of which each says what it is equal to. */
  private static final class Tagged extends ArrayList<String> {
    private static final long serialVersionUID = 1L;

    Tagged(String... elements) {
      super(List.of(elements));
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Tagged && super.equals(other);
    }

    @Override
    public int hashCode() {
      return super.hashCode() + 1;
    }
  }

  /** A list whose class has its own equals, as the interface wants it. */
  private static final class Own extends ArrayList<String> {
    private static final long serialVersionUID = 1L;

    Own(String... elements) {
      super(List.of(elements));
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof List<?> list && new ArrayList<>(this).equals(list);
    }

    @Override
    public int hashCode() {
      return super.hashCode();
    }
  }

  /** A list with something more, which its equals does not look at. */
  private static final class Named extends ArrayList<String> {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("unused") // it is serialized
    private final String name;

    Named(String name, String... elements) {
      super(List.of(elements));
      this.name = name;
    }
  }

  @Test
  void aClassWithItsOwnEqualsIsAListIfItSaysSo() {
    requireTwo(new Tagged("a"), List.of("a"));
    requireOne(new Tagged("a"), new Tagged("a"));
    assertThat(read(bytes(new Tagged("a")))).isInstanceOf(Tagged.class);
    requireOne(new Own("a"), List.of("a"));
    requireOne(new Named("x", "a"), new Named("y", "a"), List.of("a"));
  }

  // ---- Parts of other keys ------------------------------------------------------------------

  /** A key with one part of any class. */
  record Part(Object part) implements Serializable {}

  /** A key as programs have them. */
  private static final class Query implements Serializable {
    private static final long serialVersionUID = 1L;
    private final List<String> fields;
    private final Map<String, Set<Integer>> limits;
    private final Object[] more;

    Query(List<String> fields, Map<String, Set<Integer>> limits, Object... more) {
      this.fields = fields;
      this.limits = limits;
      this.more = more;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Query query
          && fields.equals(query.fields)
          && limits.equals(query.limits)
          && Arrays.deepEquals(more, query.more);
    }

    @Override
    public int hashCode() {
      return Objects.hash(fields, limits);
    }
  }

  @Test
  void containersInFieldsAndArraysAreOne() {
    List<String> fields = List.of("a", "b");
    requireOne(
        new Query(fields, Map.of("x", Set.of(1, 2)), List.of("a", "b"), fields),
        new Query(
            Arrays.asList("a", "b"),
            new TreeMap<>(Map.of("x", new LinkedHashSet<>(List.of(2, 1)))),
            new LinkedList<>(fields),
            new ArrayList<>(fields)));
    requireOne(
        new Part(Set.of("x", "y", "z")),
        new Part(new TreeSet<>(List.of("x", "y", "z"))),
        new Part(new LinkedHashSet<>(List.of("z", "y", "x"))));
    requireOne(
        new Part(EnumSet.of(TimeUnit.DAYS)),
        new Part(Set.of(TimeUnit.DAYS)),
        new Part(new HashSet<>(List.of(TimeUnit.DAYS))));
    requireOne(new Part(Map.entry(1, 2)), new Part(new AbstractMap.SimpleEntry<>(1, 2)));
    requireOne(
        new Part(List.of(Map.entry(1, 2))), new Part(new ArrayList<>(Map.of(1, 2).entrySet())));
  }

  @Test
  void equalPartsOfAKeyNeedNotBeTheSameObjects() {
    LocalDate date = LocalDate.of(2026, 2, 28);
    requireOne(
        new Query(List.of(), Map.of(), date, date),
        new Query(List.of(), Map.of(), date, LocalDate.of(2026, 2, 28)));
    BigDecimal price = new BigDecimal("9.99");
    requireOne(
        new Query(List.of(), Map.of(), price, price),
        new Query(List.of(), Map.of(), price, new BigDecimal("9.99")));
    Part part = new Part("a");
    requireOne(
        new Query(List.of(), Map.of(), part, part),
        new Query(List.of(), Map.of(), part, new Part("a")));
    List<Integer> list = List.of(1);
    requireOne(
        new Query(List.of(), Map.of(), list, list),
        new Query(List.of(), Map.of(), list, new ArrayList<>(list)));
  }

  /** A key whose fields have classes. */
  @SuppressWarnings("ArrayRecordComponent") // it is null
  record Classes(
      ArrayList<Integer> list,
      LinkedList<Integer> linked,
      HashSet<String> set,
      LinkedHashMap<String, Integer> map,
      TreeSet<String> tree,
      TreeMap<String, Integer> treeMap,
      EnumSet<TimeUnit> units,
      EnumMap<TimeUnit, Integer> times,
      Vector<Integer>[] none)
      implements Serializable {

    @SuppressWarnings("unchecked")
    static Classes of(Set<String> set, Map<String, Integer> map) {
      return new Classes(
          new ArrayList<>(List.of(1)),
          new LinkedList<>(List.of(1)),
          new HashSet<>(set),
          new LinkedHashMap<>(map),
          new TreeSet<>(set),
          new TreeMap<>(map),
          EnumSet.of(TimeUnit.DAYS),
          new EnumMap<>(Map.of(TimeUnit.DAYS, 1)),
          null);
    }
  }

  @Test
  void fieldsThatAreDeclaredWithAClassGetIt() {
    requireOne(
        Classes.of(new LinkedHashSet<>(List.of("a", "b")), new TreeMap<>(Map.of("a", 1, "b", 2))),
        Classes.of(
            new LinkedHashSet<>(List.of("b", "a")),
            new TreeMap<>(Map.of("a", 1, "b", 2)).descendingMap()));
  }

  /** A list of a library that is serialized as another class, as immutable ones often are. */
  private static final class Elsewhere extends AbstractList<String> implements Serializable {
    private static final long serialVersionUID = 1L;
    private final String[] elements;

    Elsewhere(String... elements) {
      this.elements = elements;
    }

    @Override
    public String get(int index) {
      return elements[index];
    }

    @Override
    public int size() {
      return elements.length;
    }

    private Object writeReplace() {
      return new Proxy(elements);
    }

    private record Proxy(@SuppressWarnings("ArrayRecordComponent") String[] elements)
        implements Serializable {
      private Object readResolve() {
        return new Elsewhere(elements);
      }
    }
  }

  /** A key with a list in a field. */
  record Labels(List<String> tags) implements Serializable {}

  @Test
  void listsThatAreSerializedAsAnotherClassHaveTheOneFormWithinOthers() {
    requireOne(new Labels(List.of("a", "b")), new Labels(new Elsewhere("a", "b")));
    requireOne(new Elsewhere("a", "b"), new ArrayList<>(List.of("a", "b")));
  }

  /** A key with sorted fields. */
  record Sorted(SortedSet<String> set, SortedMap<String, Integer> map) implements Serializable {}

  @Test
  void sortedFieldsHaveOneFormWhateverTheirClassAndOrder() {
    TreeMap<String, Integer> more = new TreeMap<>(Map.of("a", 1, "b", 2, "c", 3));
    TreeSet<String> reverse = new TreeSet<>(Comparator.reverseOrder());
    reverse.addAll(List.of("a", "b"));
    Sorted plain = new Sorted(new TreeSet<>(Set.of("a", "b")), new TreeMap<>(Map.of("a", 1)));
    requireOne(plain, new Sorted(reverse, more.headMap("b")));
    requireOne(
        plain,
        new Sorted(Collections.unmodifiableSortedSet(plain.set()), more.headMap("b", false)));
  }

  /** Keys whose fields cannot be one. */
  record Concurrent(ConcurrentHashMap<String, Integer> map) implements Serializable {}

  record Old(Vector<Integer> list) implements Serializable {}

  @Test
  void fieldsThatAreSerializedInTheirOrderAreRefused() {
    assertThatThrownBy(() -> bytes(new Concurrent(new ConcurrentHashMap<>(Map.of("a", 1)))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("declare the field");
    assertThatThrownBy(() -> bytes(new Old(new Vector<>(List.of(1)))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("declare the field");
  }

  /** A key that reads what it wrote as the class that it was. */
  private static final class Picky implements Serializable {
    private static final long serialVersionUID = 1L;
    private transient LinkedList<?> list = new LinkedList<>(List.of("a"));

    private void writeObject(java.io.ObjectOutputStream out) throws java.io.IOException {
      out.writeObject(list);
    }

    private void readObject(java.io.ObjectInputStream in)
        throws java.io.IOException, ClassNotFoundException {
      list = (LinkedList<?>) in.readObject();
    }
  }

  @Test
  void aKeyThatCouldNotBeReadIsRefused() {
    assertThatThrownBy(() -> bytes(new Picky()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cannot be read")
        .hasMessageContaining("Picky");
  }

  // ---- Types of keys ------------------------------------------------------------------------

  @Test
  void keysOfATypeAreReadAsThatType() {
    for (Class<?> type :
        List.of(List.class, ArrayList.class, java.util.Collection.class, Iterable.class)) {
      requireTyped(type, new ArrayList<>(List.of(1, 2)));
    }
    requireTyped(HashSet.class, new HashSet<>(Set.of(1, 2)));
    requireTyped(LinkedHashMap.class, new LinkedHashMap<>(Map.of(1, 2)));
    requireTyped(TreeSet.class, new TreeSet<>(Set.of(1, 2)));
    requireTyped(TreeMap.class, new TreeMap<>(Map.of(1, 2)));
    requireTyped(LinkedList.class, new LinkedList<>(List.of(1, 2)));
    requireTyped(EnumSet.class, EnumSet.of(TimeUnit.DAYS));
    requireTyped(Map.Entry.class, Map.entry(1, 2));
    assertThatThrownBy(() -> requireTyped(Vector.class, new Vector<>(List.of(1))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the type of the keys");
  }

  private static <K> void requireTyped(Class<K> type, Object key) {
    Codec<K> typed = CacheCodecs.keys(type, LOADER, OWN);
    assertThat(typed.canonical()).isTrue();
    K read = typed.read(new CodecInput(bytes(typed, type.cast(key))));
    assertThat((Object) read).isInstanceOf(type).isEqualTo(key);
  }

  @Test
  void valuesKeepTheirClass() {
    Codec<Object> values = CacheCodecs.values(Object.class, LOADER, OWN);
    assertThat(values.canonical()).isFalse();
    assertThat(values.read(new CodecInput(bytes(values, new LinkedList<>(List.of(1))))))
        .isInstanceOf(LinkedList.class);
  }

  // ---- Other classes of the JDK -------------------------------------------------------------

  @Test
  void bitsAreOneWhateverRoomTheyHave() {
    BitSet bits = new BitSet();
    bits.set(3);
    BitSet wide = new BitSet(1000);
    wide.set(3);
    requireOne(bits, wide);
    requireOne(new Part(bits), new Part(wide));
  }

  @Test
  void calendarsAreOneWhateverWasAskedOfThem() {
    Calendar one = new GregorianCalendar(TimeZone.getTimeZone("Europe/Paris"), Locale.ROOT);
    one.setTimeInMillis(1_700_000_000_000L);
    Calendar other = (Calendar) one.clone();
    other.set(Calendar.YEAR, other.get(Calendar.YEAR));
    other.set(Calendar.MONTH, other.get(Calendar.MONTH));
    requireOne(one, other);
    requireOne(new Part(one), new Part(other));
    Calendar buddhist = new Calendar.Builder().setCalendarType("buddhist").setInstant(0).build();
    requireRefused(buddhist, "ZonedDateTime");
  }

  @Test
  void addressesAreOneWhateverTheirNames() throws UnknownHostException {
    byte[] local = {127, 0, 0, 1};
    requireOne(InetAddress.getByAddress("a", local), InetAddress.getByAddress("b", local));
    requireOne(
        new InetSocketAddress(InetAddress.getByAddress("a", local), 80),
        new InetSocketAddress(InetAddress.getByAddress(local), 80));
    requireOne(
        InetSocketAddress.createUnresolved("Host", 1),
        InetSocketAddress.createUnresolved("host", 1));
  }

  @Test
  void urisAreOneAsTheirClassSays() {
    requireOne(URI.create("HTTP://Example.org/a%2fb"), URI.create("http://example.ORG/a%2Fb"));
    requireOne(URI.create("file:///a"), URI.create("file:/a"));
    requireOne(URI.create("file:////a"), URI.create("file:////a"));
    requireOne(URI.create("MAILTO:a@b"), URI.create("mailto:a@b"));
    requireOne(URI.create("http://u@h:/p?q#f"), URI.create("http://u@h/p?q#f"));
    requireOne(URI.create("http://a_b/p"), URI.create("HTTP://a_b/p"));
    requireTwo(URI.create("http://a/B"), URI.create("http://a/b"));
    requireTwo(URI.create("mailto:A@b"), URI.create("mailto:a@b"));
  }

  @Test
  void whatNoBytesTellIsRefused() throws Exception {
    requireRefused(new TreeSet<>(String.CASE_INSENSITIVE_ORDER), "comparator");
    requireRefused(new TreeMap<>(String.CASE_INSENSITIVE_ORDER), "comparator");
    requireRefused(new TreeSet<>(Set.of(BigDecimal.ONE)), "decimals");
    requireRefused(new TreeMap<>(Map.of(BigDecimal.ONE, 1)), "decimals");
    requireRefused(new IdentityHashMap<>(), "identity");
    requireRefused(URI.create("http://example.org").toURL(), "URI");
  }

  @Test
  void whatIsNotSerializableIsRefusedAlsoInAList() {
    assertThatThrownBy(() -> bytes(List.of(new Object())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not Serializable");
  }

  // ---- Damage -------------------------------------------------------------------------------

  @Test
  void damagedFormsAreNotBelieved() {
    byte[] bytes = bytes(List.of(Map.of("a", Set.of(1)), "b"));
    for (int at = 0; at < bytes.length; at++) {
      byte[] cut = Arrays.copyOf(bytes, at);
      assertThatThrownBy(
              () -> {
                var in = new CodecInput(cut);
                codec.read(in);
                in.expectEnd();
              })
          .isInstanceOf(CorruptValueException.class);
    }
    byte[] many = {41, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 7};
    assertThatThrownBy(() -> read(many)).isInstanceOf(CorruptValueException.class);
    assertThatThrownBy(() -> read(new byte[] {39})).isInstanceOf(CorruptValueException.class);
    assertThatThrownBy(() -> read(new byte[] {-1})).isInstanceOf(CorruptValueException.class);
  }
}
