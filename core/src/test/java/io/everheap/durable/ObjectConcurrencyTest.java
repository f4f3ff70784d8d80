package io.everheap.durable;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.durable.Zoo.Account;
import io.everheap.durable.Zoo.Node;
import io.everheap.durable.Zoo.Values;
import io.everheap.error.GoneException;
import io.everheap.support.Limit;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.Test;

/** Readers beside a writer, without a lock. */
class ObjectConcurrencyTest {
  private static final int ROUNDS = 5_000;

  private final AtomicBoolean done = new AtomicBoolean();

  /** Runs readers until the writer is done; fails as they do. */
  private void race(Runnable writer, Runnable reader) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
      List<Future<?>> readers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        readers.add(
            threads.submit(
                () -> {
                  do {
                    reader.run();
                  } while (!done.get());
                }));
      }
      try {
        writer.run();
      } finally {
        done.set(true);
      }
      for (Future<?> each : readers) {
        Limit.get(each);
      }
    }
  }

  @Test
  void aReaderSeesWholeValues() throws Exception {
    try (Heap heap = Heap.inMemory()) {
      Values o = heap.create(Values.class);
      race(
          () -> {
            for (int i = 0; i < ROUNDS; i++) {
              int n = i;
              heap.transact(
                  () -> {
                    o.text(n % 7 == 0 ? null : String.valueOf(n % 10).repeat(1 + n % 40));
                    o.boxed(n % 3 == 0 ? null : (Long) (1L + n));
                    o.day(n % 3 == 1 ? null : LocalDate.ofEpochDay(1 + n));
                  });
            }
          },
          () -> {
            String text = o.text();
            if (text != null) {
              assertThat(text).matches("(.)\\1*");
            }
            Long boxed = o.boxed();
            assertThat(boxed == null || boxed > 0).isTrue();
            LocalDate day = o.day();
            assertThat(day == null || day.toEpochDay() > 0).isTrue();
          });
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  @Test
  void aConsistentReadSeesOneState() throws Exception {
    try (Heap heap = Heap.inMemory()) {
      Account a = heap.create(Account.class, x -> x.balance(100));
      Account b = heap.create(Account.class, x -> x.balance(100));
      race(
          () -> {
            for (int i = 0; i < ROUNDS; i++) {
              int amount = i % 50;
              heap.transact(
                  () -> {
                    a.deposit(-amount);
                    b.deposit(amount);
                  });
            }
          },
          () -> assertThat((long) heap.read(() -> a.balance() + b.balance())).isEqualTo(200));
    }
  }

  /** The space of a freed object is used again at once, for objects of its own and other types. */
  @Test
  void aReaderOfAFreedObjectNeverSeesAnother() throws Exception {
    try (Heap heap = Heap.inMemory()) {
      Node root = heap.create(Node.class);
      root.next(heap.create(Node.class, n -> n.id(7)));
      race(
          () -> {
            for (int i = 0; i < ROUNDS; i++) {
              heap.transact(
                  () -> {
                    heap.free(root.next());
                    root.next(heap.create(Node.class, n -> n.id(7)));
                  });
              Account other = heap.create(Account.class, x -> x.balance(-1));
              heap.free(other);
            }
          },
          () -> {
            Node next = root.next();
            try {
              assertThat(next.id()).isEqualTo(7);
              assertThat(next.shape()).isNull();
            } catch (GoneException e) {
              // it was freed since
            }
          });
    }
  }

  /** Handles are kept and read again and again while their objects come and go. */
  @Test
  void aHeldHandleNeverShowsTheNextObjectInItsPlace() throws Exception {
    try (Heap heap = Heap.inMemory()) {
      int places = 16;
      AtomicReferenceArray<Node> held = new AtomicReferenceArray<>(places);
      for (int i = 0; i < places; i++) {
        int id = i;
        held.set(i, heap.create(Node.class, n -> n.id(id)));
      }
      race(
          () -> {
            for (int i = 0; i < ROUNDS; i++) {
              int round = i;
              Node old = held.get(i % places);
              heap.free(old);
              held.set(i % places, heap.create(Node.class, n -> n.id(round % places)));
              if (i % 7 == 0) {
                heap.free(heap.create(Account.class, x -> x.balance(-1)));
              }
            }
          },
          () -> {
            for (int i = 0; i < places; i++) {
              Node node = held.get(i);
              try {
                assertThat(node.id()).isEqualTo(i);
                assertThat(node.id()).isEqualTo(i);
                assertThat(node.next()).isNull();
              } catch (GoneException e) {
                // it was freed since
              }
            }
          });
      assertThat(heap.verify().problems()).isEmpty();
    }
  }
}
