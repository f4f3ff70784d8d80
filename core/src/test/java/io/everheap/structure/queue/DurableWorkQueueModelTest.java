package io.everheap.structure.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.collection.DurableWorkQueue;
import io.everheap.collection.Lease;
import io.everheap.collection.Shape;
import io.everheap.collection.Shapes;
import io.everheap.error.LeaseLostException;
import io.everheap.heap.OpenHeap;
import io.everheap.support.tier.Campaign;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import org.jspecify.annotations.Nullable;

/** Random operations, alone and in transactions, do to a work queue what they do to a list. */
@Campaign
class DurableWorkQueueModelTest {
  private static final Heap HEAP = Heap.inMemory();
  private static final AtomicLong CLOCK = new AtomicLong();

  @AfterContainer
  static void nothingIsLeft() {
    OpenHeap.engine(HEAP).drainHousekeeping();
    assertThat(HEAP.verify().problems()).isEmpty();
    assertThat(HEAP.names()).isEmpty();
    HEAP.close();
  }

  @Property(tries = 50)
  void queuesOfWordsFollowTheModel(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 400) int steps) {
    follow(Shapes.of("work queue", Long.class, (LongSupplier) CLOCK::get), i -> i, seed, steps);
  }

  @Property(tries = 50)
  void queuesOfTextsFollowTheModel(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 400) int steps) {
    follow(
        Shapes.of("work queue", String.class, (LongSupplier) CLOCK::get),
        i -> "text " + i,
        seed,
        steps);
  }

  private static <E> void follow(
      Shape<DurableWorkQueue<E>> shape, LongFunction<E> element, long seed, int steps) {
    try {
      var run = new Run<>(HEAP.root("queue", shape), element, new Random(seed));
      for (int i = 0; i < steps; i++) {
        run.step();
      }
      assertThat(HEAP.verify().problems()).isEmpty();
    } finally {
      HEAP.remove("queue");
    }
  }

  private static final class Undo extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * What a queue holds of an element.
   *
   * @param number of the element, in the order of adding
   * @param lease that holds it, or null
   */
  private record Item(long number, @Nullable Object lease, long end, long attempts) {
    boolean isFree(long now) {
      return attempts == 0 || end <= now;
    }
  }

  /** A queue, and what it must hold. */
  private static final class Run<E> {
    private final DurableWorkQueue<E> queue;
    private final LongFunction<E> element;
    private final Random random;
    private final List<Lease<E>> leases = new ArrayList<>();
    private List<Item> model = new ArrayList<>();
    private long added;

    Run(DurableWorkQueue<E> queue, LongFunction<E> element, Random random) {
      this.queue = queue;
      this.element = element;
      this.random = random;
    }

    void step() {
      switch (random.nextInt(8)) {
        case 0 -> HEAP.transact(this::several);
        case 1 -> rollBack();
        case 2 ->
            HEAP.transact(
                () -> {
                  operation();
                  rollBack();
                  HEAP.transact(this::operation);
                });
        default -> operation();
      }
      CLOCK.addAndGet(random.nextInt(4));
      assertThat(queue.size()).isEqualTo(model.size());
      assertThat((long) queue.leased())
          .isEqualTo(model.stream().filter(item -> !item.isFree(CLOCK.get())).count());
      if (random.nextInt(10) == 0) {
        assertThat(queue.stream().toList())
            .isEqualTo(model.stream().map(item -> element.apply(item.number())).toList());
      }
    }

    private void several() {
      for (int i = random.nextInt(6); i >= 0; i--) {
        operation();
      }
    }

    private void rollBack() {
      List<Item> before = new ArrayList<>(model);
      try {
        HEAP.transact(
            () -> {
              several();
              throw new Undo();
            });
      } catch (Undo e) {
        model = before;
      }
    }

    private void operation() {
      switch (random.nextInt(12)) {
        case 0, 1, 2 -> add(1);
        case 3 -> add(random.nextInt(90));
        case 4, 5, 6 -> lease();
        case 7 -> {
          for (int i = random.nextInt(60); i >= 0; i--) {
            lease();
          }
        }
        case 8, 9 -> end(true);
        case 10 -> end(false);
        default -> {
          switch (random.nextInt(8)) {
            case 0 -> {
              queue.clear();
              model = new ArrayList<>();
            }
            case 1, 2 -> {
              for (int i = random.nextInt(80); i >= 0; i--) {
                end(true);
              }
            }
            case 3 -> CLOCK.addAndGet(random.nextInt(60));
            default -> extend();
          }
        }
      }
    }

    private void add(int count) {
      List<E> elements = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        elements.add(element.apply(added));
        model.add(new Item(added++, null, 0, 0));
      }
      queue.addAll(elements);
    }

    private void lease() {
      long now = CLOCK.get();
      long time = 1L + random.nextInt(50);
      Lease<E> lease = queue.tryLease(Duration.ofNanos(time));
      Item next =
          model.stream()
              .filter(item -> item.isFree(now))
              .min(
                  Comparator.comparing((Item item) -> item.attempts() == 0)
                      .thenComparingLong(Item::end)
                      .thenComparingLong(Item::number))
              .orElse(null);
      if (next == null) {
        assertThat(lease).isNull();
        return;
      }
      assertThat(lease).isNotNull();
      assertThat(lease.element()).isEqualTo(element.apply(next.number()));
      assertThat(lease.attempt()).isEqualTo(next.attempts() + 1);
      set(next, new Item(next.number(), lease, now + time, next.attempts() + 1));
      leases.add(lease);
    }

    private void set(Item old, @Nullable Item item) {
      List<Item> changed = new ArrayList<>(model);
      if (item == null) {
        changed.remove(old);
      } else {
        changed.set(changed.indexOf(old), item);
      }
      model = changed;
    }

    private @Nullable Item heldBy(Lease<E> lease) {
      return model.stream().filter(item -> lease.equals(item.lease())).findFirst().orElse(null);
    }

    private @Nullable Lease<E> any() {
      return leases.isEmpty() ? null : leases.get(random.nextInt(leases.size()));
    }

    /** Acknowledges or releases a lease, which may be over. */
    private void end(boolean done) {
      Lease<E> lease = any();
      if (lease == null) {
        return;
      }
      Item held = heldBy(lease);
      if (done && held == null) {
        assertThatThrownBy(lease::acknowledge).isInstanceOf(LeaseLostException.class);
      } else if (done) {
        lease.acknowledge();
        set(held, null);
      } else {
        long delay = random.nextInt(3) * 10L;
        assertThat(lease.release(Duration.ofNanos(delay))).isEqualTo(held != null);
        if (held != null) {
          set(held, new Item(held.number(), null, CLOCK.get() + delay, held.attempts()));
        }
      }
    }

    private void extend() {
      Lease<E> lease = any();
      if (lease == null) {
        return;
      }
      Item held = heldBy(lease);
      long time = 1L + random.nextInt(80);
      if (held == null) {
        assertThatThrownBy(() -> lease.extend(Duration.ofNanos(time)))
            .isInstanceOf(LeaseLostException.class);
      } else {
        lease.extend(Duration.ofNanos(time));
        set(held, new Item(held.number(), lease, CLOCK.get() + time, held.attempts()));
      }
    }
  }
}
