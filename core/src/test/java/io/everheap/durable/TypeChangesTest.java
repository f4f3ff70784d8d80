package io.everheap.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.Root;
import io.everheap.collection.DurableIntArray;
import io.everheap.collection.DurableShortArray;
import io.everheap.collection.DurableSortedSet;
import io.everheap.error.SchemaMismatchException;
import io.everheap.support.tier.Campaign;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every kind of change of a record, in every place where a heap can keep one: read by the later
 * program, written by it, and read by the earlier one again.
 */
@Campaign
class TypeChangesTest {
  @TempDir private Path directory;

  /**
   * A change.
   *
   * @param what it is
   * @param later what the later program reads of what the earlier one wrote; after {@code !}, what
   *     the refusal says
   * @param back what the earlier program reads of what the later one wrote, likewise; or nothing
   *     that is defined
   * @param keys the same of both for keys
   */
  record Change(String what, Version from, Version to, String later, String back, Keys keys) {
    @Override
    public String toString() {
      return what;
    }
  }

  /** What happens to keys. */
  record Keys(String later, String back) {}

  private static final Keys REFUSED = new Keys("!keys", "");

  static List<Change> changes() {
    Version point = Version.of("int x, String y", 1, "a");
    Version enums = Version.of("Kind kind", ":Kind.B");
    return List.of(
        new Change(
            "a component added",
            point,
            Version.of("int x, String y, Long z, int w", 2, "b", 3L, 4),
            "Point[x=1, y=a, z=null, w=0]",
            "Point[x=2, y=b]",
            REFUSED),
        new Change(
            "a component added in front",
            point,
            Version.of("java.util.List<String> z, int x, String y", List.of("q"), 2, "b"),
            "Point[z=null, x=1, y=a]",
            "Point[x=2, y=b]",
            REFUSED),
        new Change(
            "a component removed",
            point,
            Version.of("String y", "b"),
            "Point[y=a]",
            "Point[x=0, y=b]",
            REFUSED),
        new Change(
            "components reordered",
            point,
            Version.of("String y, int x", "b", 2),
            "Point[y=a, x=1]",
            "Point[x=2, y=b]",
            new Keys("!in its place", "")),
        new Change(
            "a component renamed",
            point,
            Version.of("@Was(\"x\") int z, String y", 2, "b"),
            "Point[z=1, y=a]",
            "Point[x=2, y=b]",
            new Keys("Point[z=1, y=a]", "Point[x=2, y=b]")),
        new Change(
            "a name given to another component",
            point,
            Version.of("@Was(\"x\") int z, String y, int x", 2, "b", 5),
            "Point[z=1, y=a, x=0]",
            "",
            REFUSED),
        new Change(
            "a component widened",
            point,
            Version.of("long x, String y", 1L << 40, "b"),
            "Point[x=1, y=a]",
            "!component x of bank.Point: stored long, wanted int",
            new Keys("!component x of bank.Point: stored int, wanted long; keys", "")),
        new Change(
            "a component that may be null",
            point,
            Version.of("Double x, String y", null, "b"),
            "Point[x=1.0, y=a]",
            "!component x of bank.Point: stored double or null, wanted int",
            new Keys("!in keys it must stay primitive", "")),
        new Change(
            "a component narrowed",
            Version.of("long x", 1L),
            Version.of("int x", 2),
            "!component x of bank.Point: stored long, wanted int",
            "",
            REFUSED),
        new Change(
            "another type",
            point,
            Version.of("int x, java.util.UUID y", 2, new java.util.UUID(0, 1)),
            "!component y of bank.Point: stored string, wanted uuid",
            "",
            REFUSED),
        new Change(
            "a component of an unknown class removed",
            Version.of("int x, Kind kind, Inner inner", 1, ":Kind.A", null)
                .and("public enum Kind {A}")
                .and("public record Inner(int q) {}"),
            Version.of("int x", 2),
            "Point[x=1]",
            "Point[x=2, kind=null, inner=null]",
            REFUSED),
        new Change(
            "the class renamed",
            point,
            new Version(
                "Spot",
                new String[] {
                  "@Was(\"bank.Point\") public record Spot(int x, String y) implements Shape {}"
                },
                2,
                "b"),
            "Spot[x=1, y=a]",
            "!",
            new Keys("Spot[x=1, y=a]", "!stored record bank.Spot, wanted record bank.Point")),
        new Change(
            "the class renamed without a word",
            point,
            new Version(
                "Spot",
                new String[] {"public record Spot(int x, String y) implements Shape {}"},
                2,
                "b"),
            "!",
            "",
            new Keys("!stored record bank.Point, wanted record bank.Spot", "")),
        new Change(
            "a constant added behind",
            enums.and("public enum Kind {A, B}"),
            Version.of("Kind kind", ":Kind.C").and("public enum Kind {A, B, C}"),
            "Point[kind=B]",
            "!enum bank.Kind: the constant C is gone",
            new Keys("Point[kind=B]", "!constant C of bank.Kind")),
        new Change(
            "a constant added in front",
            enums.and("public enum Kind {A, B}"),
            Version.of("Kind kind", ":Kind.B").and("public enum Kind {C, A, B}"),
            "Point[kind=B]",
            "!enum bank.Kind: the constant C is gone",
            new Keys("!constant A of bank.Kind: keys need it in its place", "")),
        new Change(
            "a constant removed",
            enums.and("public enum Kind {A, B}"),
            Version.of("Kind kind", ":Kind.B").and("public enum Kind {B}"),
            "!enum bank.Kind: the constant A is gone",
            "",
            REFUSED),
        new Change(
            "a constant renamed",
            enums.and("public enum Kind {A, B}"),
            Version.of("Kind kind", ":Kind.C").and("public enum Kind {A, @Was(\"B\") C}"),
            "Point[kind=C]",
            "", // read where the constants before the change are known, else refused
            new Keys("Point[kind=C]", "!constant C of bank.Kind")),
        new Change(
            "an enum renamed",
            enums.and("public enum Kind {A, B}"),
            Version.of("Sort kind", ":Sort.A").and("@Was(\"bank.Kind\") public enum Sort {A, B}"),
            "Point[kind=B]",
            "!stored enum bank.Sort(A,B), wanted enum bank.Kind(A,B)",
            new Keys("Point[kind=B]", "!stored enum bank.Sort(A,B)")),
        new Change(
            "a record within changed",
            Version.of("Inner inner, int x", null, 1).and("public record Inner(int q) {}"),
            Version.of("Inner inner, int x", null, 2).and("public record Inner(long q, int r) {}"),
            "Point[inner=null, x=1]",
            "!component q of bank.Inner: stored long, wanted int",
            new Keys("!record bank.Inner has 2 components", "")),
        new Change(
            "a record that refers to itself changed",
            Version.of("int x, java.util.List<Point> next", 1, null),
            Version.of("int x, java.util.List<Point> next, String name", 2, null, "n"),
            "Point[x=1, next=null, name=null]",
            "Point[x=2, next=null]",
            REFUSED),
        new Change(
            "a class of a sealed type within renamed and added",
            Version.of("Tree tree", (Object) null)
                .and("public sealed interface Tree permits Leaf {}")
                .and("public record Leaf(int q) implements Tree {}"),
            Version.of("Tree tree", (Object) null)
                .and("public sealed interface Tree permits Blade, Fork {}")
                .and("@Was(\"bank.Leaf\") public record Blade(int q) implements Tree {}")
                .and("public record Fork(Tree a, Tree b) implements Tree {}"),
            "Point[tree=null]",
            "!sealed type bank.Tree: the class Fork is gone",
            new Keys("!class Leaf of bank.Tree: keys need a class of this simple name", "")));
  }

  private Heap open() {
    return ObjectHeaps.open(directory.resolve("heap"));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void everywhere(Change change) {
    Compiled first = change.from.compile(directory);
    Compiled second = change.to.compile(directory);
    try (Heap heap = open()) {
      for (Places place : Places.values()) {
        place.add(heap, first, change.from.type(first), change.from.make(first));
      }
    }
    String old = change.from.make(first).toString();
    String fresh = change.to.make(second).toString();
    try (Heap heap = open()) {
      TypeDifference difference = heap.compare(change.to.type(second));
      for (String outcome : List.of(change.later, change.keys.later)) {
        if (outcome.length() > 1 && outcome.startsWith("!") && !difference.fields().isEmpty()) {
          assertThat(difference.kind()).isEqualTo(TypeDifference.Kind.REFUSED);
          assertThat(difference.toString()).contains(outcome.substring(1));
        }
      }
      boolean refused = (change.later + change.keys.later).contains("!");
      assertThat(difference.kind() == TypeDifference.Kind.REFUSED)
          .isEqualTo(refused && !difference.fields().isEmpty());
      for (Places place : Places.values()) {
        String expected = Places.KEYS.contains(place) ? change.keys.later : change.later;
        if (expect(heap, place, second, change.to, expected)) {
          place.add(heap, second, change.to.type(second), change.to.make(second));
          assertThat(texts(heap, place, second, change.to))
              .as("%s", place)
              .containsOnly(expected, fresh)
              .contains(expected, fresh);
        }
      }
      sound(heap);
    }
    try (Heap heap = open()) {
      sound(heap);
      for (Places place : Places.values()) {
        String later = Places.KEYS.contains(place) ? change.keys.later : change.later;
        if (!later.startsWith("!")) {
          expect(heap, place, second, change.to, later, fresh);
        }
      }
    }
    try (Heap heap = open()) {
      for (Places place : Places.values()) {
        boolean key = Places.KEYS.contains(place);
        if ((key ? change.keys.later : change.later).startsWith("!")) {
          expect(heap, place, first, change.from, old);
        } else if (!(key ? change.keys.back : change.back).isEmpty()) {
          expect(heap, place, first, change.from, old, key ? change.keys.back : change.back);
        }
      }
      sound(heap);
    }
  }

  private static void sound(Heap heap) {
    assertThat(heap.verify().problems()).isEmpty();
    assertThat(heap.verify().notChecked()).isEmpty();
    for (String name : heap.names()) {
      assertThat(heap.entries(name).count()).isPositive();
    }
  }

  /** Whether a place can be read; it must hold what is expected, or refuse it. */
  private static boolean expect(
      Heap heap, Places place, Compiled program, Version version, String... expected) {
    for (String text : expected) {
      if (text.startsWith("!")) {
        assertThatThrownBy(() -> texts(heap, place, program, version))
            .as("%s", place)
            .isInstanceOf(SchemaMismatchException.class)
            .hasMessageContaining(text.substring(1));
        return false;
      }
    }
    assertThat(texts(heap, place, program, version))
        .as("%s", place)
        .containsOnly(expected)
        .contains(expected);
    return true;
  }

  private static List<String> texts(Heap heap, Places place, Compiled program, Version version) {
    List<String> texts = new ArrayList<>();
    for (@Nullable Object value : place.of(heap, program, version.type(program))) {
      texts.add(String.valueOf(value));
    }
    return texts;
  }

  @Test
  void enumsThatAreWordsKeepThem() {
    Compiled first = Compiled.of(directory, "public enum Kind {A, B}");
    Compiled second = Compiled.of(directory, "public enum Kind {C, A, @Was(\"B\") D}");
    try (Heap heap = open()) {
      Class<Object> kind = kind(first);
      heap.map("map", kind, kind).put(first.constant("Kind", "A"), first.constant("Kind", "B"));
      heap.set("set", kind).add(first.constant("Kind", "B"));
      heap.list("list", kind).add(first.constant("Kind", "B"));
      heap.root("sorted", DurableSortedSet.of(kind)).add(first.constant("Kind", "B"));
    }
    try (Heap heap = open()) {
      Class<Object> kind = kind(second);
      Object c = second.constant("Kind", "C");
      Object d = second.constant("Kind", "D");
      assertThat(heap.map("map", kind, kind).get(second.constant("Kind", "A"))).isEqualTo(d);
      assertThat(heap.set("set", kind).contains(d)).isTrue();
      assertThat(heap.set("set", kind).add(c)).isTrue();
      heap.list("list", kind).add(c);
      assertThat(heap.list("list", kind)).containsExactly(d, c);
      heap.map("map", kind, kind).put(c, c);
      assertThatThrownBy(() -> heap.root("sorted", DurableSortedSet.of(kind)))
          .isInstanceOf(SchemaMismatchException.class)
          .hasMessageContaining("constants that order keys can be added at the end only");
      sound(heap);
    }
    try (Heap heap = open()) {
      assertThat(heap.set("set", kind(second)))
          .containsExactlyInAnyOrder(second.constant("Kind", "C"), second.constant("Kind", "D"));
      assertThat(heap.map("map", kind(second), kind(second))).hasSize(2);
      assertThatThrownBy(() -> heap.set("set", kind(first)))
          .isInstanceOf(SchemaMismatchException.class)
          .hasMessageContaining("the constant");
    }
  }

  @SuppressWarnings("unchecked")
  private static Class<Object> kind(Compiled program) {
    return (Class<Object>) program.type("Kind");
  }

  @Test
  @SuppressWarnings("unchecked")
  void valuesWithinValuesAreReadAtAnyDepth() {
    Compiled first =
        Compiled.of(
            directory,
            "public sealed interface Tree permits Leaf, Fork {}",
            "public record Leaf(int q) implements Tree {}",
            "public record Fork(Tree a, java.util.List<Tree> more) implements Tree {}");
    Compiled second =
        Compiled.of(
            directory,
            "public sealed interface Tree permits Blade, Fork {}",
            "@Was(\"bank.Leaf\") public record Blade(String name, @Was(\"q\") long r) implements Tree {}",
            "public record Fork(java.util.List<Tree> more, Tree b, Tree a) implements Tree {}");
    try (Heap heap = open()) {
      Object leaf = first.make("Leaf", 7);
      heap.list("trees", (Class<Object>) first.type("Tree"))
          .add(
              first.make(
                  "Fork",
                  leaf,
                  List.of(first.make("Fork", leaf, List.of()), first.make("Leaf", 8))));
    }
    String old =
        "Fork[more=[Fork[more=[], b=null, a=Blade[name=null, r=7]], Blade[name=null, r=8]], b=null,"
            + " a=Blade[name=null, r=7]]";
    try (Heap heap = open()) {
      var trees = heap.list("trees", (Class<Object>) second.type("Tree"));
      assertThat(trees.getFirst()).hasToString(old);
      trees.add(
          second.make("Fork", List.of(trees.getFirst()), null, second.make("Blade", "b", 1L)));
      sound(heap);
    }
    try (Heap heap = open()) {
      assertThat(heap.list("trees", (Class<Object>) second.type("Tree")))
          .extracting(Object::toString)
          .containsExactly(old, "Fork[more=[" + old + "], b=null, a=Blade[name=b, r=1]]");
    }
  }

  @Test
  void integersBecomeLongs() {
    try (Heap heap = open()) {
      heap.map("map", Integer.class, Integer.class).put(-1, -2);
      heap.sortedMap("sorted", Integer.class, Integer.class).put(-1, -2);
      heap.list("list", Short.class).add((short) -3);
      heap.root("array", DurableShortArray.ofLength(4)).set(1, (short) 1);
    }
    try (Heap heap = open()) {
      assertThatThrownBy(() -> heap.root("array", DurableIntArray.ofLength(2)))
          .isInstanceOf(SchemaMismatchException.class);
      var map = heap.map("map", Long.class, Long.class);
      assertThat(map.get(-1L)).isEqualTo(-2L);
      var sorted = heap.sortedMap("sorted", Long.class, Long.class);
      sorted.put(1L << 40, 1L << 41);
      sorted.put(-1L << 40, 0L);
      assertThat(sorted.keySet()).containsExactly(-1L << 40, -1L, 1L << 40);
      var list = heap.list("list", Integer.class);
      list.add(1 << 20);
      assertThat(list).containsExactly(-3, 1 << 20);
      sound(heap);
    }
    try (Heap heap = open()) {
      assertThat(heap.map("map", Integer.class, Integer.class).get(-1)).isEqualTo(-2);
      assertThatThrownBy(() -> heap.sortedMap("sorted", Integer.class, Integer.class))
          .isInstanceOf(SchemaMismatchException.class);
      assertThatThrownBy(() -> heap.list("list", Short.class))
          .isInstanceOf(SchemaMismatchException.class);
    }
  }

  @Test
  void readingChangesNothingAndARollbackLeavesNothing() {
    Version from = Version.of("int x", 1);
    Version to = Version.of("int x, String y", 2, "b");
    Compiled first = from.compile(directory);
    Compiled second = to.compile(directory);
    try (Heap heap = open()) {
      heap.list("list", from.type(first)).add(from.make(first));
    }
    try (Heap heap = ObjectHeaps.builder(directory.resolve("heap")).readOnly().open()) {
      assertThat(heap.list("list", to.type(second)).getFirst()).hasToString("Point[x=1, y=null]");
    }
    try (Heap heap = open()) {
      List<Root> roots = heap.roots();
      var list = heap.list("list", to.type(second));
      assertThat(list).hasSize(1);
      assertThatThrownBy(
              () ->
                  heap.transact(
                      () -> {
                        list.add(to.make(second));
                        assertThat(list.getLast()).hasToString("Point[x=2, y=b]");
                        throw new IllegalStateException("no");
                      }))
          .hasMessage("no");
      assertThat(heap.roots()).isEqualTo(roots);
      heap.list("another type", java.util.UUID.class).add(new java.util.UUID(1, 2));
      list.add(to.make(second));
      assertThat(list).extracting(Object::toString).contains("Point[x=2, y=b]");
    }
    try (Heap heap = open()) {
      assertThat(texts(heap, Places.LIST, second, to))
          .containsExactly("Point[x=1, y=null]", "Point[x=2, y=b]");
      sound(heap);
    }
  }

  @Test
  void dataOfManyVersionsLivesTogether() {
    List<Version> versions = Version.SUCCESSIVE;
    List<String> wanted = Version.AS_THE_LAST_READS;
    List<Places> places =
        Arrays.stream(Places.values()).filter(place -> !Places.KEYS.contains(place)).toList();
    for (int i = 0; i < versions.size(); i++) {
      Version version = versions.get(i);
      Compiled program = version.compile(directory);
      try (Heap heap = open()) {
        for (Places place : places) {
          place.add(heap, program, version.type(program), version.make(program));
        }
        sound(heap);
        if (i == versions.size() - 1) {
          for (Places place : places) {
            expect(heap, place, program, version, wanted.toArray(String[]::new));
          }
        }
      }
    }
  }
}
