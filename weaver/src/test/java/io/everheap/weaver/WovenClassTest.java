package io.everheap.weaver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.error.GoneException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What programs do with plain durable classes. */
class WovenClassTest {
  private static final String ACCOUNT =
      """
      @Durable
      public class Account {
        private long balance;
        private final String owner;
        int uses = 3;
        private transient int cached = 7;

        Account(String owner, long balance) {
          this.owner = owner;
          this.balance = balance;
        }

        long balance() { return balance; }
        String owner() { return owner; }
        int uses() { return uses; }
        int cached() { return cached; }
        void deposit(long n) { balance += n; uses++; }
        long next() { return ++balance + balance--; }
        Supplier<Long> later() { return () -> balance * 2; }
        Supplier<String> inner() {
          return new Supplier<>() {
            @Override public String get() { balance++; return owner + balance; }
          };
        }
        static class Peer { static long peek(Account a) { return a.balance; } }
      }
      """;

  private Heap heap = Heap.inMemory();

  @AfterEach
  void close() {
    heap.close();
  }

  private Object create(Program program, String type, Object... arguments) {
    return heap.transact(() -> program.make(type, arguments));
  }

  @Test
  void aClassKeepsItsFieldsInTheHeap(@TempDir Path directory) {
    heap.close();
    Program program = Program.woven(ACCOUNT);
    heap = Heap.open(directory);
    var accounts = heap.map("accounts", String.class, program.type("Account"));
    Object alice =
        heap.transact(
            () -> {
              Object made = create(program, "Account", "alice", 10L);
              accounts.put("alice", made);
              return made;
            });
    assertThat(Program.on(alice, "balance")).isEqualTo(10L);
    assertThat(Program.on(alice, "owner")).isEqualTo("alice");
    assertThat(Program.on(alice, "cached")).isEqualTo(7);
    Program.on(alice, "deposit", 5L);
    assertThat(Program.on(alice, "next")).isEqualTo(32L);
    assertThat(accounts.get("alice")).isEqualTo(alice).hasSameHashCodeAs(alice);
    heap.close();
    heap = Heap.open(directory);
    Object again = heap.map("accounts", String.class, program.type("Account")).get("alice");
    assertThat(Program.on(again, "balance")).isEqualTo(15L);
    assertThat(Program.on(again, "uses")).isEqualTo(4);
    assertThat(Program.on(again, "owner")).isEqualTo("alice");
    assertThat(Program.on(again, "cached")).isEqualTo(0);
    assertThat(again.toString())
        .startsWith("Account@")
        .endsWith("{balance=15, owner=alice, uses=4}");
    assertThat(heap.verify().problems()).isEmpty();
  }

  @Test
  @SuppressWarnings("unchecked")
  void lambdasInnerClassesAndNestedClassesUseItsFields() {
    Program program = Program.woven(ACCOUNT);
    Object account = create(program, "Account", "bob", 4L);
    assertThat(((java.util.function.Supplier<Long>) Program.on(account, "later")).get())
        .isEqualTo(8);
    assertThat(((java.util.function.Supplier<String>) Program.on(account, "inner")).get())
        .isEqualTo("bob5");
    assertThat(program.call("Account$Peer", "peek", account)).isEqualTo(5L);
  }

  @Test
  void fieldsOfAllTypesKeepTheirValues() {
    Program program =
        Program.woven(
            """
            @Durable
            public class All {
              boolean flag; byte tiny; short small; char letter; int number; float single;
              long large; double real; String text; Color color; Long boxed; byte[] bytes;
              int[][] table; List<String> names; Map<String, Integer> ranks; Money money; All next;
              DurableMap<String, Long> counts; Object[] none = null;
              enum Color { RED, GREEN }
              record Money(long amount, String currency) {}

              void fill() {
                flag ^= true; tiny -= 1; small = Short.MIN_VALUE; letter += 'x'; number = ~5;
                single = 1.5f; large = Long.MIN_VALUE; real /= 0; text = "t"; text += 1;
                color = Color.GREEN; boxed = 5L; bytes = new byte[] {1, 2};
                table = new int[][] {{1}, {2, 3}}; names = List.of("a", "b");
                ranks = Map.of("a", 1); money = new Money(3, "EUR"); next = this;
                int old = number++; large >>>= 60; tiny++; letter++; boxed++;
                next.next.small++;
              }

              String show() {
                return flag + " " + tiny + " " + small + " " + letter + " " + number + " " + single
                  + " " + large + " " + real + " " + text + " " + color + " " + boxed + " "
                  + Arrays.toString(bytes) + " " + Arrays.deepToString(table) + " " + names + " "
                  + ranks + " " + money + " " + (next == null ? null : next.equals(this)) + counts;
              }
            }
            """
                .replace("Object[] none = null;", ""));
    Object all = heap.create(program.type("All"));
    assertThat(Program.on(all, "show"))
        .isEqualTo("false 0 0 \0 0 0.0 0 0.0 null null null null null null null null nullnull");
    Program.on(all, "fill");
    assertThat(Program.on(all, "show"))
        .isEqualTo(
            "true 0 -32767 y -5 1.5 8 NaN t1 GREEN 6 [1, 2] [[1], [2, 3]] [a, b] {a=1}"
                + " Money[amount=3, currency=EUR] truenull");
    assertThat(heap.verify().problems()).isEmpty();
  }

  @Test
  void classesInheritFieldsAndMethods(@TempDir Path directory) {
    Program program =
        Program.woven(
            """
            @Durable
            public abstract class Shape implements Named {
              protected String label = "?";
              static int made;
              Shape() { made++; describe(); }
              abstract double area();
              void describe() { label = getClass().getSimpleName(); }
              public String name() { return label; }
            }
            """,
            "@Durable public interface Named { String name(); }",
            """
            @Durable
            public class Square extends Shape {
              double side;
              Square() { this(1); }
              Square(double side) { super(); this.side = side; }
              double area() { return side * side; }
            }
            """,
            """
            @Durable
            public final class Cube extends Square {
              int height = 2;
              double area() { return super.area() * height; }
              void describe() { super.describe(); label += "!"; height = 9; }
            }
            """,
            """
            @Durable
            public class Holder { Shape shape; Named named; Square[] none; List<Square> squares; }
            """
                .replace("Square[] none; ", ""),
            """
            public class Main {
              static String run(Heap heap) {
                heap.use(Cube.class);
                Holder holder = heap.object("holder", Holder.class, h -> {
                  h.shape = new Cube();
                  h.named = new Square(3);
                  h.squares = List.of(new Square(), (Square) h.shape);
                });
                holder.shape.label = holder.shape.label + "?";
                return show(heap);
              }
              static String show(Heap heap) {
                heap.use(Cube.class);
                Holder holder = heap.object("holder", Holder.class);
                return holder.shape.area() + " " + holder.named.name() + " "
                    + holder.shape.getClass().getSimpleName() + " " + holder.shape.label
                    + " " + ((Shape) holder.named).area() + " " + holder.squares.get(0).label
                    + " " + holder.squares.get(1).equals(holder.shape);
              }
            }
            """);
    heap.close();
    heap = Heap.open(directory);
    String expected = "2.0 Square Cube Cube!? 9.0 Square true";
    assertThat(program.call("Main", "run", heap)).isEqualTo(expected);
    heap.close();
    heap = Heap.open(directory);
    assertThat(program.call("Main", "show", heap)).isEqualTo(expected);
    assertThatThrownBy(() -> heap.create(program.type("Shape")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("abstract");
  }

  @Test
  void genericClassesAreWoven() {
    Program program =
        Program.woven(
            """
            @Durable
            public abstract class Box<T, U extends Comparable<U>> {
              T value;
              U rank;
              Box(T value) { this.value = value; }
              <V> V map(Function<? super T, V> f) { return f.apply(value); }
            }
            """,
            """
            @Durable
            public class TextBox extends Box<List<String>, Integer> {
              TextBox(String... s) { super(List.of(s)); rank = s.length; }
              String show() { return value.get(0) + map(List::size) + (rank + 1); }
            }
            """);
    Object box = create(program, "TextBox", (Object) new String[] {"a", "b"});
    assertThat(Program.on(box, "show")).isEqualTo("a23");
    assertThat(program.type("TextBox").getGenericSuperclass().getTypeName())
        .isEqualTo("bank.Box<java.util.List<java.lang.String>, java.lang.Integer>");
  }

  @Test
  void otherClassesUseItsFieldsToo() {
    Program program =
        Program.woven(
            "@Durable public class Point { public int x; protected int y; long[] data; }",
            """
            public class Main {
              static String run(Heap heap) {
                Point p = heap.create(Point.class, q -> { q.x = 3; q.y = q.x++ * 2; });
                Point[] all = {p, p};
                all[1].x += all[0].y;
                p.y <<= 2;
                long[] data = p.data = new long[] {1, 2};
                Object o = p;
                if (o instanceof Point other && other.x > 0) { other.x = -other.x; }
                return p.x + " " + p.y + " " + data.length + p.data[1];
              }
            }
            """);
    assertThat(program.call("Main", "run", heap)).isEqualTo("-10 24 22");
  }

  @Test
  void whoeverWasNotWovenCannotUseItsFields() {
    Map<String, byte[]> plain =
        Program.compile(
            "@Durable public class Point { public int x; }",
            "public class Main { static int run(Point p) { return p.x; } }");
    Map<String, byte[]> woven = new java.util.TreeMap<>(Program.weave(plain));
    woven.put("bank.Main", plain.get("bank.Main"));
    Program program = Program.of(woven);
    Object point = heap.create(program.type("Point"));
    assertThatThrownBy(() -> program.call("Main", "run", point))
        .isInstanceOf(NoSuchFieldError.class)
        .hasMessageContaining("x");
  }

  @Test
  void aClassThatWasNotWovenIsRefusedWithWhatToDo() {
    Program program = Program.plain("@Durable public class Point { int x; }");
    assertThatThrownBy(() -> heap.create(program.type("Point")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bank.Point was not woven")
        .hasMessageContaining("<artifactId>everheap-maven-plugin</artifactId>")
        .hasMessageContaining("<goal>weave</goal>")
        .hasMessageContaining("-javaagent:everheap-weaver.jar");
    assertThatThrownBy(() -> heap.map("points", String.class, program.type("Point")))
        .hasMessageContaining("was not woven");
    Map<String, byte[]> plain =
        Program.compile(
            "@Durable public class Point { int x; }",
            "@Durable public class Named extends Point { String name; }");
    Map<String, byte[]> half = new java.util.TreeMap<>(Program.weave(plain));
    half.put("bank.Named", plain.get("bank.Named"));
    assertThatThrownBy(() -> heap.create(Program.of(half).type("Named")))
        .hasMessageContaining("bank.Named was not woven");
  }

  @Test
  void transientFieldsAreRebuiltWhenAnObjectIsAttached() {
    Program program =
        Program.woven(
            """
            @Durable
            public class Word {
              String text;
              transient int length;
              Word(String text) { this.text = text; length = text.length(); }
              @OnAttach private void measure() { length = -text.length(); }
              int length() { return length; }
            }
            """,
            """
            @Durable
            public class Long2 extends Word {
              transient String twice;
              Long2(String text) { super(text); }
              @OnAttach void repeat() { twice = text + length; }
              String twice() { return twice; }
            }
            """);
    var words = heap.map("words", Integer.class, program.type("Word"));
    Object word = create(program, "Word", "abc");
    Object twice = create(program, "Long2", "xy");
    words.put(1, word);
    words.put(2, twice);
    assertThat(Program.on(word, "length")).isEqualTo(3);
    assertThat(Program.on(twice, "twice")).isNull();
    assertThat(Program.on(words.get(1), "length")).isEqualTo(-3);
    assertThat(Program.on(words.get(2), "twice")).isEqualTo("xy-2");
  }

  @Test
  void newNeedsToKnowItsHeap() {
    Program program = Program.woven("@Durable public class Point { int x; }");
    assertThatThrownBy(() -> program.make("Point"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("new Point(...) outside of a transaction")
        .hasMessageContaining("heap.create(Point.class)");
    try (Heap other = Heap.inMemory()) {
      heap.transact(() -> assertThat(program.make("Point")).isNotNull());
      heap.transact(
          () ->
              other.transact(
                  () -> {
                    assertThatThrownBy(() -> program.make("Point"))
                        .hasMessageContaining("several heaps");
                    Object made = other.create(program.type("Point"));
                    other.list("points", program.type("Point")).add(made);
                  }));
    }
  }

  @Test
  void aConstructorThatFailsLeavesNothing() {
    Program program =
        Program.woven(
            "@Durable public class Bad { String s = \"x\"; Bad() { s = \"y\"; throw new"
                + " IllegalArgumentException(s); } }");
    assertThatThrownBy(() -> heap.create(program.type("Bad"))).hasMessage("y");
    assertThat(heap.verify().unreachable()).isZero();
    Program wants =
        Program.woven("@Durable public class Wants { int n; Wants(int n) { this.n = n; } }");
    assertThatThrownBy(() -> heap.create(wants.type("Wants")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no constructor without parameters");
  }

  @Test
  void equalsAndHashCodeAndToStringCanBeDefined() {
    Program program =
        Program.woven(
            """
            @Durable
            public class Key {
              int id;
              @Override public boolean equals(Object o) { return o instanceof Key k && k.id == id; }
              @Override public int hashCode() { return id; }
              @Override public String toString() { return "key " + id; }
              public Object copy() throws CloneNotSupportedException { return clone(); }
            }
            """);
    Object a = heap.create(program.type("Key"));
    Object b = heap.create(program.type("Key"));
    assertThat(a).isEqualTo(b).hasSameHashCodeAs(b).hasToString("key 0");
    assertThatThrownBy(() -> Program.on(a, "copy"))
        .hasCauseInstanceOf(CloneNotSupportedException.class);
  }

  @Test
  void afterFreeEveryUseThrows() {
    Program program = Program.woven(ACCOUNT);
    Object account = create(program, "Account", "a", 1L);
    heap.free(account);
    assertThatThrownBy(() -> Program.on(account, "balance")).isInstanceOf(GoneException.class);
    assertThatThrownBy(() -> Program.on(account, "deposit", 1L)).isInstanceOf(GoneException.class);
  }

  @Test
  void collectionsWithAFreedObjectWhoseMethodsReadFieldsAreShownAndCompared() {
    Program program =
        Program.woven(
            """
            @Durable
            public class Key {
              int id;
              void setId(int value) { id = value; }
              @OnAttach void attached() { if (id == 0) throw new IllegalStateException("none"); }
              @Override public boolean equals(Object o) { return o instanceof Key k && k.id == id; }
              @Override public int hashCode() { return id; }
              @Override public String toString() { return "key " + id; }
            }
            """);
    var map = heap.map("map", String.class, program.type("Key"));
    var list = heap.list("list", program.type("Key"));
    Object gone = create(program, "Key");
    Object whole = create(program, "Key");
    Program.on(gone, "setId", 1);
    Program.on(whole, "setId", 2);
    heap.transact(
        () -> {
          map.put("gone", gone);
          map.put("whole", whole);
          list.addAll(java.util.List.of(gone, gone, whole));
        });
    heap.free(gone);
    assertThat(map.toString()).contains("gone=<stale reference: Key@").contains("whole=key 2");
    assertThat(list.toString()).contains("<stale reference: Key@").endsWith(", key 2]");
    assertThat(map.containsValue(whole)).isTrue();
    assertThat(map.containsValue(gone)).isTrue();
    assertThat(list.indexOf(whole)).isEqualTo(2);
    assertThat(list.indexOf(gone)).isEqualTo(0);
    assertThat(map.equals(Map.of("gone", gone, "whole", whole))).isTrue();
    assertThat(map.equals(Map.of("gone", whole, "whole", whole))).isFalse();
    assertThat(list.equals(java.util.List.of(gone, gone, whole))).isTrue();
    assertThatThrownBy(() -> list.remove(0).hashCode()).isInstanceOf(GoneException.class);
    assertThat(map.remove("gone", gone)).isTrue();
    assertThat(list.remove(gone)).isTrue();
    assertThat(list).hasSize(1);
  }

  @Test
  void itIsWovenOnlyOnce() {
    Map<String, byte[]> woven = Program.weave(Program.compile(ACCOUNT));
    Map<String, byte[]> twice = Program.weave(woven);
    assertThat(twice).isEqualTo(woven);
    twice.forEach((name, bytes) -> assertThat(bytes).isSameAs(woven.get(name)));
  }

  @Test
  void sealedClassesKnowThoseThatTheyPermit() {
    Program program =
        Program.woven(
            """
            @Durable
            public sealed class Event permits Event.In, Event.Out {
              long at;
              @Durable public static final class In extends Event { int who; }
              @Durable public static final class Out extends Event { String why; }
              @Durable public static class Log { Event last; List<Event> all; }
              static String show(Event e) {
                return switch (e) {
                  case In in -> "in " + in.who;
                  case Out out -> "out " + out.why;
                  case Event other -> "event " + other.at;
                };
              }
              static String run(Heap heap) {
                Log log = heap.object("log", Log.class);
                heap.transact(() -> {
                  Out out = new Out();
                  out.why = "late";
                  log.last = out;
                  log.all = List.of(new In(), new Event(), out);
                });
                String shown = show(log.last);
                for (Event e : log.all) { shown += ", " + show(e); }
                return shown;
              }
            }
            """);
    assertThat(program.call("Event", "run", heap)).isEqualTo("out late, in 0, event 0, out late");
  }
}
