package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.block.Block;
import io.everheap.codec.Codec;
import io.everheap.codec.Codecs;
import io.everheap.codec.derived.DerivedCodecs;
import io.everheap.collection.DurableArray;
import io.everheap.collection.DurableBooleanArray;
import io.everheap.collection.DurableByteArray;
import io.everheap.collection.DurableBytes;
import io.everheap.collection.DurableCharArray;
import io.everheap.collection.DurableCounter;
import io.everheap.collection.DurableDeque;
import io.everheap.collection.DurableDoubleArray;
import io.everheap.collection.DurableFloatArray;
import io.everheap.collection.DurableIntArray;
import io.everheap.collection.DurableList;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurablePriorityQueue;
import io.everheap.collection.DurableReference;
import io.everheap.collection.DurableShortArray;
import io.everheap.collection.DurableSortedSet;
import io.everheap.collection.DurableText;
import io.everheap.collection.DurableWorkQueue;
import io.everheap.collection.KeyOrder;
import io.everheap.collection.Lease;
import io.everheap.durable.Durable;
import io.everheap.support.release.ReleasedKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A heap with what {@link EveryRead} does not have: keys of every type, arrays of every type, work
 * queues, objects with fields of every type, structures in structures, and values that are
 * collections. The names and values are in released files: they never change.
 */
final class ReleasedKinds {
  private static final String FARSI = "\u0633\u0644\u0627\u0645 \u06f1\u06f2";
  private static final Duration LONG = Duration.ofDays(365 * 200);
  private static final KeyOrder<String> LAST_FIRST =
      KeyOrder.of("last first", Comparator.<String>reverseOrder());
  private static final Codec<Set<Long>> SETS = DerivedCodecs.set(Codecs.LONG);
  private static final Codec<Map<String, Long>> MAPS =
      DerivedCodecs.map(Codecs.STRING, Codecs.LONG);

  /** A record whose components are collections. */
  public record Entry(
      @Nullable String text, List<Long> list, Set<String> set, Map<String, Integer> map) {}

  /** An object with fields of every kind. */
  @Durable
  public interface Everything {
    boolean flag();

    void flag(boolean value);

    byte tiny();

    void tiny(byte value);

    short small();

    void small(short value);

    char letter();

    void letter(char value);

    int number();

    void number(int value);

    long large();

    void large(long value);

    float single();

    void single(float value);

    double real();

    void real(double value);

    @Nullable String text();

    void text(@Nullable String value);

    ReleasedKey.@Nullable Shade shade();

    void shade(ReleasedKey.@Nullable Shade value);

    ReleasedKey.@Nullable Point point();

    void point(ReleasedKey.@Nullable Point value);

    @Nullable List<String> names();

    void names(@Nullable List<String> value);

    @Nullable Instant time();

    void time(@Nullable Instant value);

    byte @Nullable [] bytes();

    void bytes(byte @Nullable [] value);

    @Nullable Everything other();

    void other(@Nullable Everything value);

    @Nullable DurableMap<String, Everything> map();

    void map(@Nullable DurableMap<String, Everything> value);
  }

  private final Heap heap;

  ReleasedKinds(Heap heap) {
    this.heap = heap;
  }

  // ---- What there is ------------------------------------------------------------------------

  private DurableIntArray ints() {
    return heap.root("ints", DurableIntArray.ofLength(100));
  }

  private DurableWorkQueue<String> jobs() {
    return heap.workQueue("jobs", String.class);
  }

  private DurableDeque<Long> bounded() {
    return heap.root("bounded deque", DurableDeque.of(Long.class, 3));
  }

  private DurablePriorityQueue<String> lastFirst() {
    return heap.root("last first queue", DurablePriorityQueue.of(String.class, LAST_FIRST));
  }

  private DurableSortedSet<String> lastFirstSet() {
    return heap.sortedSet("last first set", String.class, LAST_FIRST);
  }

  private DurableMap<String, Entry> entries() {
    return heap.map("collections", String.class, Entry.class);
  }

  private Everything everything() {
    return heap.object("everything", Everything.class);
  }

  private DurableList<DurableMap<String, Long>> maps() {
    return heap.root("list of maps", DurableList.of(DurableMap.of(String.class, Long.class)));
  }

  private DurableDeque<DurableText> texts() {
    return heap.root("deque of texts", DurableDeque.of(DurableText.of()));
  }

  private DurableReference<DurableBytes> reference() {
    return heap.root("reference to bytes", DurableReference.of(DurableBytes.of()));
  }

  private DurableArray<DurableCounter> counters() {
    return heap.root("array of counters", DurableArray.of(DurableCounter.of(), 3));
  }

  /** A digest of each root, except for that with handles, which differ from heap to heap. */
  static Map<String, String> contents(Heap heap) {
    Map<String, String> contents = ReleasedFiles.contents(heap);
    contents.remove("blocks");
    return contents;
  }

  // ---- Filling ------------------------------------------------------------------------------

  /** Stores everything, in a transaction for each kind of data. */
  void fill() {
    heap.transact(() -> TypedKeys.all().forEach(keys -> keys.fill(heap)));
    heap.transact(this::fillArrays);
    heap.transact(this::fillCollections);
    heap.transact(this::fillStructures);
    heap.transact(this::fillObjects);
  }

  private void fillArrays() {
    heap.root("booleans", DurableBooleanArray.of(true, false, true));
    heap.root("bytes of an array", DurableByteArray.of((byte) 1, (byte) -1));
    heap.root("shorts", DurableShortArray.of((short) 1, (short) -1));
    heap.root("chars", DurableCharArray.of('a', '\u0633'));
    heap.root("floats", DurableFloatArray.of(1.5f, -0f));
    heap.root("doubles", DurableDoubleArray.of(1.5, Double.NEGATIVE_INFINITY));
    heap.root("immutable ints", DurableIntArray.ofImmutable(3, 1, 2));
    for (int i = 0; i < 100; i++) {
      ints().set(i, i * i);
    }
    Block block = heap.blocks().allocate(100, range -> range.setLong(8, 7));
    Block compact = heap.blocks().allocateCompact(40, range -> range.setInt(4, 9));
    heap.map("blocks", String.class, Long.class).put("block", block.handle());
    heap.map("blocks", String.class, Long.class).put("compact", compact.handle());
  }

  private void fillCollections() {
    for (int i = 0; i < 10; i++) {
      jobs().add("job " + i + " " + FARSI);
    }
    Lease<String> first = jobs().tryLease(LONG);
    first.acknowledge();
    jobs().tryLease(LONG);
    jobs().tryLease(LONG);
    Lease<String> putOff = jobs().tryLease(LONG);
    putOff.release(LONG);
    bounded().addAll(List.of(1L, 2L, 3L));
    lastFirst().addAll(List.of("a", "c", "b"));
    lastFirstSet().addAll(List.of("a", "c", "b"));
    entries().put("full", entry());
    entries().put("empty", new Entry(null, List.of(), Set.of(), Map.of()));
    heap.map("sets", Codecs.INT, SETS).put(1, new LinkedHashSet<>(List.of(3L, 1L, 2L)));
    heap.map("maps of a map", Codecs.INT, MAPS).put(1, new TreeMap<>(Map.of("a", 1L)));
    heap.map("optional", Codecs.INT, DerivedCodecs.optional(Codecs.UUID))
        .put(1, Optional.of(new UUID(1, 2)));
    heap.map("arrays of a map", Integer.class, String[].class)
        .put(1, new String[] {"a", null, FARSI});
  }

  private static Entry entry() {
    return new Entry(
        FARSI,
        Arrays.asList(1L, null),
        new LinkedHashSet<>(List.of("b", "a")),
        new TreeMap<>(Map.of("x", 1, "y", 2)));
  }

  private void fillStructures() {
    for (long i = 0; i < 3; i++) {
      DurableMap<String, Long> map = heap.create(DurableMap.of(String.class, Long.class));
      map.put("number", i);
      maps().add(map);
      DurableText text = heap.create(DurableText.of());
      text.append(FARSI + i);
      texts().add(text);
      DurableCounter counter = heap.create(DurableCounter.of());
      counter.add(i);
      counters().set(i, counter);
    }
    DurableBytes bytes = heap.create(DurableBytes.of());
    bytes.append(new byte[] {1, 2, 3});
    reference().set(bytes);
  }

  private void fillObjects() {
    Everything one = everything();
    one.flag(true);
    one.tiny((byte) -1);
    one.small((short) -2);
    one.letter('\u0633');
    one.number(-3);
    one.large(-4);
    one.single(1.5f);
    one.real(-0.0);
    one.text(FARSI);
    one.shade(ReleasedKey.Shade.DARK);
    one.point(new ReleasedKey.Point(1, "one"));
    one.names(Arrays.asList("a", null));
    one.time(Instant.ofEpochSecond(7, 8));
    one.bytes(new byte[] {1, 2});
    Everything other = heap.create(Everything.class, object -> object.number(7));
    other.other(one); // a cycle
    one.other(other);
    one.map(heap.create(DurableMap.of(String.class, Everything.class)));
    one.map().put("other", other);
  }

  // ---- Requiring ----------------------------------------------------------------------------

  /** Requires that everything is as it was stored. */
  void requireAll() {
    TypedKeys.all().forEach(keys -> keys.requireFound(heap));
    requireArrays();
    requireCollections();
    requireStructures();
    requireObjects();
  }

  private void requireArrays() {
    assertThat(heap.root("booleans", DurableBooleanArray.ofAnyLength()).toArray())
        .containsExactly(true, false, true);
    assertThat(heap.root("bytes of an array", DurableByteArray.ofAnyLength()).toArray())
        .containsExactly(1, -1);
    assertThat(heap.root("shorts", DurableShortArray.ofAnyLength()).toArray())
        .containsExactly((short) 1, (short) -1);
    assertThat(heap.root("chars", DurableCharArray.ofAnyLength()).toArray())
        .containsExactly('a', '\u0633');
    assertThat(heap.root("floats", DurableFloatArray.ofAnyLength()).toArray())
        .containsExactly(1.5f, -0f);
    assertThat(heap.root("doubles", DurableDoubleArray.ofAnyLength()).toArray())
        .containsExactly(1.5, Double.NEGATIVE_INFINITY);
    assertThat(heap.root("immutable ints", DurableIntArray.ofAnyLength()).toArray())
        .containsExactly(3, 1, 2);
    for (int i = 0; i < 100; i++) {
      assertThat(ints().get(i)).isEqualTo(i * i);
    }
    DurableMap<String, Long> blocks = heap.map("blocks", String.class, Long.class);
    Block block = heap.blocks().at(blocks.get("block"));
    assertThat(block.size()).isEqualTo(100);
    assertThat(block.getLong(8)).isEqualTo(7);
    assertThat(heap.blocks().compactAt(blocks.get("compact")).getInt(4)).isEqualTo(9);
  }

  private void requireCollections() {
    assertThat(jobs()).hasSize(9).first().isEqualTo("job 1 " + FARSI);
    assertThat(jobs().leased()).isZero(); // leases end with the process that has them
    assertThat(bounded()).containsExactly(1L, 2L, 3L);
    assertThat(lastFirst().peek()).isEqualTo("c");
    assertThat(lastFirst()).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(lastFirstSet()).containsExactly("c", "b", "a");
    assertThat(entries().get("full")).isEqualTo(entry());
    assertThat(entries().get("empty")).isEqualTo(new Entry(null, List.of(), Set.of(), Map.of()));
    assertThat(heap.map("sets", Codecs.INT, SETS).get(1)).containsExactly(3L, 1L, 2L);
    assertThat(heap.map("maps of a map", Codecs.INT, MAPS).get(1)).isEqualTo(Map.of("a", 1L));
    assertThat(heap.map("optional", Codecs.INT, DerivedCodecs.optional(Codecs.UUID)).get(1))
        .contains(new UUID(1, 2));
    assertThat(heap.map("arrays of a map", Integer.class, String[].class).get(1))
        .containsExactly("a", null, FARSI);
  }

  private void requireStructures() {
    assertThat(maps()).extracting(map -> map.get("number")).containsExactly(0L, 1L, 2L);
    assertThat(texts())
        .extracting(DurableText::toString)
        .containsExactly(FARSI + 0, FARSI + 1, FARSI + 2);
    List<Long> sums = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      sums.add(counters().get(i).sum());
    }
    assertThat(sums).containsExactly(0L, 1L, 2L);
    assertThat(reference().get().toArray()).containsExactly(1, 2, 3);
  }

  private void requireObjects() {
    Everything one = everything();
    assertThat(one.flag()).isTrue();
    assertThat(one.tiny()).isEqualTo((byte) -1);
    assertThat(one.small()).isEqualTo((short) -2);
    assertThat(one.letter()).isEqualTo('\u0633');
    assertThat(one.number()).isEqualTo(-3);
    assertThat(one.large()).isEqualTo(-4);
    assertThat(one.single()).isEqualTo(1.5f);
    assertThat(one.real()).isEqualTo(-0.0);
    assertThat(one.text()).isEqualTo(FARSI);
    assertThat(one.shade()).isEqualTo(ReleasedKey.Shade.DARK);
    assertThat(one.point()).isEqualTo(new ReleasedKey.Point(1, "one"));
    assertThat(one.names()).containsExactly("a", null);
    assertThat(one.time()).isEqualTo(Instant.ofEpochSecond(7, 8));
    assertThat(one.bytes()).containsExactly(1, 2);
    assertThat(one.other().number()).isEqualTo(7);
    assertThat(one.other().text()).isNull();
    assertThat(one.other().other()).isEqualTo(one);
    assertThat(one.map().get("other")).isEqualTo(one.other());
  }

  // ---- Changing -----------------------------------------------------------------------------

  /** Changes everything: keys are replaced and removed by equal ones, and structures freed. */
  void change() {
    heap.transact(() -> TypedKeys.all().forEach(keys -> keys.replaceAndRemove(heap)));
    heap.transact(
        () -> {
          ints().fill(7);
          Lease<String> again = jobs().tryLease(LONG);
          assertThat(again.attempt()).isEqualTo(2);
          again.acknowledge();
          assertThat(jobs()).hasSize(8);
          bounded().removeFirst();
          bounded().addLast(4L);
          assertThat(lastFirst().poll()).isEqualTo("c");
          assertThat(lastFirstSet().remove("c")).isTrue();
          entries().put("full", entries().get("empty"));
          maps().getFirst().put("number", 7L);
          texts().peekFirst().append("!");
          heap.freeDeep(reference().getAndSet(null));
          counters().get(0).add(7);
          everything().text("changed");
          everything().map().clear();
          heap.blocks().at(heap.map("blocks", String.class, Long.class).get("block")).free();
        });
  }

  /** Requires that {@link #change} is stored. */
  void requireChanged() {
    assertThat(ints().toArray()).containsOnly(7);
    assertThat(jobs()).hasSize(8);
    assertThat(bounded()).containsExactly(2L, 3L, 4L);
    assertThat(lastFirst()).containsExactlyInAnyOrder("a", "b");
    assertThat(lastFirstSet()).containsExactly("b", "a");
    assertThat(entries().get("full")).isEqualTo(entries().get("empty"));
    assertThat(maps().getFirst()).containsEntry("number", 7L);
    assertThat(texts().peekFirst().toString()).isEqualTo(FARSI + 0 + "!");
    assertThat(reference().get()).isNull();
    assertThat(counters().get(0).sum()).isEqualTo(7);
    assertThat(everything().text()).isEqualTo("changed");
    assertThat(everything().map()).isEmpty();
    assertThat(heap.map("by long", Codecs.LONG, Codecs.STRING)).isEmpty();
  }
}
