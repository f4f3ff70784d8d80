package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.collection.DurableDeque;
import io.everheap.collection.DurableList;
import io.everheap.collection.DurablePriorityQueue;
import io.everheap.support.tier.Campaign;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Crashes lists, deques and priority queues: what is found is what some step left. */
@Campaign
class SequenceCrashTest {
  private static final int EFFORT = Integer.getInteger("everheap.crash.effort", 1);
  private static final int FIRST = Integer.getInteger("everheap.crash.seed", 1);
  private static final int STEPS = 40;

  /** What the three structures hold. */
  private record State(List<String> list, List<Long> deque, List<String> queue) {
    static State empty() {
      return new State(List.of(), List.of(), List.of());
    }

    static State of(Heap heap) {
      return new State(
          List.copyOf(listOf(heap)), List.copyOf(dequeOf(heap)), List.copyOf(queueOf(heap)));
    }
  }

  @Test
  void whatAStepDidIsThereWhollyOrNotAtAll() {
    List<State> states = states();
    CrashTest.of(
            (heap, steps) -> {
              for (int i = 0; i < STEPS; i++) {
                int step = i;
                steps.begin();
                heap.transact(() -> change(step, listOf(heap), dequeOf(heap), queueOf(heap)));
                steps.end();
                if (i % 13 == 7) {
                  heap.checkpoint();
                }
              }
            })
        .seeds(FIRST, EFFORT)
        .effort(3, 4)
        .verify(
            (heap, progress) -> {
              State found = State.of(heap);
              assertThat(states.subList(progress.least(), progress.most() + 1)).contains(found);
              assertThat(heap.verify().problems()).isEmpty();
            });
  }

  /** The states after each step, worked out on collections of the JDK. */
  private static List<State> states() {
    List<State> states = new ArrayList<>(List.of(State.empty()));
    List<String> list = new ArrayList<>();
    Deque<Long> deque = new ArrayDeque<>();
    Queue<String> queue = new PriorityQueue<>();
    for (int i = 0; i < STEPS; i++) {
      change(i, list, deque, queue);
      List<String> sorted = queue.stream().sorted().toList();
      states.add(new State(List.copyOf(list), List.copyOf(deque), sorted));
    }
    return states;
  }

  /** One step; large ones split and join nodes, and free structures in the background. */
  private static void change(
      int step, List<String> list, Deque<Long> deque, Collection<String> queue) {
    var random = new Random(step);
    for (int i = random.nextInt(step % 9 == 4 ? 300 : 5); i >= 0; i--) {
      list.add(random.nextInt(list.size() + 1), "text " + random.nextInt(1000));
      queue.add("job " + random.nextInt(1000));
      if (random.nextBoolean()) {
        deque.addFirst(random.nextLong());
      } else {
        deque.addLast(random.nextLong());
      }
    }
    if (step % 3 == 2) {
      list.subList(list.size() / 3, list.size() / 2).clear();
      list.removeIf(text -> text.endsWith("7"));
      deque.removeIf(value -> value % 5 == 0);
      deque.pollFirst();
      deque.pollLast();
      queue.remove(queue.iterator().next());
    }
    if (step % 17 == 16) {
      list.clear();
      deque.clear();
      queue.clear();
    }
  }

  /** A job is in the queue of those to do or in that of those done, exactly once. */
  @Test
  void aJobThatMovesBetweenQueuesIsNeitherLostNorDoubled() {
    int jobs = 100;
    CrashTest.of(
            (heap, steps) -> {
              DurableDeque<String> todo = heap.deque("todo", String.class);
              DurableDeque<String> done = heap.deque("done", String.class);
              steps.begin();
              heap.transact(
                  () -> {
                    for (int i = 0; i < jobs; i++) {
                      todo.add("job " + i);
                    }
                  });
              steps.end();
              for (int i = 0; i < jobs; i++) {
                steps.begin();
                heap.transact(() -> done.add(todo.remove()));
                steps.end();
              }
            })
        .seeds(FIRST, EFFORT)
        .effort(3, 4)
        .verify(
            (heap, progress) -> {
              List<String> all = new ArrayList<>(heap.deque("done", String.class));
              int done = all.size();
              all.addAll(heap.deque("todo", String.class));
              if (progress.least() > 0) {
                assertThat(all).hasSize(jobs);
                assertThat(done).isBetween(progress.least() - 1, Math.max(0, progress.most() - 1));
              }
              for (int i = 0; i < all.size(); i++) {
                assertThat(all.get(i)).isEqualTo("job " + i);
              }
              assertThat(heap.verify().problems()).isEmpty();
            });
  }

  private static DurableList<String> listOf(Heap heap) {
    return heap.list("list", String.class);
  }

  private static DurableDeque<Long> dequeOf(Heap heap) {
    return heap.deque("deque", Long.class);
  }

  private static DurablePriorityQueue<String> queueOf(Heap heap) {
    return heap.priorityQueue("queue", String.class);
  }
}
