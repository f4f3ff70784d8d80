package io.everheap.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.collection.DurableLongArray;
import io.everheap.durable.Zoo.Account;
import io.everheap.durable.Zoo.Node;
import io.everheap.durable.handle.StoredObjects;
import io.everheap.durable.runtime.DurableObject;
import io.everheap.durable.runtime.FieldAccess;
import io.everheap.engine.EngineOptions;
import io.everheap.engine.alloc.Reference;
import io.everheap.error.ClosedException;
import io.everheap.error.GoneException;
import io.everheap.heap.HeapSettings;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads of single fields, which take no lock: what can happen to the object meanwhile. */
@Campaign
class ObjectReadTest {
  @TempDir private Path directory;

  private static <T> T inAnotherThread(Callable<T> body) throws Exception {
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      return Limit.get(thread.submit(body));
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  @Test
  void anObjectThatIsNotCommittedIsNobodyElses() throws Exception {
    try (Heap heap = Heap.inMemory()) {
      AtomicReference<Node> made = new AtomicReference<>();
      heap.transact(
          () -> {
            made.set(heap.create(Node.class, n -> n.id(7)));
            assertThat(made.get().id()).isEqualTo(7);
            assertThatThrownBy(() -> inAnotherThread(() -> made.get().id()))
                .isInstanceOf(GoneException.class);
          });
      assertThat(inAnotherThread(() -> made.get().id())).isEqualTo(7);
      assertThat(made.get().id()).isEqualTo(7);
    }
  }

  @Test
  void anObjectWhoseTransactionWasRolledBackIsGone() {
    try (Heap heap = Heap.inMemory()) {
      AtomicReference<Node> made = new AtomicReference<>();
      assertThatThrownBy(
              () ->
                  heap.transact(
                      () -> {
                        made.set(heap.create(Node.class, n -> n.id(7)));
                        throw new IllegalArgumentException("no");
                      }))
          .isInstanceOf(IllegalArgumentException.class);
      Node other = heap.create(Node.class, n -> n.id(8));
      assertThatThrownBy(() -> made.get().id()).isInstanceOf(GoneException.class);
      assertThat(other.id()).isEqualTo(8);
    }
  }

  @Test
  void anObjectIsGoneWhenItWasFreedAndOthersAreNot() {
    try (Heap heap = Heap.inMemory()) {
      Node one = heap.create(Node.class, n -> n.id(1));
      Node two = heap.create(Node.class, n -> n.id(2));
      assertThat(one.id() + two.id()).isEqualTo(3);
      heap.free(one);
      assertThatThrownBy(one::id).isInstanceOf(GoneException.class);
      assertThat(two.id()).isEqualTo(2);
      heap.transact(
          () -> {
            two.id(3);
            heap.free(two);
            assertThatThrownBy(two::id).isInstanceOf(GoneException.class);
            assertThatThrownBy(() -> two.id(4)).isInstanceOf(GoneException.class);
          });
      assertThatThrownBy(two::id).isInstanceOf(GoneException.class);
    }
  }

  @Test
  void aFreeThatWasRolledBackTakesNothingAway() {
    try (Heap heap = Heap.inMemory()) {
      Node node = heap.create(Node.class, n -> n.id(1));
      heap.transact(
          () -> {
            assertThatThrownBy(
                    () ->
                        heap.transact(
                            () -> {
                              heap.free(node);
                              throw new IllegalArgumentException("no");
                            }))
                .isInstanceOf(IllegalArgumentException.class);
            assertThat(node.id()).isEqualTo(1);
            node.id(2);
          });
      assertThat(node.id()).isEqualTo(2);
    }
  }

  /** Where objects of one kind were, blocks of another come, whose words look like headers. */
  @Test
  void aWordThatLooksLikeTheHeaderIsNotTakenForTheObject() {
    try (Heap heap = Heap.open(directory.resolve("heap"))) {
      List<Node> nodes = new ArrayList<>();
      heap.transact(
          () -> {
            for (int i = 0; i < 30_000; i++) {
              nodes.add(heap.create(Node.class, n -> n.id(7)));
            }
          });
      long header = StoredObjects.header(nodes.get(20_000));
      nodes.forEach(node -> assertThat(node.id()).isEqualTo(7));
      heap.transact(() -> nodes.forEach(heap::free));
      for (int i = 0; i < 8; i++) {
        heap.root("words" + i, DurableLongArray.ofLength(30_000)).fill(header);
      }
      for (Node node : nodes) {
        assertThatThrownBy(node::id).isInstanceOf(GoneException.class);
        assertThatThrownBy(() -> node.id(1)).isInstanceOf(GoneException.class);
      }
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  @Test
  void readersFollowAnImageThatIsMappedAnew() throws Exception {
    EngineOptions o = EngineOptions.defaults();
    EngineOptions tight =
        new EngineOptions(
            1L << 30,
            22,
            1 << 22,
            1 << 18,
            1 << 19,
            1L << 28,
            1 << 20,
            o.lockTimeoutNanos(),
            false,
            o.lockTimeoutNanos(),
            true);
    try (Heap heap = HeapSettings.options(Heap.builder(directory.resolve("heap")), tight).open()) {
      List<Account> accounts = new ArrayList<>();
      heap.transact(
          () -> {
            for (int i = 0; i < 60_000; i++) {
              accounts.add(heap.create(Account.class));
            }
          });
      AtomicBoolean done = new AtomicBoolean();
      try (ExecutorService threads = Executors.newFixedThreadPool(1)) {
        var reader =
            threads.submit(
                () -> {
                  long[] last = new long[accounts.size()];
                  do {
                    for (int i = 0; i < last.length; i += 97) {
                      long balance = accounts.get(i).balance();
                      assertThat(balance).isGreaterThanOrEqualTo(last[i]);
                      last[i] = balance;
                    }
                  } while (!done.get());
                });
        try {
          for (long round = 1; round <= 12; round++) {
            long balance = round;
            heap.transact(() -> accounts.forEach(account -> account.balance(balance)));
            for (int i = 0; i < accounts.size(); i += 31) {
              assertThat(accounts.get(i).balance()).isEqualTo(round);
            }
          }
        } finally {
          done.set(true);
        }
        Limit.get(reader);
      }
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  /** What a dangling reference names may have been cut off when the heap was opened before. */
  @Test
  void aReferenceBehindTheEndOfTheHeapIsStale() {
    try (Heap heap = Heap.inMemory()) {
      Node node = heap.create(Node.class);
      long behind = Reference.of(1L << 43, 1);
      heap.transact(
          () ->
              FieldAccess.putLong(
                  (DurableObject) node, StoredObjects.offset(node, "next"), behind));
      assertThatThrownBy(node.next()::id).isInstanceOf(GoneException.class);
    }
  }

  @Test
  void aClosedHeapSaysSo() {
    Heap heap = Heap.inMemory();
    Node node = heap.create(Node.class, n -> n.id(7));
    assertThat(node.id()).isEqualTo(7);
    heap.close();
    assertThatThrownBy(node::id).isInstanceOf(ClosedException.class);
    assertThatThrownBy(node::next).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> node.id(1)).isInstanceOf(ClosedException.class);
  }
}
