package io.everheap.durable;

import static io.everheap.durable.handle.StoredObjects.address;
import static io.everheap.durable.handle.StoredObjects.offset;
import static io.everheap.durable.handle.StoredObjects.reference;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurableSet;
import io.everheap.collection.DurableSortedMap;
import io.everheap.collection.DurableSortedSet;
import io.everheap.collection.KeyOrder;
import io.everheap.durable.Zoo.Color;
import io.everheap.durable.Zoo.Values;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.heap.OpenHeap;
import io.everheap.report.VerifyReport;
import io.everheap.report.VerifyReport.Problem;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What verify finds of objects that only the keys of maps and the elements of sets lead to. */
class ObjectKeysTest {
  private static final int OBJECTS = 200; // more than a node of a tree or a bucket of a table has
  private static final int PAGE = 4096;

  /** A key that leads to an object among other things. */
  record Marked(int number, Values object) {}

  private static final KeyOrder<Values> BY_TEXT =
      KeyOrder.of("text", Comparator.comparing(v -> Objects.requireNonNullElse(v.text(), "")));

  private static final KeyOrder<Marked> BY_NUMBER =
      KeyOrder.of("number", Comparator.comparingInt(Marked::number));

  /** Puts an object into a structure as a key. */
  record Holder(String name, BiConsumer<Heap, Values> add) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Holder> holders() {
    return Stream.of(
        new Holder(
            "map",
            (heap, key) -> heap.root("keys", DurableMap.of(Values.class, Long.class)).put(key, 1L)),
        new Holder("set", (heap, key) -> heap.root("keys", DurableSet.of(Values.class)).add(key)),
        new Holder(
            "sorted map",
            (heap, key) ->
                heap.root("keys", DurableSortedMap.of(Values.class, String.class, BY_TEXT))
                    .put(key, "value")),
        new Holder(
            "sorted set",
            (heap, key) -> heap.root("keys", DurableSortedSet.of(Values.class, BY_TEXT)).add(key)),
        new Holder(
            "sorted set of records",
            (heap, key) -> {
              int number = Objects.requireNonNull(key.text()).hashCode();
              heap.root("keys", DurableSortedSet.of(Marked.class, BY_NUMBER))
                  .add(new Marked(number, key));
            }));
  }

  @TempDir private Path directory;

  private static List<Values> fill(Heap heap, Holder holder) {
    return heap.transact(
        () ->
            Stream.iterate(0, i -> i < OBJECTS, i -> i + 1)
                .map(
                    i -> {
                      Values made =
                          heap.create(
                              Values.class,
                              v -> {
                                v.text("text " + i);
                                v.color(Color.RED);
                              });
                      holder.add.accept(heap, made);
                      return made;
                    })
                .toList());
  }

  private static long field(Object object, String name) {
    return address(object) + offset(object, name);
  }

  private static void store(Heap heap, long address, long word) {
    heap.transact(() -> OpenHeap.engine(heap).memory().putLong(Stripes.NONE, address, word));
  }

  @ParameterizedTest
  @MethodSource("holders")
  void objectsThatOnlyKeysLeadToAreReachedAndWhole(Holder holder) {
    try (Heap heap = ObjectHeaps.open(directory)) {
      fill(heap, holder);
      VerifyReport report = heap.verify();

      assertThat(report.problems()).isEmpty();
      assertThat(report.notChecked()).isEmpty();
      assertThat(report.unreachable()).isZero();
      heap.remove("keys");
      assertThat(heap.verify().unreachable()).as("without the keys").isEqualTo(OBJECTS);
    }
  }

  @ParameterizedTest
  @MethodSource("holders")
  void whatIsWrongWithAnObjectThatIsAKeyIsNamed(Holder holder) {
    try (Heap heap = ObjectHeaps.open(directory)) {
      List<Values> objects = fill(heap, holder);
      long color = field(objects.get(77), "color") & -8;
      long text = field(objects.get(78), "text");
      store(heap, color, OpenHeap.engine(heap).memory().getLong(color) | 0x7777_7777_7777_7777L);
      store(heap, text, 0x1234567);
      VerifyReport report = heap.verify();

      assertThat(report.problems()).extracting(Problem::kind).contains("value", "reference");
      assertThat(report.problems())
          .filteredOn(problem -> problem.kind().equals("value"))
          .anySatisfy(problem -> assertThat(problem.key()).contains("color"));
    }
  }

  @ParameterizedTest
  @MethodSource("holders")
  void anObjectThatWasFreedWhileItIsAKeyIsNamedAndNoDamage(Holder holder) {
    try (Heap heap = ObjectHeaps.open(directory)) {
      Values gone = fill(heap, holder).get(99);
      heap.free(gone);
      VerifyReport report = heap.verify();

      assertThat(report.problems()).isEmpty();
      assertThat(report.unreachable()).isZero();
      assertThat(report.notChecked()).isEmpty();
      assertThat(report.dangling())
          .singleElement()
          .satisfies(each -> assertThat(each.root()).isEqualTo("keys"))
          .extracting(Problem::message)
          .asString()
          .contains("is gone", Reference.describe(reference(gone)));
    }
  }

  /** The reference in the key is overwritten: by hash or as missing object, verify sees it. */
  @ParameterizedTest
  @MethodSource("holders")
  void aKeyThatLeadsElsewhereIsSeen(Holder holder) {
    try (Heap heap = ObjectHeaps.open(directory)) {
      List<Values> objects = fill(heap, holder);
      long within = keyOf(heap, reference(objects.get(50))) + 2;
      long word = OpenHeap.engine(heap).memory().getLong(within & -8);
      store(heap, within & -8, word ^ 16L << ((within & 7) << 3));
      VerifyReport report = heap.verify();

      assertThat(report.problems().size() + report.dangling().size()).isPositive();
      assertThat(report.unreachable() + report.found())
          .as("the object is out of reach")
          .isPositive();
    }
  }

  /** Where a reference stands in the heap, at any offset, which it does once. */
  private static long keyOf(Heap heap, long reference) {
    HeapMemory memory = OpenHeap.engine(heap).memory();
    byte[] all = new byte[(int) memory.getLong(HomeLayout.CAPACITY_ADDRESS)];
    for (int at = 0; at < all.length; at += PAGE) {
      memory.copyOut(at, all, at, PAGE);
    }
    ByteBuffer words = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
    int at = 0;
    while (words.getLong(at) != reference) {
      at++;
    }
    return at;
  }
}
