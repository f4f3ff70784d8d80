package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.testkit.Human.LaterPerson;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A write to a field is one record, one fence, and few bytes. */
class ObjectFlushTest {
  private static final long BLOCK = 4096;

  /** A change and the most bytes of log that it may take on byte-addressable storage. */
  record Change(String name, CrashTest.Operation operation, long bytes) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Change> changes() {
    return List.of(
        new Change("a number", heap -> person(heap).age(7), 64),
        new Change("a reference", heap -> person(heap).friend(person(heap)), 64),
        new Change("null", heap -> person(heap).friend(null), 64),
        new Change("a word", heap -> person(heap).score(8L), 64),
        new Change("a text of the same size", heap -> person(heap).name("bob"), 64),
        new Change("a text of another size", heap -> person(heap).name("charlie"), 192),
        new Change(
            "several fields",
            heap ->
                heap.transact(
                    () -> {
                      person(heap).age(8);
                      person(heap).score(9L);
                    }),
            128),
        new Change("a new object", heap -> heap.create(LaterPerson.class, p -> p.age(1)), 256),
        new Change("a free", heap -> heap.free(person(heap).friend()), 256));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void onDaxItIsOneFence(Change change) throws Exception {
    FlushLint.Cost cost = FlushLint.of(change.operation).after(ObjectFlushTest::fill).onDax();

    assertThat(cost.fences()).as("fences").isEqualTo(1);
    assertThat(cost.syncs()).as("syncs").isZero();
    assertThat(cost.logBytes()).as("log bytes").isPositive().isLessThanOrEqualTo(change.bytes);
    assertThat(cost.idle()).as("forces of nothing").isZero();
    assertThat(cost.cleanLines()).as("clean lines forced").isZero();
    assertThat(cost.unflushed()).as("left undurable").isEmpty();
  }

  @ParameterizedTest
  @MethodSource("changes")
  void onAFileItIsOneDurableWrite(Change change) throws Exception {
    FlushLint.Cost cost = FlushLint.of(change.operation).after(ObjectFlushTest::fill).onFiles();

    assertThat(cost.fences()).as("fences").isZero();
    assertThat(cost.syncs()).as("syncs").isEqualTo(1);
    assertThat(cost.logBytes()).as("log bytes").isEqualTo(BLOCK);
    assertThat(cost.unflushed()).as("left undurable").isEmpty();
  }

  private static LaterPerson person(Heap heap) {
    return heap.object("person", LaterPerson.class);
  }

  private static void fill(Heap heap) {
    heap.object(
        "person",
        LaterPerson.class,
        p -> {
          p.age(1);
          p.name("ann");
          p.score(1L);
          p.friend(heap.create(LaterPerson.class));
        });
  }
}
