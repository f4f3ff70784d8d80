package io.everheap.weaver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** What the weaver refuses, and what it says. */
class RulesTest {
  private static void refused(String message, String... sources) {
    assertThatThrownBy(() -> Program.woven(sources))
        .isInstanceOf(WeavingException.class)
        .hasMessageContaining(message);
  }

  @Test
  void innerClassesAreRefused() {
    refused("make it static", "public class Outer { @Durable class Inner { int x; } }");
    refused(
        "make it static",
        "public class Outer { void run() { @Durable class Local { int x; } new Local(); } }");
  }

  @Test
  void valuesAreRefused() {
    refused("value, not an object", "@Durable public record Point(int x) {}");
    refused("value, not an object", "@Durable public enum Kind { A }");
  }

  @Test
  void superclassesAreDurable() {
    refused(
        "extends java.util.ArrayList", "@Durable public class Bad extends ArrayList<String> {}");
    refused(
        "extends bank.Plain: a durable class",
        "public class Plain {}",
        "@Durable public class Bad extends Plain {}");
    refused(
        "mark it with @Durable",
        "@Durable public class Good {}",
        "public class Bad extends Good { int x; }");
    refused(
        "mark it with @Durable",
        "@Durable public class Good { Object make() { return new Good() {}; } }");
  }

  @Test
  void fieldsHaveNamesOfTheirOwn() {
    refused(
        "its field x has the name of one in bank.Good",
        "@Durable public class Good { private int x; }",
        "@Durable public class Better extends Good {}",
        "@Durable public class Bad extends Better { private String x; }");
  }

  @Test
  void nothingIsAssignedBeforeThereIsAnObject() {
    refused(
        "assigns the field x before",
        "@Durable public class Bad { int x; Bad(int n) { x = n; super(); } }");
    Program.woven(
        """
        @Durable public class Good {
          int x;
          Good() { this(new Good(new Good(1).x).x); }
          Good(int n) { super(); x = n; }
        }
        """);
  }

  @Test
  void monitorsOfHandlesAreRefused() {
    refused(
        "is synchronized", "@Durable public class Bad { int x; synchronized void run() { x++; } }");
  }

  @Test
  void serializableClassesSayHow() {
    refused("Serializable", "@Durable public class Bad implements java.io.Serializable { int x; }");
    Program.woven(
        "@Durable public class Good implements java.io.Serializable { int x;"
            + " private Object writeReplace() { return \"\"; } }");
  }

  @Test
  void hooksTakeNothing() {
    refused("@OnAttach", "@Durable public class Bad { @OnAttach void hook(int x) {} }");
    refused("@OnAttach", "@Durable public class Bad { @OnAttach static void hook() {} }");
  }

  @Test
  void atomicMethodsKnowTheirHeap() {
    refused("use heap.transact", "public class Bad { @Atomic void run() {} }");
    refused("use heap.transact", "@Atomic public class Bad {}");
    refused(
        "no parameter of a durable type",
        "@Durable public class Bad { @Atomic static void run() {} }");
    refused("no body here", "@Durable public abstract class Bad { @Atomic abstract void run(); }");
    refused(
        "only default methods", "@Durable public interface Bad { @Atomic static void run() {} }");
  }

  @Test
  void storesIntoCopiesOfArraysAreRefused() {
    for (String lost :
        new String[] {
          "data[i] = 5;",
          "this.data[i + 1] += 2L;",
          "other().data[(int) data[0]]++;",
          "table[1][i] = (byte) i;",
          "table[i] = new byte[] {1};",
          "int n = 0; other().names[n++] = String.valueOf(n + data.length);"
        }) {
      refused(
          "put the array into a local variable",
          "@Durable public class Bad { long[] data; byte[][] table; String[] names;"
              + " Bad other() { return this; } void run(int i) { "
              + lost
              + " } }");
    }
    Program.woven(
        """
        @Durable
        public class Good {
          long[] data;
          byte[][] table;
          transient long[] cache;
          void run(int i) {
            long[] copy = data;
            copy[i] = data[i] + (data[1] >= 2 ? 1 : table[1][2]);
            data = copy;
            cache[i] = data.length;
            cache[(int) data[0]] += data[i];
          }
        }
        """);
  }

  @Test
  void allProblemsOfAClassAreTold() {
    assertThatThrownBy(
            () ->
                Program.woven(
                    "@Durable public class Bad extends Thread { synchronized void run(int x) {} }"))
        .isInstanceOfSatisfying(
            WeavingException.class,
            e -> {
              assertThat(e.className()).isEqualTo("bank.Bad");
              assertThat(e.problems()).hasSize(2);
            });
  }
}
