package io.everheap.salvage;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.TestHeaps;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurableSet;
import io.everheap.collection.Shape;
import io.everheap.engine.home.HomeLayout;
import io.everheap.structure.common.HeapStructureId;
import io.everheap.structure.map.MapPlaces;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is saved of sets and of structures within structures. */
@Campaign
class SalvageNestedTest {
  private static final int KEYS = 300;
  private static final Shape<DurableSet<String>> TEXTS = DurableSet.of(String.class);
  private static final Shape<DurableMap<Long, DurableSet<String>>> INDEX =
      DurableMap.of(Long.class, TEXTS);

  @TempDir Path temp;
  private Path heap;
  private Path saved;
  private MapPlaces index;
  private MapPlaces set;
  private MapPlaces tags;

  @BeforeEach
  void aHeapWithSets() {
    heap = temp.resolve("heap");
    saved = temp.resolve("saved");
    try (Heap open = TestHeaps.open(heap)) {
      DurableMap<Long, DurableSet<String>> map =
          open.transact(
              () -> {
                open.set("tags", Long.class).addAll(tags());
                DurableMap<Long, DurableSet<String>> made = open.root("index", INDEX);
                for (long key = 0; key < KEYS; key++) {
                  DurableSet<String> texts = open.create(TEXTS);
                  texts.addAll(texts(key));
                  made.put(key, texts);
                }
                made.put((long) KEYS, made.get(0L));
                return made;
              });
      index = MapPlaces.of(open, HeapStructureId.of(map).reference());
      set = MapPlaces.of(open, HeapStructureId.of(map.get(7L)).reference());
      tags = MapPlaces.of(open, HeapStructureId.of(open.set("tags", Long.class)).reference());
    }
  }

  private static Set<Long> tags() {
    Set<Long> tags = new HashSet<>();
    for (long i = 0; i < KEYS; i++) {
      tags.add(i * i);
    }
    return tags;
  }

  private static Set<String> texts(long key) {
    Set<String> texts = new HashSet<>();
    for (int i = 0; i <= key % 20; i++) {
      texts.add(key + " " + i + " " + (key + " " + i).hashCode());
    }
    return texts;
  }

  private static long total() {
    long total = KEYS + 1;
    for (long key = 0; key < KEYS; key++) {
      total += texts(key).size();
    }
    return total;
  }

  private SalvageReport salvage() {
    return Salvaging.run(heap, saved);
  }

  private void assertAllSaved() {
    try (Heap open = TestHeaps.open(saved)) {
      assertThat(open.names()).containsExactly("index", "tags");
      assertThat(open.set("tags", Long.class)).isEqualTo(tags());
      DurableMap<Long, DurableSet<String>> map = open.root("index", INDEX);
      assertThat(map).hasSize(KEYS + 1);
      for (long key = 0; key < KEYS; key++) {
        assertThat(map.get(key)).as("set %s", key).isEqualTo(texts(key));
      }
      assertThat(map.get(0L).sameAs(map.get((long) KEYS))).as("shared").isTrue();
      assertThat(open.verify().unreachable()).isZero();
    }
  }

  private void zero(long offset, int bytes) {
    Salvaging.zero(heap, offset, bytes);
  }

  @Test
  void ofASoundHeapEverythingIsSaved() {
    SalvageReport report = salvage();

    assertThat(report.complete()).as("%s", report).isTrue();
    assertThat(Salvaging.root(report, "tags").types()).isEqualTo(Map.of("element", "long"));
    assertThat(Salvaging.root(report, "index").types())
        .isEqualTo(Map.of("key", "long", "value", "ref set<string>"));
    assertThat(Salvaging.root(report, "index").saved()).isEqualTo(total());
    assertAllSaved();
  }

  @Test
  void behindABrokenTableOfTheOuterMapAllIsFoundAgain() {
    zero(index.directoryReference(), 8);
    SalvageReport report = salvage();

    SalvageReport.Root of = Salvaging.root(report, "index");
    assertThat(of.byScan()).isEqualTo(KEYS + 1);
    assertThat(of.saved()).isEqualTo(total());
    assertThat(report.roots()).extracting(SalvageReport.Root::name).containsOnly("index", "tags");
    assertAllSaved();
  }

  @Test
  void behindBrokenTablesOfSetsTheElementsAreFound() {
    zero(set.directoryReference(), 8);
    zero(tags.segmentReference(), 8);
    SalvageReport report = salvage();

    assertThat(Salvaging.root(report, "index").byScan()).isEqualTo(texts(7).size());
    assertThat(Salvaging.root(report, "tags").byScan()).isPositive();
    assertAllSaved();
  }

  @Test
  void withoutTheCatalogTheStructuresAreFound() {
    zero(HomeLayout.CATALOG_ADDRESS, HomeLayout.PAGE_SIZE);
    SalvageReport report = salvage();

    assertThat(report.notes()).anyMatch(note -> note.contains("map of roots"));
    assertAllSaved();
  }

  @Test
  void withoutTheHeaderOfANestedSetItsEntryIsLost() {
    zero(set.header(), 8);
    SalvageReport report = salvage();

    assertThat(Salvaging.root(report, "index").lost()).isPositive();
    assertThat(Salvaging.root(report, "index").reasons())
        .anyMatch(reason -> reason.contains("key 7"));
    try (Heap open = TestHeaps.open(saved)) {
      assertThat(open.root("index", INDEX)).hasSize(KEYS).doesNotContainKey(7L);
    }
  }

  @Test
  void whatNothingLeadsToIsSavedWithWhatItHolds() {
    try (Heap open = TestHeaps.open(heap)) {
      open.transact(
          () -> {
            DurableMap<Long, DurableSet<String>> outer = open.create(INDEX);
            outer.put(1L, open.create(TEXTS));
            outer.get(1L).add("lost");
          });
    }
    SalvageReport report = salvage();

    assertThat(report.roots())
        .extracting(SalvageReport.Root::name)
        .containsExactlyInAnyOrder("index", "tags", "salvaged-1");
    try (Heap open = TestHeaps.open(saved)) {
      assertThat(open.root("salvaged-1", INDEX).get(1L)).containsExactly("lost");
    }
  }

  @Test
  void aRootThatIsAlsoAValueStaysOne() {
    try (Heap open = TestHeaps.open(heap)) {
      DurableSet<String> root = open.root("root", TEXTS);
      root.add("mine");
      open.root("index", INDEX).put(-1L, root);
    }
    assertThat(salvage().complete()).isTrue();
    try (Heap open = TestHeaps.open(saved)) {
      DurableSet<String> root = open.root("root", TEXTS);
      assertThat(root).containsExactly("mine");
      assertThat(open.root("index", INDEX).get(-1L).sameAs(root)).isTrue();
    }
  }

  @Test
  void damageAnywhereNeverPutsAnElementIntoAnotherSet() throws IOException {
    Salvaging.damageAnywhere(heap, temp, 12, 10, SalvageNestedTest::check);
  }

  private static void check(Heap open, String what) {
    if (!open.contains("index")) {
      return;
    }
    open.root("index", INDEX)
        .forEach(
            (key, texts) -> {
              for (String text : texts) {
                String[] parts = text.split(" ", -1);
                boolean whole =
                    parts.length == 3
                        && parts[2].equals("" + (parts[0] + " " + parts[1]).hashCode());
                boolean known = key >= 0 && key < KEYS; // else the key was damaged
                if (whole && known) {
                  assertThat(parts[0]).as("%s: an element of %s", what, key).isEqualTo("" + key);
                }
              }
            });
  }
}
