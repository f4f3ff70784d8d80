package io.everheap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.collection.DurableCounter;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurableSet;
import io.everheap.collection.KeyOrder;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code list}, {@code get}, {@code put} and {@code remove}, without the classes. */
class CollectionCommandsTest extends CheckedCommandFixture {
  enum Kind {
    PRIVATE,
    BUSINESS
  }

  sealed interface Payment {}

  record Cash(int amount) implements Payment {}

  record Card(String number) implements Payment {}

  @SuppressWarnings("ArrayRecordComponent") // bytes as a component are what is tested
  record Customer(
      String name,
      Kind kind,
      List<Integer> numbers,
      Map<String, Double> credit,
      Set<LocalDate> visits,
      Optional<Long> boss,
      Payment payment,
      byte[] photo) {}

  private static final String ADA =
      """
      {"name": "Ada", "kind": "BUSINESS", "numbers": [1, 2], "credit": {"eur": 1.5},
       "visits": ["2026-02-28"], "boss": 7, "payment": {"Cash": {"amount": 3}}, "photo": "AQI="}
      """;

  @TempDir private Path temporary;
  private String heap;

  @BeforeEach
  void create() {
    heap = temporary.resolve("shop").toString();
    try (Heap open = open()) {
      open.map("customers", Long.class, Customer.class);
      open.map("kinds", String.class, Kind.class).put("a", Kind.PRIVATE);
      open.sortedMap("days", LocalDate.class, Double.class);
      open.sortedMap("words", String.class, Long.class);
      open.set("tags", String.class);
      open.sortedSet("numbers", Long.class);
      open.list("names", String.class);
      open.root("hits", DurableCounter.of());
    }
  }

  @Test
  void aRecordIsPutByItsStoredTypeAndReadByItsProgram() {
    run(0, "put", heap, "customers", "1", ADA);
    assertThat(out.toString()).startsWith("Added.");
    try (Heap open = open()) {
      Customer ada = open.map("customers", Long.class, Customer.class).get(1L);
      assertThat(ada)
          .usingRecursiveComparison()
          .isEqualTo(
              new Customer(
                  "Ada",
                  Kind.BUSINESS,
                  List.of(1, 2),
                  Map.of("eur", 1.5),
                  Set.of(LocalDate.of(2026, 2, 28)),
                  Optional.of(7L),
                  new Cash(3),
                  new byte[] {1, 2}));
      assertThat(open.verify().ok()).isTrue();
    }
    run(0, "get", heap, "customers", "1");
    String shown = out.toString();
    run(0, "put", heap, "customers", "2", shown);
    run(0, "get", heap, "customers", "2");
    assertThat(out).hasToString(shown);
  }

  @Test
  void sortedMapsSetsAndListsTakeEntries() {
    run(0, "put", heap, "days", "2026-03-01", "1e3");
    run(0, "put", heap, "words", "\"\\\"quoted\\\"\"", "1");
    run(0, "put", heap, "tags", "new");
    run(0, "put", heap, "numbers", "-5");
    run(0, "put", heap, "names", "0", "Ada");
    run(0, "put", heap, "names", "0", "Bob");
    assertThat(out.toString()).startsWith("Replaced.");

    try (Heap open = open()) {
      assertThat(open.sortedMap("days", LocalDate.class, Double.class))
          .containsEntry(LocalDate.of(2026, 3, 1), 1000.0);
      assertThat(open.sortedMap("words", String.class, Long.class)).containsKey("\"quoted\"");
      assertThat(open.set("tags", String.class)).containsExactly("new");
      assertThat(open.sortedSet("numbers", Long.class)).containsExactly(-5L);
      assertThat(open.list("names", String.class)).containsExactly("Bob");
    }
    run(0, "get", heap, "names", "0");
    assertThat(out.toString()).startsWith("\"Bob\"");
    run(0, "get", heap, "tags", "new");
    assertThat(out.toString()).startsWith("true");
  }

  @Test
  void removeTakesAwayWhatIsThere() {
    run(0, "remove", heap, "kinds", "a");
    assertThat(out.toString()).startsWith("\"PRIVATE\"");
    run(1, "remove", heap, "kinds", "a");
    run(1, "get", heap, "kinds", "a");
    assertThat(err.toString().lines()).containsExactly("everheap: no entry a in kinds");
  }

  @Test
  void listPrintsRootsAndKeys() {
    run(0, "list", heap);
    assertThat(out.toString().lines())
        .containsExactly("customers", "days", "hits", "kinds", "names", "numbers", "tags", "words");
    run(0, "list", "--json", heap, "kinds");
    assertThat(out.toString().lines()).containsExactly("\"a\"");
    run(0, "list", heap, "kinds", "--limit", "0");
    assertThat(out.toString()).isEmpty();
    run(1, "list", heap, "nothing");
  }

  @Test
  void whatIsNoValueOfTheTypeIsRefusedAndChangesNothing() {
    for (String value :
        List.of(
            "x",
            "[]",
            ADA.replace("BUSINESS", "OTHER"),
            ADA.replace("\"amount\": 3", "\"amount\": 3e9"),
            ADA.replace("\"amount\": 3", ""),
            ADA.replace("Cash", "Cheque"),
            ADA.replace("\"boss\"", "\"bass\""),
            ADA.replace("2026-02-28", "2026-02-30"),
            ADA + "{}")) {
      run(1, "put", heap, "customers", "1", value);
      assertThat(err.toString().lines()).as(value).hasSize(1);
    }
    run(1, "put", heap, "customers", "1.5", ADA);
    run(1, "put", heap, "names", "1", "Ada");
    run(1, "put", heap, "hits", "1", "1");
    run(2, "put", heap, "kinds", "a");
    run(2, "put", heap, "tags", "a", "b");
    run(1, "put", temporary.resolve("nowhere").toString(), "a", "b", "c");
    assertThat(temporary.resolve("nowhere")).doesNotExist();
    run(0, "list", heap, "customers");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void whatOnlyTheProgramCanWriteIsRefused() {
    try (Heap open = open()) {
      open.root("sets", DurableMap.of(String.class, DurableSet.of(Long.class)));
      open.map("arrays", String.class, int[].class);
      open.sortedMap(
          "reversed", String.class, Long.class, KeyOrder.of("reversed", Comparator.reverseOrder()));
    }
    run(1, "put", heap, "sets", "a", "[1]");
    assertThat(err.toString()).contains("dump shows it");
    run(1, "put", heap, "arrays", "a", "[1]");
    assertThat(err.toString()).contains("no JSON form");
    run(1, "put", heap, "reversed", "a", "1");
    assertThat(err.toString()).contains("only the program knows the order of reversed");
    try (Heap open = open()) {
      assertThat(open.verify().ok()).isTrue();
    }
  }

  @Test
  void aHeapInUseIsRefused() {
    Heap user = open();
    try {
      run(1, "put", heap, "tags", "new");
      assertThat(err.toString()).contains("(EH-LOCKED)");
    } finally {
      user.close();
    }
  }

  private Heap open() {
    return Heap.builder(Path.of(heap)).lookup(MethodHandles.lookup()).open();
  }
}
