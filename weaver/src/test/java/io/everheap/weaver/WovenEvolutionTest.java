package io.everheap.weaver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.error.SchemaMismatchException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Interfaces and classes have one layout, and change by the same rules. */
class WovenEvolutionTest {
  private static final String INTERFACE =
      """
      @Durable
      public interface Account {
        long getBalance();
        void setBalance(long value);
        String owner();
        void owner(String value);
        Kind kind();
        void kind(Kind value);
      }
      """;

  private static final String CLASS =
      """
      @Durable
      public class Account {
        private long balance;
        private String owner;
        private Kind kind;
        long getBalance() { return balance; }
        void setBalance(long value) { balance = value; }
        String owner() { return owner; }
        void owner(String value) { owner = value; }
        Kind kind() { return kind; }
        void kind(Kind value) { kind = value; }
      }
      """;

  private static final String KIND = "public enum Kind { A, B }";

  @TempDir private Path directory;

  private void run(Program program, String type, Consumer<Object> body) {
    try (Heap heap = Heap.open(directory)) {
      body.accept(heap.object("account", program.type(type)));
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  private static Program of(String fields) {
    return Program.woven("@Durable public class Account { " + fields + " }");
  }

  private static Object get(Object object, String field) {
    return Program.on(object, "everheap$get$" + field);
  }

  private static void set(Object object, String field, Object value) {
    Program.on(object, "everheap$put$" + field, value);
  }

  private String stored() {
    try (Heap heap = Heap.open(directory)) {
      return heap.types().toString();
    }
  }

  @Test
  void anInterfaceCanBecomeAClassAndBack() {
    Program first = Program.woven(INTERFACE, KIND);
    run(
        first,
        "Account",
        a -> {
          Program.on(a, "setBalance", 7L);
          Program.on(a, "owner", "alice");
          Program.on(a, "kind", first.type("Kind").getEnumConstants()[1]);
        });
    String types = stored();
    Program second = Program.woven(CLASS, KIND);
    run(
        second,
        "Account",
        a -> {
          assertThat(Program.on(a, "getBalance")).isEqualTo(7L);
          assertThat(Program.on(a, "owner")).isEqualTo("alice");
          assertThat(Program.on(a, "kind")).hasToString("B");
          Program.on(a, "setBalance", 8L);
          Program.on(a, "owner", "bob");
        });
    run(
        first,
        "Account",
        a -> {
          assertThat(Program.on(a, "getBalance")).isEqualTo(8L);
          assertThat(Program.on(a, "owner")).isEqualTo("bob");
        });
    assertThat(stored()).isEqualTo(types);
  }

  @Test
  void fieldsAreAddedRemovedRenamedAndWidened() {
    run(
        of("int n; String owner; byte small; float f;"),
        "Account",
        a -> {
          set(a, "n", -5);
          set(a, "owner", "alice");
          set(a, "small", (byte) -1);
          set(a, "f", 1.5f);
        });
    Program later =
        of("long n; @Was(\"owner\") private String holder; double f; Long added; boolean flag;");
    run(
        later,
        "Account",
        a -> {
          assertThat(get(a, "n")).isEqualTo(-5L);
          assertThat(get(a, "holder")).isEqualTo("alice");
          assertThat(get(a, "f")).isEqualTo(1.5);
          assertThat(get(a, "added")).isNull();
          assertThat(get(a, "flag")).isEqualTo(false);
          set(a, "n", 1L << 40);
          set(a, "added", 3L);
        });
    run(
        later,
        "Account",
        a -> {
          assertThat(get(a, "n")).isEqualTo(1L << 40);
          assertThat(get(a, "holder")).isEqualTo("alice");
          assertThat(get(a, "added")).isEqualTo(3L);
        });
    assertThatThrownBy(() -> run(of("int n;"), "Account", a -> {}))
        .isInstanceOf(SchemaMismatchException.class)
        .hasMessageContaining("field n: stored long, wanted int");
  }

  @Test
  void aClassThatWasRenamedOrGotASuperclassFindsItsObjects() {
    run(of("long balance; String owner;"), "Account", a -> set(a, "balance", 7L));
    Program later =
        Program.woven(
            "@Durable public abstract class Base { long balance; int more; }",
            "@Durable(name = \"bank.Account\") public class Konto extends Base { String owner; }");
    run(
        later,
        "Konto",
        a -> {
          assertThat(get(a, "balance")).isEqualTo(7L);
          set(a, "more", 4);
          set(a, "owner", "alice");
          assertThat(get(a, "balance")).isEqualTo(7L);
        });
    run(later, "Konto", a -> assertThat(get(a, "more")).isEqualTo(4));
  }

  @Test
  void twoHeapsMayKeepTheFieldsOfOneClassInDifferentPlaces() {
    run(of("long a; long z;"), "Account", a -> set(a, "z", 1L));
    Program later = of("long a; long m; long z;");
    try (Heap fresh = Heap.inMemory();
        Heap old = Heap.open(directory)) {
      Object inOld = old.object("account", later.type("Account"));
      Object inFresh = fresh.object("account", later.type("Account"));
      for (String field : new String[] {"a", "m", "z"}) {
        set(inFresh, field, 10L + field.charAt(0));
        set(inOld, field, 20L + field.charAt(0));
      }
      for (String field : new String[] {"a", "m", "z"}) {
        assertThat(get(inFresh, field)).isEqualTo(10L + field.charAt(0));
        assertThat(get(inOld, field)).isEqualTo(20L + field.charAt(0));
      }
    }
  }
}
