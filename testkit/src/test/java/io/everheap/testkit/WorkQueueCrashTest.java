package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.collection.DurableList;
import io.everheap.collection.DurableWorkQueue;
import io.everheap.collection.Lease;
import io.everheap.support.tier.Campaign;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Crashes work queues while jobs are leased, returned and acknowledged: each job is in the queue or
 * its result is stored, never both; the next process can lease all that are in the queue, at once.
 */
@Campaign
class WorkQueueCrashTest {
  private static final int EFFORT = Integer.getInteger("everheap.crash.effort", 1);
  private static final int STEPS = 30;
  private static final Duration LONG = Duration.ofDays(1);

  /** Results of steps, worked out by a run that nothing disturbed. */
  private record State(List<String> queue, List<String> results) {
    static State of(Heap heap) {
      return new State(queueOf(heap).stream().toList(), List.copyOf(resultsOf(heap)));
    }
  }

  @Test
  void eachJobIsInTheQueueOrItsResultIsStored() {
    List<State> states = new ArrayList<>();
    try (Heap heap = Heap.inMemory()) {
      Worker worker = new Worker(heap);
      states.add(State.of(heap));
      for (int i = 0; i < STEPS; i++) {
        worker.step(i);
        states.add(State.of(heap));
      }
    }
    CrashTest.of(
            (heap, steps) -> {
              Worker worker = new Worker(heap);
              for (int i = 0; i < STEPS; i++) {
                steps.begin();
                worker.step(i);
                steps.end();
                if (i % 13 == 7) {
                  heap.checkpoint();
                }
              }
            })
        .seeds(1, EFFORT)
        .effort(3, 4)
        .verify(
            (heap, progress) -> {
              State found = State.of(heap);
              assertThat(states.subList(progress.least(), progress.most() + 1)).contains(found);
              assertThat(heap.verify().problems()).isEmpty();
              assertThat(queueOf(heap).leased()).isZero();
              assertThatThrownBy(() -> heap.transact(() -> doAll(heap, found)))
                  .isInstanceOf(Undo.class); // what is found is to be found again
            });
  }

  private static final class Undo extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** What the next process does. */
  private static void doAll(Heap heap, State found) {
    DurableWorkQueue<String> queue = queueOf(heap);
    for (Lease<String> lease = queue.tryLease(LONG); lease != null; lease = queue.tryLease(LONG)) {
      Lease<String> held = lease;
      heap.transact(
          () -> {
            resultsOf(heap).add(held.element());
            held.acknowledge();
          });
    }
    assertThat(queue.isEmpty()).isTrue();
    List<String> done = new ArrayList<>(found.results());
    done.addAll(found.queue());
    assertThat(resultsOf(heap)).containsExactlyInAnyOrderElementsOf(done);
    throw new Undo();
  }

  private static DurableWorkQueue<String> queueOf(Heap heap) {
    return heap.workQueue("queue", String.class);
  }

  private static DurableList<String> resultsOf(Heap heap) {
    return heap.list("results", String.class);
  }

  /** Does steps that depend on their number alone; each is one transaction. */
  private static final class Worker {
    private final Heap heap;
    private final List<Lease<String>> leases = new ArrayList<>();

    Worker(Heap heap) {
      this.heap = heap;
    }

    void step(int step) {
      Random random = new Random(step);
      heap.transact(
          () -> {
            switch (step % 5) {
              case 0 -> {
                for (int i = random.nextInt(step % 4 == 0 ? 150 : 5); i >= 0; i--) {
                  queueOf(heap).add("job " + step + "." + i);
                }
              }
              case 1, 3 -> {
                for (int i = random.nextInt(40); i >= 0; i--) {
                  Lease<String> lease = queueOf(heap).tryLease(LONG.plusSeconds(i));
                  if (lease != null) {
                    leases.add(lease);
                  }
                }
              }
              case 2 -> {
                for (int i = random.nextInt(9); i >= 0 && !leases.isEmpty(); i--) {
                  Lease<String> any = leases.remove(random.nextInt(leases.size()));
                  if (i % 2 == 0) {
                    any.extend(LONG.multipliedBy(2));
                    leases.add(any);
                  } else {
                    assertThat(any.release()).isTrue();
                  }
                }
              }
              default -> {
                for (int i = random.nextInt(60); i >= 0 && !leases.isEmpty(); i--) {
                  Lease<String> any = leases.remove(random.nextInt(leases.size()));
                  resultsOf(heap).add(any.element());
                  any.acknowledge();
                }
              }
            }
          });
    }
  }
}
