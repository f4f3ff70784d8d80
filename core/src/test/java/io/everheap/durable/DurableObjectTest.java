package io.everheap.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.collection.DurableArray;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurableReference;
import io.everheap.collection.DurableSet;
import io.everheap.durable.Zoo.Account;
import io.everheap.durable.Zoo.Bean;
import io.everheap.durable.Zoo.Circle;
import io.everheap.durable.Zoo.Color;
import io.everheap.durable.Zoo.Money;
import io.everheap.durable.Zoo.Node;
import io.everheap.durable.Zoo.Primitives;
import io.everheap.durable.Zoo.Shape;
import io.everheap.durable.Zoo.Square;
import io.everheap.durable.Zoo.Values;
import io.everheap.error.GoneException;
import io.everheap.error.UnsupportedTypeException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What programs do with durable objects. */
class DurableObjectTest {
  private Heap heap = Heap.inMemory();

  @AfterEach
  void close() {
    heap.close();
  }

  @Test
  void anObjectHasTheFieldsThatWereWritten() {
    Primitives o = heap.create(Primitives.class);
    assertThat(o.flag() || o.other()).isFalse();
    assertThat(o.tiny() + o.small() + o.letter() + o.number() + o.large()).isZero();
    assertThat(o.single() + o.real()).isZero();
    o.flag(true);
    o.tiny((byte) -1);
    o.small(Short.MIN_VALUE);
    o.letter('\uffff');
    o.number(Integer.MIN_VALUE);
    o.single(Float.NaN);
    o.large(Long.MIN_VALUE);
    o.real(-0.0);
    assertThat(o.flag()).isTrue();
    assertThat(o.other()).isFalse();
    assertThat(o.tiny()).isEqualTo((byte) -1);
    assertThat(o.small()).isEqualTo(Short.MIN_VALUE);
    assertThat(o.letter()).isEqualTo('\uffff');
    assertThat(o.number()).isEqualTo(Integer.MIN_VALUE);
    assertThat(o.single()).isNaN();
    assertThat(o.large()).isEqualTo(Long.MIN_VALUE);
    assertThat(Double.doubleToRawLongBits(o.real())).isEqualTo(Long.MIN_VALUE);
    o.other(true);
    o.flag(false);
    assertThat(o.other()).isTrue();
    assertThat(o.flag()).isFalse();
    assertThat(o.tiny()).isEqualTo((byte) -1);
  }

  @Test
  void fieldsOfOtherTypesCanBeNullAndAre() {
    Values o = heap.create(Values.class);
    assertThat(o.text()).isNull();
    assertThat(o.color()).isNull();
    assertThat(o.day()).isNull();
    assertThat(o.boxed()).isNull();
    assertThat(o.names()).isNull();
    fill(o);
    requireFilled(o);
    o.text(null);
    o.color(null);
    o.day(null);
    o.boxed(null);
    o.bytes(null);
    assertThat(o.text()).isNull();
    assertThat(o.color()).isNull();
    assertThat(o.day()).isNull();
    assertThat(o.boxed()).isNull();
    assertThat(o.bytes()).isNull();
    assertThat(o.money()).isEqualTo(new Money(7, "EUR"));
    assertThat(heap.verify().problems()).isEmpty();
  }

  private void fill(Values o) {
    heap.transact(
        () -> {
          o.text("text");
          o.color(Color.BLUE);
          o.money(new Money(7, "EUR"));
          o.day(LocalDate.of(2026, 11, 21));
          o.boxed(0L);
          o.price(new BigDecimal("1.50"));
          o.bytes(new byte[] {1, 2, 3});
          o.names(List.of("a", "b"));
          o.maybe(Optional.of(new Money(1, "USD")));
          o.array(new String[] {"x", null});
          o.nodes(List.of(heap.create(Node.class, n -> n.id(1)), heap.create(Node.class)));
        });
  }

  private static void requireFilled(Values o) {
    assertThat(o.text()).isEqualTo("text");
    assertThat(o.color()).isEqualTo(Color.BLUE);
    assertThat(o.money()).isEqualTo(new Money(7, "EUR"));
    assertThat(o.day()).isEqualTo(LocalDate.of(2026, 11, 21));
    assertThat(o.boxed()).isEqualTo(0L);
    assertThat(o.price()).isEqualTo(new BigDecimal("1.50"));
    assertThat(o.bytes()).containsExactly(1, 2, 3);
    assertThat(o.names()).containsExactly("a", "b");
    assertThat(o.maybe()).contains(new Money(1, "USD"));
    assertThat(o.array()).containsExactly("x", null);
    assertThat(o.nodes()).extracting(Node::id).containsExactly(1, 0);
  }

  @Test
  void valuesMayGrowAndShrink() {
    Values o = heap.create(Values.class);
    for (int length : new int[] {0, 1, 1, 100, 7, 100_000, 3_000_000, 5}) {
      String text = "x".repeat(length);
      o.text(text);
      assertThat(o.text()).isEqualTo(text);
    }
    assertThat(heap.verify().problems()).isEmpty();
  }

  @Test
  void aRootIsFoundAgain(@TempDir Path directory) {
    heap.close();
    heap = ObjectHeaps.open(directory);
    Values root = heap.object("root", Values.class, this::fill);
    assertThat(heap.object("root", Values.class, o -> o.text("never"))).isEqualTo(root);
    requireFilled(root);
    heap.close();
    heap = ObjectHeaps.open(directory);
    requireFilled(heap.object("root", Values.class));
    assertThat(heap.verify().problems()).isEmpty();
  }

  @Test
  void objectsLeadToEachOther() {
    Node a = heap.create(Node.class, n -> n.id(1));
    Node b = heap.create(Node.class, n -> n.id(2));
    a.next(b);
    b.next(a);
    assertThat(a.next()).isEqualTo(b).hasSameHashCodeAs(b);
    assertThat(a.next().next().id()).isEqualTo(1);
    a.next(a);
    assertThat(a.next()).isEqualTo(a);
    a.next(null);
    assertThat(a.next()).isNull();
    assertThat(a).isNotEqualTo(b);
  }

  @Test
  void anObjectComesBackAsWhatItIs() {
    Node node = heap.create(Node.class);
    node.shape(
        heap.create(
            Circle.class,
            c -> {
              c.label("round");
              c.radius(2);
            }));
    assertThat(node.shape()).isInstanceOf(Circle.class);
    assertThat(node.shape().area()).isEqualTo(12);
    node.shape(heap.create(Square.class, s -> s.side(3)));
    assertThat(node.shape()).isInstanceOf(Square.class);
    assertThat(node.shape().area()).isEqualTo(9);
    assertThatThrownBy(() -> heap.create(Shape.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("sealed");
  }

  @Test
  void objectsAreValuesAndKeysOfMaps() {
    DurableMap<String, Account> accounts = heap.map("accounts", String.class, Account.class);
    DurableMap<Account, Integer> ranks = heap.map("ranks", Account.class, Integer.class);
    heap.transact(
        () -> {
          accounts.put("alice", heap.create(Account.class, a -> a.balance(10)));
          accounts.put("bob", heap.create(Account.class));
          ranks.put(accounts.get("alice"), 1);
        });
    heap.transact(
        () -> {
          accounts.get("alice").deposit(-3);
          accounts.get("bob").deposit(3);
        });
    assertThat(accounts.get("alice").balance()).isEqualTo(7);
    assertThat(accounts.get("bob").balance()).isEqualTo(3);
    assertThat(ranks).containsEntry(accounts.get("alice"), 1);
    assertThat(ranks.get(accounts.get("bob"))).isNull();
  }

  @Test
  void beansAndFluentMethodsWork() {
    Bean bean = heap.create(Bean.class);
    bean.setCount(3);
    bean.setOpen(true);
    bean.setURL("http://localhost");
    assertThat(bean.settings("dark")).isSameAs(bean);
    assertThat(bean.getCount()).isEqualTo(3);
    assertThat(bean.isOpen()).isTrue();
    assertThat(bean.getURL()).isEqualTo("http://localhost");
    assertThat(bean.settings()).isEqualTo("dark");
    assertThat(bean.toString())
        .startsWith("Bean@")
        .endsWith(
            "{count=3, open=true, settings=dark, URL=http://localhost}"
                .replace(
                    "count=3, open=true, settings=dark, URL=http://localhost",
                    "URL=http://localhost, count=3, open=true, settings=dark"));
  }

  @Test
  void typeVariablesStandForTypes() {
    Zoo.TextBox text = heap.create(Zoo.TextBox.class, b -> b.value("x"));
    Zoo.ListBox list = heap.create(Zoo.ListBox.class, b -> b.value(List.of(1, 2)));
    Node node = heap.create(Node.class);
    @SuppressWarnings("unchecked")
    Zoo.Chain<Node> chain = heap.create(Zoo.Chain.class, c -> c.value(node));
    assertThat(text.value()).isEqualTo("x");
    assertThat(list.value()).containsExactly(1, 2);
    assertThat(((Zoo.Box<List<Integer>>) list).value()).containsExactly(1, 2);
    assertThat(chain.value()).isEqualTo(node);
  }

  @Test
  void aFreedObjectIsGone() {
    Values values = heap.create(Values.class, this::fill);
    Account account = heap.create(Account.class, a -> a.owner("alice"));
    heap.free(account);
    for (int i = 0; i < 10; i++) {
      heap.create(Account.class, a -> a.balance(99));
    }
    assertThatThrownBy(account::balance).isInstanceOf(GoneException.class);
    assertThatThrownBy(account::owner).isInstanceOf(GoneException.class);
    assertThatThrownBy(() -> account.balance(1)).isInstanceOf(GoneException.class);
    assertThatThrownBy(() -> account.owner("x")).isInstanceOf(GoneException.class);
    assertThatThrownBy(() -> heap.free(account)).isInstanceOf(GoneException.class);
    assertThat(account.toString()).startsWith("<stale reference Account@");
    heap.free(values);
    assertThatThrownBy(values::day).isInstanceOf(GoneException.class);
    assertThatThrownBy(values::color).isInstanceOf(GoneException.class);
    assertThat(heap.verify().problems()).isEmpty();
  }

  @Test
  void whatIsRolledBackNeverWas() {
    Account account = heap.create(Account.class, a -> a.owner("alice"));
    Node[] made = new Node[1];
    assertThatThrownBy(
            () ->
                heap.transact(
                    () -> {
                      account.balance(5);
                      account.owner("a much longer name than before");
                      assertThat(account.balance()).isEqualTo(5);
                      assertThat(account.owner()).startsWith("a much");
                      made[0] = heap.create(Node.class, n -> n.id(1));
                      assertThat(made[0].id()).isEqualTo(1);
                      heap.free(account);
                      assertThatThrownBy(account::balance).isInstanceOf(GoneException.class);
                      throw new IllegalStateException("no");
                    }))
        .hasMessage("no");
    assertThat(account.balance()).isZero();
    assertThat(account.owner()).isEqualTo("alice");
    Node node = made[0];
    assertThatThrownBy(node::id).isInstanceOf(GoneException.class);
    Node other = heap.create(Node.class, n -> n.id(2));
    assertThat(other.id()).isEqualTo(2);
    assertThatThrownBy(node::id).isInstanceOf(GoneException.class);
    assertThat(heap.verify().problems()).isEmpty();
  }

  @Test
  void anObjectOfAnotherHeapIsRefused() {
    try (Heap other = Heap.inMemory()) {
      Node here = heap.create(Node.class);
      Node there = other.create(Node.class);
      assertThat(here).isNotEqualTo(there);
      assertThatThrownBy(() -> here.next(there))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("another heap");
      assertThatThrownBy(() -> heap.free(there)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void removingARootFreesItsObject() {
    long blocks = heap.stats().blocks();
    Values root = heap.object("root", Values.class, o -> o.text("text"));
    assertThat(heap.roots())
        .singleElement()
        .satisfies(
            r -> {
              assertThat(r.kind()).isEqualTo("object");
              assertThat(r.types().get("type"))
                  .startsWith("object io.everheap.durable.Zoo$Values(");
            });
    assertThat(heap.entries("root").filter(e -> e.getKey().equals("text")))
        .singleElement()
        .satisfies(e -> assertThat(e.getValue()).isEqualTo("text"));
    heap.remove("root");
    assertThatThrownBy(root::text).isInstanceOf(GoneException.class);
    heap.object("root", Values.class);
    heap.remove("root");
    assertThat(heap.verify().problems()).isEmpty();
    assertThat(heap.stats().blocks()).isLessThan(blocks + 20);
  }

  @Test
  void fieldsLeadToStructures(@TempDir Path directory) {
    heap.close();
    heap = ObjectHeaps.open(directory);
    heap.transact(
        () -> {
          Zoo.Shelf shelf = heap.object("shelf", Zoo.Shelf.class);
          assertThat(shelf.nodes()).isNull();
          shelf.nodes(heap.create(DurableMap.of(String.class, Node.class)));
          shelf.tags(heap.create(DurableMap.of(Integer.class, DurableSet.of(String.class))));
          shelf.nodes().put("a", heap.create(Node.class, n -> n.id(1)));
          shelf.tags().put(1, heap.create(DurableSet.of(String.class)));
          shelf.tags().get(1).add("red");
        });
    assertThat(heap.verify().problems()).isEmpty();
    assertThat(heap.verify().unreachable()).isZero();
    heap.close();
    heap = ObjectHeaps.open(directory);
    Zoo.Shelf shelf = heap.object("shelf", Zoo.Shelf.class);
    assertThat(shelf.nodes().get("a").id()).isEqualTo(1);
    assertThat(shelf.tags().get(1)).containsExactly("red");
    assertThat(heap.entries("shelf").count()).isEqualTo(2);
    assertThat(heap.verify().problems()).isEmpty();
    assertThat(heap.verify().unreachable()).isZero();
    heap.remove("shelf");
    assertThat(heap.verify().problems()).isEmpty();
    assertThat(heap.verify().unreachable()).isEqualTo(4);
  }

  @Test
  void objectsAreElementsOfSetsAndReferencesOfOtherStructures() {
    DurableSet<Node> set = heap.root("set", DurableSet.of(Node.class));
    heap.transact(() -> set.add(heap.create(Node.class, n -> n.id(5))));
    assertThat(set.iterator().next().id()).isEqualTo(5);
    assertThat(heap.verify().unreachable()).isZero();
    assertThat(heap.verify().problems()).isEmpty();
  }

  /** What verify cannot follow would be out of reach for it, and so for whoever frees that. */
  @Test
  void verifyFollowsReferencesThroughAllStructures() {
    heap.transact(
        () -> {
          heap.sortedMap("sorted", String.class, Node.class).put("a", heap.create(Node.class));
          heap.list("list", Node.class).add(heap.create(Node.class));
          heap.deque("deque", Node.class).add(heap.create(Node.class));
          heap.root("array", DurableArray.of(Node.class, 3)).set(1, heap.create(Node.class));
          heap.root("reference", DurableReference.of(Node.class)).set(heap.create(Node.class));
        });
    assertThat(heap.<Node>list("list", Node.class).getFirst().id()).isZero();
    assertThat(heap.verify().problems()).isEmpty();
    assertThat(heap.verify().unreachable()).isZero();
  }

  @Test
  void aRootIsNotFreedButRemoved() {
    Node root = heap.object("root", Node.class);
    assertThatThrownBy(() -> heap.free(root))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the root root");
    assertThat(heap.object("root", Node.class)).isEqualTo(root);
    heap.remove("root");
    assertThatThrownBy(() -> heap.free(root)).isInstanceOf(GoneException.class);
    assertThat(heap.verify().problems()).isEmpty();
  }

  /** Nothing remembers the number of a type that a rollback took away. */
  @Test
  void aTypeThatWasRolledBackGivesItsNumberToAnother() {
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(
              () ->
                  heap.transact(
                      () -> {
                        assertThat(heap.create(Node.class, n -> n.id(1)).id()).isEqualTo(1);
                        throw new IllegalStateException("no");
                      }))
          .hasMessage("no");
      heap.transact(
          () -> {
            assertThatThrownBy(
                    () ->
                        heap.transact(
                            () -> {
                              heap.create(Square.class);
                              throw new IllegalStateException("inner");
                            }))
                .hasMessage("inner");
            Account account = heap.create(Account.class, a -> a.owner("alice"));
            Node node = heap.create(Node.class, n -> n.shape(heap.create(Circle.class)));
            assertThat(account.owner()).isEqualTo("alice");
            assertThat(node.shape()).isInstanceOf(Circle.class);
          });
    }
    Node node = heap.create(Node.class, n -> n.shape(heap.create(Square.class, s -> s.side(2))));
    assertThat(node.shape().area()).isEqualTo(4);
    assertThat(heap.types()).extracting(t -> t.number()).doesNotHaveDuplicates();
    assertThat(heap.verify().problems()).isEmpty();
  }

  @Test
  void whatCannotBeImplementedSaysWhy() {
    assertThatThrownBy(() -> heap.create(HalfField.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nothing writes this field: add 'void size(int value)'");
    assertThatThrownBy(() -> heap.create(Strange.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("make it a default method");
    assertThatThrownBy(() -> heap.create(Runnable.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("@Durable");
    assertThatThrownBy(() -> heap.create(PlainClass.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("was not woven")
        .hasMessageContaining("everheap-maven-plugin")
        .hasMessageContaining("-javaagent:everheap-weaver.jar");
    assertThatThrownBy(() -> heap.create(NoCodec.class))
        .isInstanceOf(UnsupportedTypeException.class)
        .hasMessageContaining("Thread");
    assertThatThrownBy(() -> heap.create(NoCodec.class))
        .isInstanceOf(UnsupportedTypeException.class);
    assertThat(heap.names()).isEmpty();
  }

  @Durable
  interface HalfField {
    int size();
  }

  @Durable
  interface Strange {
    int add(int a, int b);
  }

  @Durable
  static final class PlainClass {}

  @Durable
  interface NoCodec {
    Thread thread();

    void thread(Thread value);
  }
}
