package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.memory.MediumFile;
import io.everheap.testkit.machine.CrashPoint;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The order in which two actions write to a file. The steps of a write are before and after it. */
class InterleavingTest {
  private final Interleaving interleaving = new Interleaving();
  private final SimulatedMedium medium = SimulatedMedium.file(1);
  private final MediumFile file = HookedMedium.of(medium, interleaving).create("file");
  private final List<Integer> written = new ArrayList<>(); // guarded by the medium's lock
  private final Lock lock = new ReentrantLock();
  private final Object monitor = new Object();

  @BeforeEach
  void observe() {
    medium.observe(
        point -> {
          if (point.kind() == CrashPoint.Kind.WRITE) {
            written.add((int) point.position());
          }
        });
  }

  @AfterEach
  void close() {
    file.close();
    medium.close();
  }

  @Test
  void theSecondActionRunsAtTheChosenStep() throws InterruptedException {
    assertThat(order(() -> write(1, 2, 3), 1, () -> write(8, 9))).containsExactly(8, 9, 1, 2, 3);
    assertThat(order(() -> write(1, 2, 3), 2, () -> write(8, 9))).containsExactly(1, 8, 9, 2, 3);
    assertThat(order(() -> write(1, 2, 3), 6, () -> write(8, 9))).containsExactly(1, 2, 3, 8, 9);
  }

  @Test
  void theSecondActionDoesNotRunIfThereIsNoSuchStep() throws InterruptedException {
    assertThat(interleaving.run(() -> write(1), true, 3, () -> write(9), 0)).isFalse();
    assertThat(written).containsExactly(1);
  }

  @Test
  void anActionThatWaitsForALockRunsAtTheStepAfterItIsFree() throws InterruptedException {
    for (int at = 1; at <= 5; at++) {
      assertThat(order(() -> locked(1, 2, 3), at, () -> locked(9))).containsExactly(1, 2, 9, 3);
    }
  }

  @Test
  void soDoesOneThatWaitsForAMonitor() throws InterruptedException {
    for (int at = 1; at <= 5; at++) {
      assertThat(order(() -> inMonitor(1, 2, 3), at, () -> inMonitor(9)))
          .containsExactly(1, 2, 9, 3);
    }
  }

  @Test
  void aStoppedActionContinuesWhenTheOtherOneWaitsForIt() throws InterruptedException {
    Runnable first =
        () -> {
          write(1);
          locked(2);
        };
    interleaving.run(first, true, 1, () -> locked(7, 8, 9), 3);
    assertThat(written).containsExactly(7, 1, 8, 9, 2);
  }

  private List<Integer> order(Runnable first, int at, Runnable second) throws InterruptedException {
    written.clear();
    assertThat(interleaving.run(first, true, at, second, 0)).isTrue();
    return List.copyOf(written);
  }

  /** Writes all but the last number, of several, with the lock held. */
  private void locked(int... numbers) {
    lock.lock();
    try {
      write(numbers, 0, inside(numbers));
    } finally {
      lock.unlock();
    }
    write(numbers, inside(numbers), numbers.length);
  }

  /** The same with the monitor. */
  private void inMonitor(int... numbers) {
    synchronized (monitor) {
      write(numbers, 0, inside(numbers));
    }
    write(numbers, inside(numbers), numbers.length);
  }

  private static int inside(int[] numbers) {
    return Math.max(1, numbers.length - 1);
  }

  private void write(int... numbers) {
    write(numbers, 0, numbers.length);
  }

  private void write(int[] numbers, int from, int to) {
    for (int i = from; i < to; i++) {
      file.write(ByteBuffer.allocate(1), numbers[i]); // the position tells which
    }
  }
}
