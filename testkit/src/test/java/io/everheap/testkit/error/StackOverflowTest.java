package io.everheap.testkit.error;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.error.StoppedException;
import io.everheap.support.Limit;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.CrashImage;
import io.everheap.testkit.machine.SimulatedMedium;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A thread whose stack is nearly used up writes to a heap: it catches the StackOverflowErrors and
 * goes on. They strike wherever the stack happens to end, also in the JDK and in compiled code.
 */
class StackOverflowTest {
  private static final long STACK = 256 << 10;
  private static final int ROUNDS = 4 * Integer.getInteger("everheap.crash.effort", 1);
  private static final int LATER = 50;

  private final Map<Long, Long> acknowledged = new TreeMap<>();
  private final Map<Long, Long> unknown = new TreeMap<>();
  private long next;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void loseNothingThatIsAcknowledgedAfterThemOnFiles(boolean sync) throws Exception {
    everyRound(SimulatedMedium.file(11), sync);
  }

  @Test
  void loseNothingThatIsAcknowledgedAfterThemOnPersistentMemory() throws Exception {
    everyRound(SimulatedMedium.dax(11), true);
  }

  /** Each round goes on with what the one before left when it was killed. */
  private void everyRound(SimulatedMedium first, boolean sync) throws Exception {
    HeapProgram program =
        new HeapProgram(
            () -> first, sync ? Durability.SYNC : Durability.async(Duration.ofMinutes(30)));
    SimulatedMedium medium = first;
    for (int round = 0; round < ROUNDS; round++) {
      Heap heap = program.open(medium);
      DurableMap<Long, Long> map = map(heap);
      put(map);
      inSmallStack(() -> dig(map));
      writesOrSaysWhyNot(heap, map);
      CrashImage image = medium.image();
      if (sync) {
        check(program, image.powerLoss(Chooser.none()));
      }
      check(program, image.processKill());
      heap.close();
      medium = image.processKill();
      acknowledged.putAll(settle(program, image));
      unknown.clear();
    }
    assertThat(acknowledged).isNotEmpty();
  }

  private static DurableMap<Long, Long> map(Heap heap) {
    return heap.map("numbers", Long.class, Long.class);
  }

  private static void inSmallStack(Runnable body) throws InterruptedException {
    Throwable[] failure = new Throwable[1];
    Thread thread =
        new Thread(
            null,
            () -> {
              try {
                body.run();
              } catch (Throwable t) {
                failure[0] = t;
              }
            },
            "small stack",
            STACK);
    thread.start();
    Limit.join(thread);
    assertThat(failure[0]).isNull();
  }

  /** Uses the stack up, and writes at each depth on the way back. */
  @SuppressWarnings("InfiniteRecursion") // until the stack is used up
  private boolean dig(DurableMap<Long, Long> map) {
    boolean goOn;
    try {
      goOn = dig(map);
    } catch (StackOverflowError e) {
      goOn = true;
    }
    return goOn && tryPut(map);
  }

  /** False when the heap is poisoned, or the stack suffices. */
  private boolean tryPut(DurableMap<Long, Long> map) {
    try {
      put(map);
      return false;
    } catch (StackOverflowError e) {
      return true;
    } catch (StoppedException e) {
      return false;
    }
  }

  private void put(DurableMap<Long, Long> map) {
    Long key = next++;
    unknown.put(key, key);
    map.put(key, key);
    acknowledged.put(key, key);
  }

  private void writesOrSaysWhyNot(Heap heap, DurableMap<Long, Long> map) {
    try {
      for (int i = 0; i < LATER; i++) {
        put(map);
      }
      assertThat(heap.isOpen()).isTrue();
    } catch (StoppedException e) {
      assertThat(e).hasCauseInstanceOf(Throwable.class);
      assertThat(heap.isOpen()).isFalse();
    }
  }

  private void check(HeapProgram program, SimulatedMedium after) {
    Map<Long, Long> found = contents(program, after);
    assertThat(found).containsAllEntriesOf(acknowledged);
    assertThat(found.keySet()).allMatch(k -> acknowledged.containsKey(k) || unknown.containsKey(k));
  }

  private static Map<Long, Long> settle(HeapProgram program, CrashImage image) {
    return contents(program, image.processKill());
  }

  private static Map<Long, Long> contents(HeapProgram program, SimulatedMedium medium) {
    try (Heap heap = program.open(medium)) {
      program.verify(heap);
      return new TreeMap<>(map(heap));
    }
  }
}
