package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.block.Block;
import io.everheap.block.BlockCursor;
import io.everheap.block.Blocks;
import io.everheap.collection.DurableArray;
import io.everheap.collection.DurableAtomicLong;
import io.everheap.collection.DurableBytes;
import io.everheap.collection.DurableCounter;
import io.everheap.collection.DurableLongArray;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurableReference;
import io.everheap.collection.DurableText;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The examples of docs/migrating.md, which quotes them. */
class MigratingExamplesTest {
  private final Heap heap = Heap.inMemory();

  @AfterEach
  void nothingIsDamaged() {
    assertThat(heap.verify().problems()).isEmpty();
    heap.close();
  }

  // A tuple [
  record Reading(String sensor, long time, double value) {}

  @Test
  void tuplesAreRecords() {
    DurableMap<Long, Reading> readings = heap.map("readings", Long.class, Reading.class);

    readings.put(1L, new Reading("cellar", 1_700_000_000L, 11.5));

    assertThat(readings.get(1L).value()).isEqualTo(11.5);
  }

  // ]

  // An object [
  record Employee(String name, long id, List<String> skills) {}

  @Test
  void persistentClassesAreRecordsAndStaticsAreRoots() {
    DurableMap<Long, Employee> employees = heap.map("employees", Long.class, Employee.class);
    DurableAtomicLong lastId = heap.root("last id", DurableAtomicLong.of());

    heap.transact(
        () -> {
          long id = lastId.incrementAndGet();
          employees.put(id, new Employee("Ada", id, List.of("mathematics")));
        });

    employees.computeIfPresent(1L, (id, old) -> new Employee("Ada L.", id, old.skills()));
    assertThat(employees.get(1L).name()).isEqualTo("Ada L.");
  }

  // ]

  // An array [
  @Test
  void arraysHaveTheirLengthWhenTheyAreMade() {
    DurableLongArray numbers = heap.root("numbers", DurableLongArray.ofLength(1_000_000));
    DurableArray<String> names = heap.root("names", DurableArray.of(String.class, 10));
    DurableLongArray primes = heap.root("primes", DurableLongArray.ofImmutable(2, 3, 5, 7));

    numbers.set(999_999, 42);
    numbers.copyFrom(0, new long[] {3, 1, 2}, 0, 3);
    numbers.sort(0, 3);
    names.set(3, "three");

    assertThat(numbers.toArray(0, 4)).containsExactly(1, 2, 3, 0);
    assertThat(names.asList().get(3)).isEqualTo("three");
    assertThatThrownBy(() -> primes.set(0, 4)).isInstanceOf(UnsupportedOperationException.class);
  }

  // ]

  // An atomic [
  @Test
  void atomicReferencesTextsAndBuffers() {
    DurableReference<Reading> newest = heap.root("newest", DurableReference.of(Reading.class));
    DurableCounter count = heap.root("count", DurableCounter.of());
    DurableText journal = heap.root("journal", DurableText.of());
    DurableBytes image = heap.root("image", DurableBytes.of());

    heap.transact(
        () -> {
          newest.set(new Reading("cellar", 1, 11.5));
          count.increment();
          journal.append("cellar: 11.5\n");
          image.append(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        });

    assertThat(newest.get().sensor()).isEqualTo("cellar");
    assertThat(journal.indexOf("11.5", 0)).isEqualTo(8);
    assertThat(image.<Byte>read(1, 2, view -> view.asByteBuffer().get(0))).isEqualTo((byte) 2);
  }

  // ]

  // A list [
  /** A linked list of raw blocks: the value at 0, the handle of the next one at 8. */
  @Test
  void structuresOfBlocks() {
    Blocks blocks = heap.blocks();
    Block head = heap.block("list", 8);

    for (long value = 1; value <= 3; value++) {
      long added = value;
      heap.transact(
          () -> {
            Block node =
                blocks.allocate(
                    16,
                    range -> {
                      range.setLong(0, added);
                      range.setLong(8, head.getLong(0));
                    });
            head.setLong(0, node.handle());
          });
    }

    long sum = 0;
    BlockCursor at = blocks.cursor();
    for (long next = head.getLong(0); next != 0; next = at.getLong(8)) {
      sum += at.moveTo(next).getLong(0);
    }
    assertThat(sum).isEqualTo(6);
  }

  // ]

  // A range [
  @Test
  void manyWritesToOneBlock() {
    Block block = heap.blocks().allocate(64);

    block.withRange(
        16,
        32,
        range -> {
          range.setLong(16, 1);
          range.setInt(24, 2);
          range.copyFrom(28, new byte[] {3, 4, 5}, 0, 3);
        });
    block.getAndAddLong(16, 10);

    assertThat(block.getLong(16)).isEqualTo(11);
  }

  // ]

  // A transaction [
  @Test
  void transactionsAndTheirHooks() {
    DurableMap<String, Long> accounts = heap.map("accounts", String.class, Long.class);
    StringBuilder said = new StringBuilder();

    heap.transact(
        () -> {
          heap.transaction().onCommit(() -> said.append("paid"));
          heap.transaction().onAbort(() -> said.append("not paid"));
          accounts.merge("alice", -10L, Long::sum);
          accounts.merge("bob", 10L, Long::sum);
        });

    assertThat(said).hasToString("paid");
  }

  // ]
}
