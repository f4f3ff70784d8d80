package io.everheap.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.codec.Codecs;
import io.everheap.codec.derived.CodecRegistry;
import io.everheap.error.GoneException;
import io.everheap.error.OutsideTransactionException;
import io.everheap.error.SchemaMismatchException;
import io.everheap.heap.OpenHeap;
import io.everheap.report.VerifyReport;
import io.everheap.structure.Structures;
import io.everheap.structure.common.NestedCodec;
import io.everheap.structure.common.NestedType;
import io.everheap.structure.common.Shapes;
import io.everheap.structure.map.HashKind;
import io.everheap.structure.map.SetHandle;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Structures as values of maps: made, shared, freed, checked. */
class NestedStructuresTest {
  private static final Shape<DurableSet<Long>> LONGS = DurableSet.of(Long.class);
  private static final Shape<DurableMap<String, DurableSet<Long>>> INDEX =
      DurableMap.of(String.class, LONGS);

  private final Heap heap = Heap.inMemory();
  private final DurableMap<String, DurableSet<Long>> index = heap.root("index", INDEX);

  @AfterEach
  void nothingIsDamaged() {
    if (heap.isOpen()) {
      heap.close();
    }
  }

  private DurableSet<Long> put(String key, Long... elements) {
    return heap.transact(
        () -> {
          DurableSet<Long> set = heap.create(LONGS);
          set.addAll(Set.of(elements));
          index.put(key, set);
          return set;
        });
  }

  private void assertSound(long unreachable) {
    VerifyReport report = heap.verify();
    assertThat(report.problems()).isEmpty();
    assertThat(report.unreachable()).isEqualTo(unreachable);
  }

  @Test
  void aStructureIsStoredByPuttingItAsAValue() {
    DurableSet<Long> set = put("a", 1L, 2L);

    assertThat(index.get("a")).isEqualTo(Set.of(1L, 2L));
    assertThat(index.get("a").sameAs(set)).isTrue();
    set.add(3L);
    assertThat(index.get("a")).contains(3L);
    assertSound(0);
  }

  @Test
  void equalContentsAreEqualAndNotTheSame() {
    DurableSet<Long> a = put("a", 1L);
    DurableSet<Long> b = put("b", 1L);

    assertThat(a).isEqualTo(b);
    assertThat(a.sameAs(b)).isFalse();
    assertThat(a.id()).isNotEqualTo(b.id()).isEqualTo(index.get("a").id());
  }

  @Test
  void handlesThatAreInUseAreNotMadeAgain() {
    put("a", 1L);

    DurableSet<Long> one = index.get("a");
    assertThat(index.get("a")).isSameAs(one);
  }

  @Test
  void severalLevelsNest() {
    var deep = heap.root("deep", DurableMap.of(Long.class, DurableMap.of(Long.class, INDEX)));
    heap.transact(
        () -> {
          var middle = heap.create(DurableMap.of(Long.class, INDEX));
          var inner = heap.create(INDEX);
          inner.put("x", heap.create(LONGS));
          middle.put(2L, inner);
          deep.put(1L, middle);
        });

    deep.get(1L).get(2L).get("x").add(3L);
    assertThat(deep.get(1L).get(2L).get("x")).containsExactly(3L);
    assertSound(0);
    heap.removeDeep("deep");
    assertSound(0);
  }

  @Test
  void sharingIsAllowed() {
    DurableSet<Long> shared = put("a", 1L);
    index.put("b", shared);
    heap.root("other", INDEX).put("c", shared);

    shared.add(2L);
    assertThat(index.get("b").sameAs(heap.root("other", INDEX).get("c"))).isTrue();
    assertSound(0);
  }

  @Test
  void aRootCanBeAValueOfAnother() {
    DurableSet<Long> root = heap.root("set", LONGS);
    root.add(7L);
    index.put("root", root);

    assertThat(index.get("root")).containsExactly(7L);
    assertSound(0);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> heap.free(root))
        .withMessageContaining("set");
    heap.removeDeep("index");
    assertThat(root).containsExactly(7L);
    assertSound(0);
  }

  @Test
  void itIsMadeInATransactionAndUndoneWithIt() {
    assertThatExceptionOfType(OutsideTransactionException.class)
        .isThrownBy(() -> heap.create(LONGS));
    long blocks = heap.stats().blocks();
    DurableSet<?>[] made = new SetHandle<?>[1];

    assertThatThrownBy(
            () ->
                heap.transact(
                    () -> {
                      DurableSet<Long> set = heap.create(LONGS);
                      set.add(1L);
                      index.put("a", set);
                      assertThat(index.get("a")).containsExactly(1L);
                      made[0] = set;
                      throw new IllegalStateException("undo");
                    }))
        .hasMessage("undo");
    assertThat(index).isEmpty();
    assertThatExceptionOfType(GoneException.class).isThrownBy(() -> made[0].size());
    assertThat(heap.stats().blocks()).isEqualTo(blocks);
  }

  @Test
  void theTypesAreChecked() {
    assertThatExceptionOfType(SchemaMismatchException.class)
        .isThrownBy(() -> heap.root("index", DurableMap.of(String.class, DurableSet.of(int.class))))
        .withMessageContaining("ref set<long>");
    assertThatExceptionOfType(SchemaMismatchException.class)
        .isThrownBy(() -> heap.map("index", String.class, Long.class));
    assertThat(heap.roots().getFirst().types())
        .isEqualTo(Map.of("key", "string", "value", "ref set<long>"));
  }

  @Test
  void wrongStructuresAreRefused() {
    try (Heap other = Heap.inMemory()) {
      DurableSet<Long> foreign = other.root("set", LONGS);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> index.put("a", foreign))
          .withMessageContaining("of the heap");
      assertThatIllegalArgumentException().isThrownBy(() -> heap.free(foreign));
    }
    @SuppressWarnings("unchecked") // what a program can do that ignores warnings
    DurableMap<String, Object> loose = (DurableMap<String, Object>) (DurableMap<String, ?>) index;
    Structure map = heap.map("map", Long.class, Long.class);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> loose.put("a", map))
        .withMessageContaining("ref map<long,long>")
        .withMessageContaining("ref set<long>");
    DurableSet<String> texts = heap.set("texts", String.class);
    assertThatIllegalArgumentException().isThrownBy(() -> loose.put("a", texts));
    assertThatThrownBy(() -> loose.put("a", "text")).isInstanceOf(ClassCastException.class);
    assertThat(index).isEmpty();
  }

  @Test
  void aFreedStructureIsNoValue() {
    DurableSet<Long> set = heap.transact(() -> heap.create(LONGS));
    heap.free(set);

    assertThatExceptionOfType(GoneException.class).isThrownBy(() -> index.put("a", set));
    assertThatExceptionOfType(GoneException.class).isThrownBy(() -> heap.free(set));
  }

  @Test
  void whatNothingLeadsToIsCountedAndNoDamage() {
    put("a", 1L);
    put("b", 2L);
    index.remove("a");
    assertSound(1);

    heap.remove("index");
    VerifyReport report = heap.verify();
    assertThat(report.ok()).isTrue();
    assertThat(report.unreachable()).isEqualTo(2);
  }

  @Test
  void unreachableStructuresMayHoldOthers() {
    heap.transact(
        () -> {
          var outer = heap.create(INDEX);
          outer.put("x", heap.create(LONGS));
          outer.put("y", heap.create(LONGS));
        });

    assertSound(3);
  }

  @Test
  void freeingTheRemovedValueGivesItsSpaceBack() {
    put("name of the type of elements");
    long blocks = heap.stats().blocks();
    put("a", 1L, 2L, 3L);

    heap.transact(() -> heap.free(index.remove("a")));

    assertThat(heap.stats().blocks()).isEqualTo(blocks);
    assertSound(0);
  }

  @Test
  void aDeepFreeTakesEverythingOnce() {
    var shape = DurableMap.of(Long.class, INDEX);
    long blocks = heap.stats().blocks();
    var outer =
        heap.transact(
            () -> {
              var map = heap.create(shape);
              var inner = heap.create(INDEX);
              DurableSet<Long> shared = heap.create(LONGS);
              inner.put("x", shared);
              inner.put("y", shared);
              DurableSet<Long> freed = heap.create(LONGS);
              inner.put("z", freed);
              heap.free(freed);
              map.put(1L, inner);
              map.put(2L, inner);
              return map;
            });
    heap.freeDeep(outer);

    assertThat(heap.stats().blocks()).isLessThanOrEqualTo(blocks + 4); // names of new types
    assertSound(0);
  }

  @Test
  void aStaleValueThrowsOnUseAndVerifyNamesIt() {
    DurableSet<Long> set = put("a", 1L);
    put("b", 2L);
    heap.free(set);

    assertThatExceptionOfType(GoneException.class).isThrownBy(() -> index.get("a").size());
    VerifyReport report = heap.verify();
    assertThat(report.problems()).isEmpty();
    assertThat(report.dangling())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.kind()).isEqualTo("dangling reference");
              assertThat(problem.root()).isEqualTo("index");
              assertThat(problem.key()).isEqualTo("a");
              assertThat(problem.message()).contains("is gone");
            });
  }

  @Test
  void anEntryWithAStaleValueCanBeRemovedAndReplaced() {
    for (String key : new String[] {"a", "b", "c"}) {
      heap.free(put(key, 1L));
    }

    Structure old = index.remove("a");
    assertThatExceptionOfType(GoneException.class).isThrownBy(() -> heap.free(old));
    put("b", 2L);
    for (Iterator<Map.Entry<String, DurableSet<Long>>> i = index.entrySet().iterator();
        i.hasNext(); ) {
      if (i.next().getKey().equals("c")) {
        i.remove();
      }
    }
    assertThat(index.keySet()).containsExactly("b");
    assertSound(0);
  }

  @Test
  void aDeadHandleRefusesEverything() {
    heap.free(put("a", 1L));
    DurableSet<Long> dead = index.get("a");

    assertThatExceptionOfType(GoneException.class).isThrownBy(() -> dead.contains(1L));
    assertThatExceptionOfType(GoneException.class).isThrownBy(() -> dead.add(1L));
    assertThatExceptionOfType(GoneException.class).isThrownBy(() -> dead.remove(1L));
    assertThatExceptionOfType(GoneException.class).isThrownBy(dead::clear);
    assertThatExceptionOfType(GoneException.class).isThrownBy(dead::iterator);
    assertThatExceptionOfType(GoneException.class).isThrownBy(dead::isEmpty);
  }

  @Test
  void nestedStructuresAreNoKeys() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                HashKind.mapOf(
                        NestedCodec.of(
                            Shapes.define(Structures.KINDS, LONGS, new CodecRegistry()),
                            Structures.KINDS),
                        Codecs.LONG)
                    .create(Structures.of(OpenHeap.engine(heap).context()), new long[2]));
  }

  @Test
  void toolsSeeWhatIsNested() {
    put("a", 5L);

    Map<Object, Object> entries = new HashMap<>();
    heap.entries("index").forEach(e -> entries.put(e.getKey(), e.getValue()));
    DescribedStructure set = (DescribedStructure) entries.get("a");
    assertThat(set.type()).isEqualTo("ref set<long>");
    assertThat(set.size()).isEqualTo(1);
    assertThat(set.hasKeys()).isFalse();
    assertThat(set.entries()).containsExactly(Map.entry(0L, 5L));
  }

  @Test
  void namesOfTypesThatAreNoneAreRefused() {
    assertThat(
            NestedType.parse(
                "ref map<record a.B<C>(long x, map<long,long>? y),ref set<int>>", Structures.KINDS))
        .satisfies(
            type ->
                assertThat(type.types())
                    .containsExactly("record a.B<C>(long x, map<long,long>? y)", "ref set<int>"));
    for (String name :
        new String[] {
          "ref",
          "ref ",
          "ref map",
          "ref map<long>",
          "ref map<long,long",
          "ref map<long,long>>",
          "ref tree<long>",
          "ref set<long>x",
          "ref set<long,long>",
          "set<long>",
          "ref set)"
        }) {
      assertThatThrownBy(() -> NestedType.parse(name, Structures.KINDS))
          .as(name)
          .isInstanceOf(io.everheap.error.UnsupportedTypeException.class);
    }
  }
}
