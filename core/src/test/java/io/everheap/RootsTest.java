package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.everheap.collection.DurableMap;
import io.everheap.error.SchemaMismatchException;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a heap tells about its roots to those who do not have the classes. */
class RootsTest {
  private final Heap heap = Heap.inMemory();

  record Point(int x, int y) {}

  @AfterEach
  void close() {
    heap.close();
  }

  @Test
  void aNewHeapHasNone() {
    assertThat(heap.roots()).isEmpty();
  }

  @Test
  void theyAreDescribedInOrder() {
    heap.map("words", String.class, String.class).put("a", "b");
    heap.map("numbers", Long.class, Integer.class).putAll(Map.of(1L, 1, 2L, 2));
    heap.map("mixed", String.class, Long.class);

    assertThat(heap.roots())
        .isEqualTo(
            List.of(
                new Root("mixed", "map", types("string", "long"), 0),
                new Root("numbers", "map", types("long", "int"), 2),
                new Root("words", "map", types("string", "string"), 1)));
  }

  @Test
  void aRootCanBeRenamed() {
    var words = heap.map("old", String.class, String.class);
    words.put("a", "b");
    heap.rename("old", "new");
    assertThat(heap.names()).containsExactly("new");
    words.put("c", "d");
    assertThat(heap.map("new", String.class, String.class)).hasSize(2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> heap.free(words))
        .withMessageContaining("the root new");
    assertThat(heap.map("old", Long.class, Long.class)).isEmpty();
    heap.rename("new", "new");
    assertThat(heap.names()).containsExactly("new", "old");
  }

  @Test
  void aRenamingThatIsRolledBackNeverWas() {
    var map = heap.map("old", Long.class, Long.class);
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                heap.transact(
                    () -> {
                      heap.rename("old", "new");
                      assertThat(heap.names()).containsExactly("new");
                      throw new IllegalStateException();
                    }));
    assertThat(heap.names()).containsExactly("old");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> heap.free(map))
        .withMessageContaining("the root old");
  }

  @Test
  void aRenamingTakesNoNameOfAnother() {
    heap.map("a", Long.class, Long.class);
    heap.map("b", Long.class, Long.class).put(1L, 2L);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> heap.rename("a", "b"))
        .withMessageContaining("another root is named b");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> heap.rename("c", "d"))
        .withMessageContaining("no root named c");
    assertThat(heap.map("b", Long.class, Long.class)).hasSize(1);
  }

  @Test
  void noRootIsFreedWhateverBecameOfItsNames() {
    var first = heap.map("first", Long.class, Long.class);
    assertThatIllegalArgumentException().isThrownBy(() -> heap.free(first));
    var second = heap.map("second", Long.class, Long.class);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> heap.free(second))
        .withMessageContaining("the root second");
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                heap.transact(
                    () -> {
                      heap.remove("first");
                      var again = heap.map("first", Long.class, Long.class);
                      assertThatIllegalArgumentException().isThrownBy(() -> heap.free(again));
                      throw new IllegalStateException("undone");
                    }));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> heap.free(first))
        .withMessageContaining("the root first");
    heap.transact(
        () -> {
          assertThatIllegalStateException()
              .isThrownBy(
                  () ->
                      heap.transact(
                          () -> {
                            heap.remove("second");
                            heap.map("third", Long.class, Long.class);
                            throw new IllegalStateException("undone");
                          }));
          assertThatIllegalArgumentException().isThrownBy(() -> heap.free(second));
          var loose = heap.create(DurableMap.of(Long.class, Long.class));
          heap.free(loose);
        });
    heap.remove("first");
    var fresh = heap.map("first", Long.class, Long.class);
    assertThatIllegalArgumentException().isThrownBy(() -> heap.free(fresh));
    assertThat(heap.names()).containsExactlyInAnyOrder("first", "second");
  }

  @Test
  void entriesAreReadAsTheirTypesSay() {
    heap.map("numbers", Long.class, Integer.class).putAll(Map.of(1L, 10, 2L, 20));

    assertThat(heap.entries("numbers"))
        .containsExactlyInAnyOrder(Map.entry(1L, 10), Map.entry(2L, 20));
  }

  @Test
  void recordsBecomeMaps(@TempDir Path directory) {
    try (Heap points = Heap.builder(directory).lookup(MethodHandles.lookup()).open()) {
      points.map("points", String.class, Point.class).put("origin", new Point(0, 1));

      assertThat(points.entries("points"))
          .containsExactly(Map.entry("origin", Map.of("x", 0, "y", 1)));
    }
  }

  @Test
  void anUnknownRootHasNoEntries() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> heap.entries("nothing"))
        .withMessageContaining("nothing");
  }

  private static Map<String, String> types(String key, String value) {
    return Map.of("key", key, "value", value);
  }

  @Test
  void aRootThatIsAnotherStructureSaysWhichOne() {
    heap.list("names", String.class);
    assertThatExceptionOfType(SchemaMismatchException.class)
        .isThrownBy(() -> heap.deque("names", String.class))
        .withMessageContaining("is another kind of structure")
        .withMessageContainingAll("stored: list", "wanted: deque")
        .withMessageEndingWith("(EH-SCHEMA)");
    assertThatExceptionOfType(SchemaMismatchException.class)
        .isThrownBy(() -> heap.list("names", Long.class))
        .withMessageContaining("has another element type");
  }
}
