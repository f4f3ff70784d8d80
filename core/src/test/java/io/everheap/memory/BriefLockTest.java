package io.everheap.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BriefLockTest {
  @Test
  void itIsWantedWhileAThreadWaits() throws InterruptedException {
    BriefLock lock = new BriefLock();
    lock.lock();
    assertThat(lock.isWanted()).isFalse();
    Thread waiting =
        Thread.ofPlatform()
            .start(
                () -> {
                  lock.lock();
                  lock.unlock();
                });
    while (!lock.isWanted()) {
      Thread.onSpinWait();
    }
    lock.unlock();
    waiting.join();
    assertThat(lock.isWanted()).isFalse();
    assertThat(lock.tryLock()).isTrue();
    assertThat(lock.tryLock()).isFalse();
  }

  @Test
  void anInterruptedThreadWaitsAndStaysInterrupted() throws InterruptedException {
    BriefLock lock = new BriefLock();
    lock.lock();
    boolean[] interrupted = new boolean[1];
    Thread waiting =
        Thread.ofPlatform()
            .start(
                () -> {
                  lock.lock();
                  interrupted[0] = Thread.currentThread().isInterrupted();
                });
    waiting.interrupt();
    while (!lock.isWanted()) {
      Thread.onSpinWait();
    }
    while (waiting.isInterrupted()) { // until it has slept, and was woken
      Thread.onSpinWait();
    }
    assertThat(lock.isWanted()).isTrue();
    assertThat(waiting.isAlive()).isTrue();
    lock.unlock();
    waiting.join();
    assertThat(interrupted[0]).isTrue();
  }
}
