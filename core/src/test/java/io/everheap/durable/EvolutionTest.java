package io.everheap.durable;

import static io.everheap.durable.Compiled.get;
import static io.everheap.durable.Compiled.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.error.SchemaMismatchException;
import io.everheap.support.tier.Campaign;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Interfaces change from one run of a program to the next; objects stay readable. */
@Campaign
class EvolutionTest {
  @TempDir private Path directory;

  private Heap open() {
    return ObjectHeaps.open(directory.resolve("heap"));
  }

  private Compiled version(String... sources) {
    return Compiled.of(directory, sources);
  }

  private static String account(String fields) {
    return "@Durable public interface Account {" + fields + "}";
  }

  private static String field(String type, String name) {
    return type + " " + name + "(); void " + name + "(" + type + " value); ";
  }

  private void run(Compiled program, java.util.function.BiConsumer<Heap, Object> body) {
    try (Heap heap = open()) {
      Object account = heap.object("account", program.type("Account"));
      body.accept(heap, account);
      assertThat(heap.verify().problems()).isEmpty();
      assertThat(heap.verify().notChecked()).isEmpty();
    }
    try (Heap heap = Heap.builder(directory.resolve("heap")).readOnly().open()) {
      assertThat(heap.verify().problems()).isEmpty();
      assertThat(heap.entries("account").count()).isPositive();
    }
  }

  @Test
  void anAddedFieldIsEmptyInOldObjectsAndCanBeWritten() {
    run(version(account(field("long", "balance"))), (heap, a) -> set(a, "balance", 7L));
    Compiled later =
        version(
            account(
                field("long", "balance")
                    + field("String", "owner")
                    + field("int", "rank")
                    + field("Long", "limit")));
    run(
        later,
        (heap, a) -> {
          assertThat(get(a, "owner")).isNull();
          assertThat(get(a, "rank")).isEqualTo(0);
          assertThat(get(a, "limit")).isNull();
          set(a, "balance", 8L);
          set(a, "owner", "alice");
          set(a, "limit", 5L);
          assertThat(get(a, "owner")).isEqualTo("alice");
          assertThat(get(a, "balance")).isEqualTo(8L);
        });
    run(
        later,
        (heap, a) -> {
          assertThat(get(a, "owner")).isEqualTo("alice");
          assertThat(get(a, "limit")).isEqualTo(5L);
          set(a, "rank", 3);
          set(a, "owner", "bob");
          set(a, "balance", -1L);
          assertThat(List.of(get(a, "balance"), get(a, "owner"), get(a, "rank")))
              .containsExactly(-1L, "bob", 3);
        });
  }

  @Test
  void aFieldThatComesBackWithAnotherTypeIsRefused() {
    run(version(account(field("long", "balance") + field("int", "rank"))), (heap, a) -> {});
    run(version(account(field("long", "balance"))), (heap, a) -> set(a, "balance", 7L));
    Compiled other = version(account(field("long", "balance") + field("short", "rank")));
    assertThatThrownBy(() -> run(other, (heap, a) -> {}))
        .isInstanceOf(SchemaMismatchException.class)
        .hasMessageContaining("field rank: stored int, wanted short");
    try (Heap heap = open()) {
      TypeDifference difference = heap.compare(other.type("Account"));
      assertThat(difference.kind()).isEqualTo(TypeDifference.Kind.REFUSED);
      assertThat(difference.fields())
          .filteredOn(field -> field.name().equals("rank"))
          .singleElement()
          .matches(field -> field.stored().equals("int") && field.wanted().equals("short"));
    }
    run(
        version(account(field("long", "balance") + field("long", "rank"))),
        (heap, a) -> set(a, "rank", 1L << 40));
  }

  @Test
  void aConversionThatIsRolledBackNeverWas() {
    run(version(account(field("long", "balance"))), (heap, a) -> set(a, "balance", 7L));
    Compiled later = version(account(field("long", "balance") + field("String", "owner")));
    run(
        later,
        (heap, a) -> {
          assertThatThrownBy(
                  () ->
                      heap.transact(
                          () -> {
                            set(a, "owner", "alice");
                            set(a, "balance", 8L);
                            assertThat(get(a, "owner")).isEqualTo("alice");
                            throw new IllegalStateException("no");
                          }))
              .hasMessage("no");
          assertThat(get(a, "owner")).isNull();
          assertThat(get(a, "balance")).isEqualTo(7L);
          set(a, "owner", "bob");
          assertThat(get(a, "owner")).isEqualTo("bob");
          assertThat(get(a, "balance")).isEqualTo(7L);
        });
  }

  @Test
  void aRemovedFieldComesBackWithItsValueUntilTheObjectIsConverted() {
    Compiled first = version(account(field("long", "balance") + field("String", "owner")));
    run(
        first,
        (heap, a) -> {
          set(a, "balance", 7L);
          set(a, "owner", "alice");
        });
    Compiled second = version(account(field("long", "balance")));
    run(second, (heap, a) -> set(a, "balance", 8L));
    run(
        first,
        (heap, a) -> {
          assertThat(get(a, "balance")).isEqualTo(8L);
          assertThat(get(a, "owner")).isEqualTo("alice");
        });
    Compiled third = version(account(field("long", "balance") + field("long", "limit")));
    run(third, (heap, a) -> set(a, "limit", 1L));
    run(first, (heap, a) -> assertThat(get(a, "owner")).isNull());
  }

  @Test
  void anObjectThatBecomesMuchSmallerStaysInItsBlock() {
    StringBuilder many = new StringBuilder(field("long", "balance"));
    for (int i = 0; i < 30; i++) {
      many.append(field("long", "f" + i));
    }
    run(version(account(many.toString())), (heap, a) -> set(a, "balance", 7L));
    run(
        version(account(field("long", "balance") + field("int", "rank"))),
        (heap, a) -> {
          set(a, "rank", 1);
          assertThat(heap.verify().problems()).isEmpty();
          assertThat(get(a, "balance")).isEqualTo(7L);
        });
  }

  @Test
  void aRenamedFieldKeepsItsValue() {
    run(version(account(field("String", "owner"))), (heap, a) -> set(a, "owner", "alice"));
    Compiled later =
        version(account("@Was(\"owner\") String holder(); void holder(String value);"));
    run(
        later,
        (heap, a) -> {
          assertThat(get(a, "holder")).isEqualTo("alice");
          set(a, "holder", "bob");
        });
    Compiled both =
        version(
            account(
                "@Was(\"owner\") String holder(); void holder(String value);"
                    + field("String", "owner")));
    run(
        both,
        (heap, a) -> {
          assertThat(get(a, "holder")).isEqualTo("bob");
          assertThat(get(a, "owner")).isNull();
        });
  }

  @Test
  void aNameCanGoToAnotherFieldAtOnce() {
    run(version(account(field("String", "name"))), (heap, a) -> set(a, "name", "alice"));
    Compiled later =
        version(
            account(
                field("String", "name")
                    + "@Was(\"name\") String zname(); void zname(String value);"));
    run(
        later,
        (heap, a) -> {
          assertThat(get(a, "zname")).isEqualTo("alice");
          assertThat(get(a, "name")).isNull();
          set(a, "name", "new");
        });
    run(
        later,
        (heap, a) -> {
          assertThat(get(a, "zname")).isEqualTo("alice");
          assertThat(get(a, "name")).isEqualTo("new");
        });
  }

  @Test
  void widenedFieldsKeepTheirValues() {
    Compiled narrow =
        version(
            account(
                field("int", "a")
                    + field("byte", "b")
                    + field("char", "c")
                    + field("float", "d")
                    + field("short", "e")));
    run(
        narrow,
        (heap, a) -> {
          set(a, "a", -5);
          set(a, "b", (byte) -128);
          set(a, "c", '\uffff');
          set(a, "d", 1.5f);
          set(a, "e", (short) -2);
        });
    Compiled wide =
        version(
            account(
                field("long", "a")
                    + field("int", "b")
                    + field("long", "c")
                    + field("double", "d")
                    + field("double", "e")));
    run(
        wide,
        (heap, a) -> {
          assertThat(List.of(get(a, "a"), get(a, "b"), get(a, "c"), get(a, "d"), get(a, "e")))
              .containsExactly(-5L, -128, 65535L, 1.5, -2.0);
          set(a, "a", 1L << 40);
          assertThat(List.of(get(a, "a"), get(a, "b"), get(a, "c"), get(a, "d"), get(a, "e")))
              .containsExactly(1L << 40, -128, 65535L, 1.5, -2.0);
        });
    assertThatThrownBy(() -> run(narrow, (heap, a) -> {}))
        .isInstanceOf(SchemaMismatchException.class)
        .hasMessageContaining("bank.Account")
        .hasMessageContaining("field a: stored long, wanted int")
        .hasMessageContaining("field d: stored double, wanted float")
        .hasMessageContaining("another name");
  }

  @Test
  void constantsCanBeAddedAndReordered() {
    Compiled first = version("public enum Kind {A, B}", account(field("Kind", "kind")));
    run(first, (heap, a) -> set(a, "kind", first.constant("Kind", "B")));
    Compiled second = version("public enum Kind {C, B, A, D}", account(field("Kind", "kind")));
    run(
        second,
        (heap, a) -> {
          assertThat(get(a, "kind")).hasToString("B");
          set(a, "kind", second.constant("Kind", "D"));
          assertThat(get(a, "kind")).hasToString("D");
          set(a, "kind", second.constant("Kind", "A"));
          assertThat(get(a, "kind")).hasToString("A");
          set(a, "kind", second.constant("Kind", "C"));
        });
    run(second, (heap, a) -> assertThat(get(a, "kind")).hasToString("C"));
    assertThatThrownBy(() -> run(first, (heap, a) -> {}))
        .isInstanceOf(SchemaMismatchException.class)
        .hasMessageContaining("field kind: stored enum bank.Kind(A,B,C,D), wanted enum");
  }

  @Test
  void aClassThatWasRenamedFindsItsObjects() {
    run(version(account(field("long", "balance"))), (heap, a) -> set(a, "balance", 7L));
    Compiled later =
        version(
            "@Durable(name = \"bank.Account\") public interface Konto {"
                + field("long", "balance")
                + "}");
    try (Heap heap = open()) {
      assertThat(get(heap.object("account", later.type("Konto")), "balance")).isEqualTo(7L);
    }
    Compiled other = version("@Durable public interface Konto {" + field("long", "balance") + "}");
    try (Heap heap = open()) {
      assertThatThrownBy(() -> heap.object("account", other.type("Konto")))
          .isInstanceOf(SchemaMismatchException.class);
    }
  }

  @Test
  void theOldNameOfADurableTypeIsItsName() {
    Compiled program = version("@Was(\"bank.Account\") @Durable public interface Konto {}");
    try (Heap heap = open()) {
      assertThatThrownBy(() -> heap.use(program.type("Konto")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("@Durable(name = ...)");
    }
  }

  @Test
  @SuppressWarnings("unchecked")
  void manyObjectsOfSeveralVersionsLiveTogether() {
    String node = "@Durable public interface Node {%s}";
    String next = field("Node", "next");
    List<Compiled> versions =
        List.of(
            version(String.format(Locale.ROOT, node, next + field("int", "a"))),
            version(
                String.format(Locale.ROOT, node, next + field("int", "a") + field("String", "b"))),
            version(
                String.format(
                    Locale.ROOT,
                    node,
                    next + field("long", "a") + field("String", "b") + field("double", "c"))));
    for (int v = 0; v < versions.size(); v++) {
      try (Heap heap = open()) {
        Class<Object> type = (Class<Object>) versions.get(v).type("Node");
        DurableMap<Integer, Object> nodes = heap.map("nodes", Integer.class, type);
        for (int i = 0; i < 20; i++) {
          Object made = heap.create(type);
          set(made, "a", v < 2 ? (Object) i : (Object) (long) i);
          set(made, "next", nodes.get(20 * v + i - 1));
          nodes.put(20 * v + i, made);
        }
        for (int i = 0; i < 20 * v; i += 3) {
          if (v > 0) {
            set(nodes.get(i), "b", "b" + v + "/" + i);
          }
        }
        for (int i = 0; i < 20 * (v + 1); i++) {
          assertThat(((Number) get(nodes.get(i), "a")).intValue()).isEqualTo(i % 20);
          if (v > 0 && i % 3 == 0 && i < 20 * v) {
            assertThat(get(nodes.get(i), "b")).isEqualTo("b" + v + "/" + i);
          }
          if (i > 0) {
            assertThat(get(nodes.get(i), "next")).isEqualTo(nodes.get(i - 1));
          }
        }
        assertThat(heap.verify().problems()).isEmpty();
        if (v == 2) {
          for (int i = 0; i < 60; i++) {
            heap.free(nodes.remove(i));
          }
          assertThat(heap.verify().problems()).isEmpty();
          assertThat(heap.verify().unreachable()).isZero();
        }
      }
    }
  }
}
