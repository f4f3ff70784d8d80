package io.everheap.salvage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.TestHeaps;
import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.collection.DurableIntArray;
import io.everheap.collection.DurableSortedMap;
import io.everheap.collection.DurableSortedSet;
import io.everheap.collection.KeyOrder;
import io.everheap.collection.Shape;
import io.everheap.error.SchemaMismatchException;
import io.everheap.structure.common.HeapStructureId;
import io.everheap.structure.sorted.SortedPlaces;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is saved of sorted maps and sets, whose orders may be known to their program only. */
@Campaign
class SalvageSortedTest {
  private static final int ENTRIES = 3000;
  private static final KeyOrder<String> BY_LENGTH =
      KeyOrder.of(
          "length, then text",
          Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()));
  private static final KeyOrder<Point> BY_DISTANCE =
      KeyOrder.of("distance", Comparator.comparingLong(p -> -(long) p.x - p.y));
  private static final Shape<DurableSortedSet<Long>> NUMBERS = DurableSortedSet.of(Long.class);

  @TempDir Path temp;
  private Path heap;
  private Path saved;
  private SortedPlaces texts;
  private SortedPlaces lengths;
  private SortedPlaces numbers;

  record Point(int x, int y) {}

  /** Only this program knows it. */
  private static final class PointCodec implements Codec<Point> {
    @Override
    public String name() {
      return "test.Point";
    }

    @Override
    public void write(Point point, CodecOutput out) {
      out.writeInt(point.x);
      out.writeInt(point.y);
    }

    @Override
    public Point read(CodecInput in) {
      return new Point(in.readInt(), in.readInt());
    }

    @Override
    public boolean canonical() {
      return true;
    }
  }

  private static String key(int i) {
    return "key " + "x".repeat(i % 13) + i * 7919 % ENTRIES;
  }

  private static NavigableMap<String, String> entries() {
    NavigableMap<String, String> entries = new TreeMap<>();
    for (int i = 0; i < ENTRIES; i++) {
      entries.put(key(i), "value of " + key(i));
    }
    return entries;
  }

  private static DurableSortedMap<String, String> texts(Heap open) {
    return open.sortedMap("texts", String.class, String.class);
  }

  private static DurableSortedMap<String, Long> lengths(Heap open) {
    return open.root("lengths", DurableSortedMap.of(String.class, Long.class, BY_LENGTH));
  }

  private static DurableSortedSet<Point> points(Heap open) {
    return open.root("points", DurableSortedSet.of(new PointCodec(), BY_DISTANCE));
  }

  private static DurableSortedMap<UUID, DurableSortedSet<Long>> nested(Heap open) {
    return open.root("nested", DurableSortedMap.of(UUID.class, NUMBERS));
  }

  @BeforeEach
  void aHeapOfSortedStructures() {
    heap = temp.resolve("heap");
    saved = temp.resolve("saved");
    try (Heap open = TestHeaps.open(heap)) {
      open.transact(() -> fill(open));
      texts = SortedPlaces.of(open, HeapStructureId.of(texts(open)).reference());
      lengths = SortedPlaces.of(open, HeapStructureId.of(lengths(open)).reference());
      numbers =
          SortedPlaces.of(
              open, HeapStructureId.of(nested(open).firstEntry().getValue()).reference());
    }
  }

  private static void fill(Heap open) {
    texts(open).putAll(entries());
    for (int i = 0; i < ENTRIES; i++) {
      lengths(open).put(key(i), (long) i);
    }
    for (int i = 0; i < 500; i++) {
      points(open).add(new Point(i, 2 * i));
    }
    for (long i = 0; i < 3; i++) {
      DurableSortedSet<Long> set = open.create(NUMBERS);
      for (long n = -500; n < 500; n++) {
        set.add(n * (i + 1));
      }
      nested(open).put(new UUID(i, -i), set);
    }
    nested(open).put(new UUID(9, 9), nested(open).firstEntry().getValue());
    open.root("frozen", DurableIntArray.ofImmutable(1, 0, 3));
  }

  private SalvageReport salvage() {
    return Salvaging.run(heap, saved);
  }

  private void zero(long offset, int bytes) {
    Salvaging.zero(heap, offset, bytes);
  }

  @Test
  void ofASoundHeapEverythingIsSavedInItsOrder() {
    SalvageReport report = salvage();

    assertThat(report.complete()).as("%s", report).isTrue();
    assertThat(Salvaging.root(report, "lengths").types())
        .containsEntry("order", "length, then text");
    try (Heap open = TestHeaps.open(saved)) {
      assertThat(new ArrayList<>(texts(open).entrySet()))
          .isEqualTo(new ArrayList<>(entries().entrySet()));
      List<String> byLength = new ArrayList<>(entries().keySet());
      byLength.sort(BY_LENGTH.comparator());
      assertThat(new ArrayList<>(lengths(open).keySet())).isEqualTo(byLength);
      assertThat(lengths(open).get(key(17))).isEqualTo(17);
      assertThat(points(open).first()).isEqualTo(new Point(499, 998));
      assertThat(points(open)).hasSize(500).contains(new Point(77, 154));
      assertThat(nested(open)).hasSize(4);
      assertThat(nested(open).get(new UUID(1, -1)).first()).isEqualTo(-1000);
      assertThat(nested(open).get(new UUID(9, 9)).sameAs(nested(open).get(new UUID(0, 0))))
          .as("shared")
          .isTrue();
    }
  }

  @Test
  void theOrderIsStillAskedFor() {
    salvage();
    KeyOrder<String> other = KeyOrder.of("backwards", Comparator.reverseOrder());
    try (Heap open = TestHeaps.open(saved)) {
      var backwards = DurableSortedMap.of(String.class, Long.class, other);
      assertThatThrownBy(() -> open.root("lengths", backwards))
          .isInstanceOf(SchemaMismatchException.class)
          .hasMessageContaining("length, then text")
          .hasMessageContaining("backwards");
    }
  }

  @Test
  void theCopyGoesOnAsTheOriginalWould() {
    salvage();
    try (Heap open = TestHeaps.open(saved)) {
      for (int i = 0; i < ENTRIES; i += 2) {
        assertThat(lengths(open).remove(key(i))).isEqualTo(i);
      }
      lengths(open).put("", -1L);
      assertThat(lengths(open).firstKey()).isEmpty();
      assertThat(open.verify().problems()).isEmpty();
    }
  }

  @Test
  void immutableArraysStayImmutable() {
    salvage();
    try (Heap open = TestHeaps.open(saved)) {
      DurableIntArray frozen = open.root("frozen", DurableIntArray.ofAnyLength());
      assertThat(frozen.isFrozen()).isTrue();
      assertThat(frozen.toArray()).containsExactly(1, 0, 3);
    }
  }

  @Test
  void withoutALeafItsEntriesAreFound() {
    zero(texts.leaves().get(5), 512);
    SalvageReport report = salvage();

    assertThat(Salvaging.root(report, "texts").byScan()).isPositive();
    try (Heap open = TestHeaps.open(saved)) {
      assertThat(texts(open)).isEqualTo(entries());
    }
  }

  @Test
  void withoutTheRootNodeTheLeavesAreFound() {
    zero(texts.inner().getFirst(), 512);
    SalvageReport report = salvage();

    assertThat(Salvaging.root(report, "texts").saved()).isEqualTo(ENTRIES);
    assertThat(report.unassigned()).isZero();
    try (Heap open = TestHeaps.open(saved)) {
      assertThat(texts(open)).isEqualTo(entries());
    }
  }

  @Test
  void withoutTheRootNodeOfANestedSetItsLeavesAreFound() {
    zero(numbers.inner().getFirst(), 512);
    SalvageReport report = salvage();

    assertThat(Salvaging.root(report, "nested").byScan()).isEqualTo(1000);
    try (Heap open = TestHeaps.open(saved)) {
      assertThat(nested(open).get(new UUID(0, 0))).hasSize(1000);
    }
  }

  @Test
  void whereAComparatorIsNeededWhatIsLeftComesInItsOrder() {
    zero(lengths.leaves().get(3), 512);
    zero(lengths.leaves().get(40), 512);
    SalvageReport report = salvage();

    SalvageReport.Root root = Salvaging.root(report, "lengths");
    assertThat(root.saved()).isBetween(ENTRIES - 100L, ENTRIES - 1L);
    assertThat(root.lost()).isEqualTo(ENTRIES - root.saved());
    try (Heap open = TestHeaps.open(saved)) {
      assertThat(lengths(open)).hasSize((int) root.saved());
      assertOrdered(lengths(open).keySet(), BY_LENGTH.comparator());
      lengths(open).forEach((key, value) -> assertThat(lengths(open).get(key)).isEqualTo(value));
    }
  }

  private static <T> void assertOrdered(Collection<T> keys, Comparator<? super T> comparator) {
    T before = null;
    for (T key : keys) {
      if (before != null) {
        assertThat(comparator.compare(before, key)).as("%s, %s", before, key).isNegative();
      }
      before = key;
    }
  }

  @Test
  void withoutTheHeaderTheMapIsLost() {
    zero(texts.header(), 8);
    SalvageReport report = salvage();

    assertThat(report.complete()).isFalse();
    assertThat(Salvaging.root(report, "texts").reasons())
        .anyMatch(reason -> reason.contains("header"));
  }

  /** Of keys in blocks of their own, those in the page; of words, those in its leaves. */
  @Test
  void theKeysInADamagedPageAreDoubtfulAndNoOthers() throws IOException {
    String home = Files.readString(heap.resolve("heap"), StandardCharsets.ISO_8859_1);
    int flipped = home.indexOf("value of " + key(1234));
    TestHeaps.flip(heap.resolve("heap"), flipped, 1);
    int page = flipped & -4096;
    Set<String> within = new HashSet<>();
    Set<String> near = new HashSet<>();
    Matcher matcher = Pattern.compile("value of (key x*[0-9]+)").matcher(home);
    for (matcher.region(page - 128, page + 4096 + 128); matcher.find(); ) {
      near.add(matcher.group(1));
      if (matcher.start() >= page && matcher.start() < page + 4096) {
        within.add(matcher.group(1));
      }
    }
    assertThat(within).hasSizeGreaterThan(10).doesNotContain(key(1));
    SalvageReport.Root root = Salvaging.root(salvage(), "texts");

    assertThat(root.doubtfulKeys()).containsAll(within).isSubsetOf(near);
    assertThat(root.doubtful()).isEqualTo(root.doubtfulKeys().size());
    assertThat(root.lost()).isZero();
    assertThat(root.reasons()).anyMatch(reason -> reason.contains("checksum"));
    try (Heap open = TestHeaps.open(saved)) {
      assertThat(texts(open).keySet()).isEqualTo(entries().keySet());
      assertThat(texts(open).get(key(1234))).isNotEqualTo("value of " + key(1234));
    }
  }

  @Test
  void keysThatAreWordsAreDoubtfulWithTheirLeaf() {
    long page = numbers.leaves().get(7) / 4096;
    long leaves =
        numbers.leaves().stream()
            .filter(leaf -> leaf / 4096 <= page && (leaf + 1200) / 4096 >= page)
            .count();
    TestHeaps.flip(heap.resolve("heap"), numbers.leaves().get(7) + 1000, 0x10);
    SalvageReport.Root root = Salvaging.root(salvage(), "nested");

    assertThat(root.doubtful()).isBetween(16L, 64 * leaves);
    assertThat(root.doubtfulKeys()).isNotEmpty().allMatch(key -> key.matches("-?[0-9]+"));
  }

  @Test
  void damageAnywhereNeverPutsAKeyOutOfOrder() throws IOException {
    Salvaging.damageAnywhere(
        heap,
        temp,
        5,
        5,
        (open, what) -> {
          if (open.contains("texts")) {
            assertOrdered(texts(open).keySet(), Comparator.naturalOrder());
          }
        });
  }
}
