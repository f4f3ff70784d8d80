package io.everheap.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.collection.DurableDeque;
import io.everheap.collection.DurableList;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurableReference;
import io.everheap.collection.DurableSet;
import io.everheap.collection.DurableSortedMap;
import io.everheap.collection.DurableSortedSet;
import io.everheap.collection.DurableWorkQueue;
import io.everheap.collection.Shape;
import io.everheap.collection.Structure;
import io.everheap.collection.Undecodable;
import io.everheap.error.CorruptValueException;
import io.everheap.error.SchemaMismatchException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A constant that an enum has lost is named, wherever it is stored. */
class RemovedConstantsTest {
  @TempDir private Path directory;

  private Compiled program(String constants) {
    return Compiled.of(
        directory,
        "public enum Kind {" + constants + "}",
        "public record Point(int x, Kind kind) {}",
        "@Durable public interface Account { Kind kind(); void kind(Kind value); "
            + "Point point(); void point(Point value); long balance(); void balance(long value); }");
  }

  private Heap open() {
    return ObjectHeaps.open(directory.resolve("heap"));
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Shape<?>> shapes(Compiled program) {
    Class<Object> kind = (Class<Object>) program.type("Kind");
    Class<Object> point = (Class<Object>) program.type("Point");
    Map<String, Shape<?>> shapes = new LinkedHashMap<>();
    shapes.put("value", DurableMap.of(Long.class, kind));
    shapes.put("key", DurableMap.of(kind, Long.class));
    shapes.put("sorted key", DurableSortedMap.of(kind, Long.class));
    shapes.put("component", DurableMap.of(Long.class, point));
    shapes.put("component of key", DurableMap.of(point, Long.class));
    shapes.put("set", DurableSet.of(kind));
    shapes.put("sorted set", DurableSortedSet.of(kind));
    shapes.put("list", DurableList.of(kind));
    shapes.put("deque", DurableDeque.of(point));
    shapes.put("work", DurableWorkQueue.of(kind));
    shapes.put("cell", DurableReference.of(kind));
    return shapes;
  }

  @SuppressWarnings("unchecked") // of this class's shapes
  private static void store(Heap heap, Compiled program, Object kind) {
    Object point = program.make("Point", 1, kind);
    shapes(program)
        .forEach(
            (name, shape) -> {
              Object value = name.equals("deque") || name.startsWith("component") ? point : kind;
              switch (heap.root(name, shape)) {
                case Map<?, ?> map when name.contains("key") ->
                    ((Map<Object, Object>) map).put(value, 1L);
                case Map<?, ?> map -> ((Map<Object, Object>) map).put(1L, value);
                case DurableWorkQueue<?> queue -> ((DurableWorkQueue<Object>) queue).add(value);
                case DurableReference<?> cell -> ((DurableReference<Object>) cell).set(value);
                case Object all -> ((java.util.Collection<Object>) all).add(value);
              }
            });
  }

  @Test
  void eachRootIsRefusedWithItsNameAndThatOfTheConstant() {
    Compiled first = program("RED, GREEN, BLUE");
    try (Heap heap = open()) {
      store(heap, first, first.constant("Kind", "GREEN"));
      Object account = heap.object("account", first.type("Account"));
      Compiled.set(account, "kind", first.constant("Kind", "GREEN"));
      Compiled.set(account, "balance", 7L);
      heap.map("other", Long.class, Long.class).put(1L, 2L);
    }
    Compiled later = program("RED, BLUE");
    try (Heap heap = open()) {
      shapes(later)
          .forEach(
              (name, shape) ->
                  assertThatThrownBy(() -> heap.root(name, shape))
                      .as(name)
                      .isInstanceOf(SchemaMismatchException.class)
                      .hasMessageContaining(name)
                      .hasMessageContaining("GREEN"));
      assertThatThrownBy(() -> heap.object("account", later.type("Account")))
          .isInstanceOf(SchemaMismatchException.class)
          .hasMessageContaining("bank.Account")
          .hasMessageContaining("field kind")
          .hasMessageContaining("GREEN");
      assertThat(heap.compare(later.type("Kind")).kind()).isEqualTo(TypeDifference.Kind.REFUSED);
      assertThat(heap.map("other", Long.class, Long.class).get(1L)).isEqualTo(2L);
      assertThat(heap.verify().problems()).isEmpty();
      assertThat(heap.collect().objects()).isZero();
      for (String name : List.of("value", "list", "work", "cell")) {
        assertThat(heap.entries(name).toList().toString()).contains("GREEN");
      }
      assertThat(heap.remove("list")).isTrue(); // a root is removed without its class
    }
    try (Heap heap = open()) { // nothing was changed for the program that has the constant
      Object account = heap.object("account", first.type("Account"));
      assertThat(Compiled.get(account, "kind")).hasToString("GREEN");
      assertThat(heap.root("set", shapes(first).get("set"))).hasToString("[GREEN]");
      assertThat(heap.root("component", shapes(first).get("component")))
          .hasToString("{1=Point[x=1, kind=GREEN]}");
    }
  }

  @Test
  void aRenamedConstantIsFoundByItsFormerName() {
    Compiled first = program("RED, GREEN, BLUE");
    try (Heap heap = open()) {
      store(heap, first, first.constant("Kind", "GREEN"));
      Object account = heap.object("account", first.type("Account"));
      Compiled.set(account, "kind", first.constant("Kind", "GREEN"));
    }
    Compiled later = program("RED, @Was(\"GREEN\") LIME, BLUE");
    try (Heap heap = open()) {
      shapes(later)
          .forEach(
              (name, shape) ->
                  assertThat(heap.root(name, shape).toString())
                      .as(name)
                      .matches(text -> text.contains("LIME") || name.equals("work")));
      Object account = heap.object("account", later.type("Account"));
      assertThat(Compiled.get(account, "kind")).hasToString("LIME");
    }
  }

  /** A codec of a program that stores names. */
  private record Names(Class<?> type) implements Codec<Object> {
    @Override
    public String name() {
      return "test.Names";
    }

    @Override
    public boolean canonical() {
      return true;
    }

    @Override
    public void write(Object value, CodecOutput out) {
      out.writeUtf(((Enum<?>) value).name());
    }

    @Override
    @SuppressWarnings({"unchecked", "rawtypes"})
    public Object read(CodecInput in) {
      return Enum.valueOf((Class) type, in.readUtf());
    }
  }

  @Test
  void aNameThatTheEnumLacksHidesNoOther() {
    Compiled first = program("RED, GREEN, BLUE");
    try (Heap heap = open()) {
      for (String name : List.of("BLUE", "GREEN", "RED")) {
        Object constant = first.constant("Kind", name);
        heap.root("values", DurableList.of(new Names(first.type("Kind")))).add(constant);
        heap.root("keys", DurableSet.of(new Names(first.type("Kind")))).add(constant);
      }
    }
    Names later = new Names(program("RED, BLUE").type("Kind"));
    try (Heap heap = open()) {
      DurableList<Object> values = heap.root("values", DurableList.of(later));
      DurableSet<Object> keys = heap.root("keys", DurableSet.of(later));
      assertThatThrownBy(() -> values.get(1))
          .isInstanceOf(CorruptValueException.class)
          .hasMessageContaining("position 1")
          .hasMessageContaining("root values")
          .hasMessageContaining("test.Names")
          .hasRootCauseMessage("No enum constant bank.Kind.GREEN");
      assertThat(keys.toString()).contains("RED", "BLUE");
      assertThat(keys).hasSize(3);
      for (Structure structure : List.<Structure>of(values, keys)) {
        List<Undecodable> found = new ArrayList<>();
        for (Iterator<Undecodable> bad = structure.undecodable(); bad.hasNext(); ) {
          found.add(bad.next());
          bad.remove();
        }
        assertThat(found).hasSize(1);
        assertThat(new String(found.getFirst().bytes(), java.nio.charset.StandardCharsets.UTF_8))
            .contains("GREEN");
      }
      assertThat(values.toString()).isEqualTo("[BLUE, RED]");
      assertThat(keys).hasSize(2);
    }
  }

  /** The message of a key names its bytes, since it has no other position. */
  @Test
  void aKeyThatDoesNotDecodeIsNamedByItsBytes() {
    Compiled first = program("RED, GREEN, BLUE");
    try (Heap heap = open()) {
      heap.root("keys", DurableSet.of(new Names(first.type("Kind"))))
          .add(first.constant("Kind", "GREEN"));
    }
    Names later = new Names(program("RED, BLUE").type("Kind"));
    try (Heap heap = open()) {
      DurableSet<Object> keys = heap.root("keys", DurableSet.of(later));
      String bytes = java.util.HexFormat.of().formatHex(keys.undecodable().next().bytes());
      assertThatThrownBy(() -> keys.iterator().next())
          .isInstanceOf(CorruptValueException.class)
          .hasMessageContaining("root keys")
          .hasMessageContaining("the key with the bytes " + bytes);
    }
  }
}
