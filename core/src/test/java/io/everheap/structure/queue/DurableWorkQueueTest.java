package io.everheap.structure.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.collection.DurableList;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurableWorkQueue;
import io.everheap.collection.Lease;
import io.everheap.collection.Shape;
import io.everheap.collection.Shapes;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.error.LeaseLostException;
import io.everheap.heap.OpenHeap;
import io.everheap.structure.list.DurableListTest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Leases of a work queue, with a clock that the test moves. */
class DurableWorkQueueTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final AtomicLong clock = new AtomicLong();
  private final Heap heap = Heap.inMemory();
  private final DurableWorkQueue<String> queue = open(heap);

  @AfterEach
  void theHeapIsSound() {
    assertThat(heap.verify().problems()).isEmpty();
    heap.close();
  }

  private DurableWorkQueue<String> open(Heap in) {
    return in.root("queue", Shapes.of("work queue", String.class, (LongSupplier) clock::get));
  }

  private void pass(Duration time) {
    clock.addAndGet(time.toNanos());
  }

  private Lease<String> lease() {
    return Objects.requireNonNull(queue.tryLease(MINUTE));
  }

  private String leased() {
    return lease().element();
  }

  @Test
  void anElementStaysUntilItIsAcknowledged() {
    queue.add("a");
    Lease<String> lease = lease();
    assertThat(queue.stream()).containsExactly("a");
    assertThat(queue.leased()).isOne();

    lease.acknowledge();
    assertThat(queue.isEmpty()).isTrue();
    assertThat(queue.leased()).isZero();
    assertThatThrownBy(lease::acknowledge).isInstanceOf(LeaseLostException.class);
  }

  @Test
  void noOtherWorkerGetsALeasedElement() {
    queue.addAll(List.of("a", "b"));

    assertThat(leased()).isEqualTo("a");
    assertThat(leased()).isEqualTo("b");
    assertThat(queue.tryLease(MINUTE)).isNull();
    assertThat(queue.size()).isEqualTo(2);
  }

  @Test
  void anElementWhoseTimeIsUpComesBackWithAnotherAttempt() {
    queue.addAll(List.of("a", "b"));
    assertThat(lease().attempt()).isOne();
    pass(MINUTE);

    Lease<String> second = lease();
    assertThat(second.element()).isEqualTo("a");
    assertThat(second.attempt()).isEqualTo(2);
    assertThat(leased()).isEqualTo("b");
  }

  @Test
  void aSlowWorkerMayAcknowledgeUntilAnotherOneHasTheElement() {
    queue.addAll(List.of("a", "b"));
    Lease<String> a = lease();
    Lease<String> b = lease();
    pass(MINUTE);
    assertThat(leased()).isEqualTo("a");

    b.acknowledge();
    assertThatThrownBy(a::acknowledge)
        .isInstanceOf(LeaseLostException.class)
        .hasMessageContaining("attempt 1");
    assertThatThrownBy(() -> a.extend(MINUTE)).isInstanceOf(LeaseLostException.class);
    assertThat(a.release()).isFalse();
    assertThat(queue.stream()).containsExactly("a");
  }

  @Test
  void aLostLeaseUndoesWhatItsTransactionDid() {
    DurableMap<String, String> results = heap.map("results", String.class, String.class);
    queue.add("a");
    Lease<String> slow = lease();
    pass(MINUTE);
    Lease<String> fast = lease();

    assertThatThrownBy(
            () ->
                heap.transact(
                    () -> {
                      results.put("a", "by the slow one");
                      slow.acknowledge();
                    }))
        .isInstanceOf(LeaseLostException.class);
    assertThat(results).isEmpty();
    fast.acknowledge();
  }

  @Test
  void aReleasedElementComesBeforeThoseThatWereNeverLeased() {
    queue.addAll(List.of("a", "b", "c"));
    Lease<String> a = lease();
    Lease<String> b = lease();
    b.release();
    pass(Duration.ofNanos(1));
    a.release();

    assertThat(List.of(leased(), leased(), leased())).containsExactly("b", "a", "c");
  }

  @Test
  void anElementThatIsPutOffIsNotSeenBeforeItsTime() {
    queue.addAll(List.of("a", "b"));
    assertThat(lease().release(MINUTE.multipliedBy(2))).isTrue();

    assertThat(queue.leased()).isOne();
    assertThat(leased()).isEqualTo("b");
    assertThat(queue.tryLease(MINUTE)).isNull();
    pass(MINUTE.multipliedBy(2));
    assertThat(lease().attempt()).isEqualTo(2);
  }

  @Test
  void anExtendedLeaseEndsLater() {
    queue.add("a");
    Lease<String> lease = lease();
    lease.extend(MINUTE.multipliedBy(3));
    pass(MINUTE.multipliedBy(2));
    assertThat(queue.tryLease(MINUTE)).isNull();

    lease.extend(MINUTE);
    pass(MINUTE);
    assertThat(leased()).isEqualTo("a");
  }

  @Test
  void whatIsClosedWithoutAcknowledgementComesBack() {
    queue.add("a");
    try (Lease<String> lease = lease()) {
      assertThat(lease.element()).isEqualTo("a");
    }
    assertThat(queue.leased()).isZero();
    try (Lease<String> lease = lease()) {
      lease.acknowledge();
    }
    assertThat(queue.isEmpty()).isTrue();
  }

  @Test
  void aRollbackUndoesAcknowledgementsExtensionsAndLeases() {
    queue.addAll(List.of("a", "b"));
    Lease<String> a = lease();
    Lease<?>[] b = new Lease<?>[1];
    assertThatThrownBy(
            () ->
                heap.transact(
                    () -> {
                      a.extend(MINUTE.multipliedBy(9));
                      b[0] = lease();
                      a.acknowledge();
                      throw new NoSuchElementException();
                    }))
        .isInstanceOf(NoSuchElementException.class);

    assertThat(queue.leased()).isOne();
    assertThatThrownBy(b[0]::acknowledge).isInstanceOf(LeaseLostException.class);
    assertThat(leased()).isEqualTo("b");
    assertThatThrownBy(b[0]::acknowledge).isInstanceOf(LeaseLostException.class);
    a.acknowledge();
    assertThat(queue.stream()).containsExactly("b");
  }

  @Test
  void aLeaseWhoseExtensionsWereRolledBackIsStillHeld() {
    queue.addAll(List.of("a", "b"));
    Lease<String> lease = lease();
    lease.extend(MINUTE.multipliedBy(2));
    heap.transact(
        () -> {
          lease.extend(MINUTE.multipliedBy(3));
          for (int i = 4; i < 9; i++) {
            Duration longer = MINUTE.multipliedBy(i);
            assertThatThrownBy(
                    () ->
                        heap.transact(
                            () -> {
                              lease.extend(longer);
                              lease.extend(longer.multipliedBy(2));
                              throw new NoSuchElementException();
                            }))
                .isInstanceOf(NoSuchElementException.class);
          }
        });
    assertThatThrownBy(
            () ->
                heap.transact(
                    () -> {
                      lease.extend(MINUTE.multipliedBy(20));
                      lease.extend(MINUTE.multipliedBy(30));
                      throw new NoSuchElementException();
                    }))
        .isInstanceOf(NoSuchElementException.class);
    pass(MINUTE.multipliedBy(2));
    assertThat(leased()).isEqualTo("b");

    lease.extend(MINUTE);
    lease.acknowledge();
    assertThatThrownBy(lease::acknowledge).isInstanceOf(LeaseLostException.class);
    assertThat(queue.stream()).containsExactly("b");
  }

  @Test
  void aRolledBackReleaseIsMadeUpForByClose() {
    queue.add("a");
    try (Lease<String> lease = lease()) {
      assertThatThrownBy(
              () ->
                  heap.transact(
                      () -> {
                        lease.acknowledge();
                        throw new NoSuchElementException();
                      }))
          .isInstanceOf(NoSuchElementException.class);
      assertThat(queue.leased()).isOne();
    }
    assertThat(queue.leased()).isZero();
  }

  @Test
  void anElementThatIsAddedAfterTheLastOneWentIsSeen() {
    queue.addAll(List.of("a", "b", "c"));
    Lease<String> a = lease();
    Lease<String> b = lease();
    lease().acknowledge();
    b.acknowledge();
    queue.add("d");

    Lease<String> d = lease();
    assertThat(d.element()).isEqualTo("d");
    assertThatThrownBy(b::acknowledge).isInstanceOf(LeaseLostException.class);
    a.acknowledge();
    d.acknowledge();
    assertThat(queue.isEmpty()).isTrue();
    queue.add("e");
    assertThat(leased()).isEqualTo("e");
  }

  @Test
  void clearingLosesLeases() {
    queue.addAll(List.of("a", "b"));
    Lease<String> a = lease();
    queue.clear();
    queue.add("c");

    assertThatThrownBy(a::acknowledge).isInstanceOf(LeaseLostException.class);
    assertThat(leased()).isEqualTo("c");
  }

  @Test
  void theNextProcessGetsAllAtOnceThatTheLastOneHadLeased(@TempDir Path directory) {
    Lease<String> lost;
    try (Heap first = Heap.open(directory.resolve("heap"))) {
      DurableWorkQueue<String> before = open(first);
      before.addAll(List.of("a", "b", "c", "d"));
      Objects.requireNonNull(before.tryLease(MINUTE)).acknowledge();
      lost = Objects.requireNonNull(before.tryLease(Duration.ofDays(1000)));
      assertThat(lost.element()).isEqualTo("b");
      assertThat(before.tryLease(MINUTE)).isNotNull();
    }
    try (Heap reading = Heap.builder(directory.resolve("heap")).readOnly().open()) {
      assertThat(open(reading).leased()).isZero();
      assertThat(open(reading).stream()).containsExactly("b", "c", "d");
    }
    try (Heap second = Heap.open(directory.resolve("heap"))) {
      DurableWorkQueue<String> after = open(second);
      assertThat(after.leased()).isZero();
      assertThat(second.verify().problems()).isEmpty();
      for (String expected : List.of("c", "b", "d")) { // by the ends of their leases
        Lease<String> lease = Objects.requireNonNull(after.tryLease(MINUTE));
        assertThat(lease.element()).isEqualTo(expected);
        assertThat(lease.attempt()).isEqualTo(expected.equals("d") ? 1 : 2);
        lease.acknowledge();
      }
      assertThat(after.isEmpty()).isTrue();
      assertThat(second.verify().problems()).isEmpty();
    }
  }

  @Test
  void elementsCanBeStructures() {
    Shape<DurableList<String>> list = DurableList.of(String.class);
    DurableWorkQueue<DurableList<String>> lists = heap.root("lists", DurableWorkQueue.of(list));
    heap.transact(
        () -> {
          DurableList<String> made = heap.create(list);
          made.add("x");
          lists.add(made);
        });
    heap.collect();
    Lease<DurableList<String>> lease = Objects.requireNonNull(lists.tryLease(MINUTE));
    assertThat(lease.element()).containsExactly("x");
    heap.transact(
        () -> {
          lease.acknowledge();
          heap.free(lease.element());
        });
    assertThat(heap.verify().unreachable()).isZero();
  }

  @Test
  void aDurationThatIsNotPositiveIsRefused() {
    queue.add("a");
    assertThatThrownBy(() -> queue.tryLease(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
    Lease<String> lease = lease();
    assertThatThrownBy(() -> lease.extend(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> lease.release(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class);
    lease.extend(Duration.ofSeconds(Long.MAX_VALUE));
    assertThat(lease).hasToString("lease of a, attempt 1");
  }

  @Test
  void anIteratorRemovesNothing() {
    queue.add("a");
    var all = queue.iterator();
    assertThat(all.next()).isEqualTo("a");
    assertThatThrownBy(all::remove).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void leasesThatDoNotFitTheElementsAreFound() {
    queue.addAll(List.of("a", "b", "c"));
    lease();
    lease();
    long header = Reference.address(DurableListTest.referenceOf(heap, "queue"));
    assertDamage(header + WorkQueueLifecycle.NEXT, 1);
    assertDamage(header + WorkQueueLifecycle.NEXT, 7);
    assertDamage(header + WorkQueueLifecycle.LEASES, 4); // words of leases
    long leaf = Reference.address(OpenHeap.engine(heap).memory().getLong(header + 72));
    assertDamage(leaf + 8, 99); // epoch of the first lease
    assertDamage(leaf + 8 + 2 * 8, 1); // its position, which is that of the second one
    assertDamage(leaf + 8 + 4 * 8, 0); // its attempts
  }

  private void assertDamage(long address, long value) {
    HeapMemory memory = OpenHeap.engine(heap).memory();
    long before = memory.getLong(address);
    heap.transact(() -> memory.putLong(Stripes.NONE, address, value));
    assertThat(heap.verify().problems()).as("%d at 0x%x", value, address).isNotEmpty();
    heap.transact(() -> memory.putLong(Stripes.NONE, address, before));
    assertThat(heap.verify().problems()).isEmpty();
  }
}
