package io.everheap.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.Limit;
import org.junit.jupiter.api.Test;

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
    Limit.until("the thread waits", lock::isWanted);
    lock.unlock();
    Limit.join(waiting);
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
    Limit.until("the thread waits", lock::isWanted);
    Limit.until("it has slept, and was woken", () -> !waiting.isInterrupted());
    assertThat(lock.isWanted()).isTrue();
    assertThat(waiting.isAlive()).isTrue();
    lock.unlock();
    Limit.join(waiting);
    assertThat(interrupted[0]).isTrue();
  }
}
