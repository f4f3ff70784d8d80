package io.everheap.jcache.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.support.Limit;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A listener whose queue stopped would never get another event. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SerialQueueTest {
  private SerialQueue queue = new SerialQueue();
  private final List<Integer> ran = new CopyOnWriteArrayList<>();

  /** Adds a task, and returns when it ran. */
  private void runLast(int number) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    queue.add(
        () -> {
          ran.add(number);
          done.countDown();
        });
    Limit.await(done);
  }

  @Test
  void aTaskThatThrowsEndsNoOther() throws Exception {
    queue.add(
        () -> {
          throw new OutOfMemoryError("of the test");
        });
    runLast(1);
    runLast(2);
    assertThat(ran).containsExactly(1, 2);
  }

  @Test
  void whatNoThreadCouldBeStartedForRunsBeforeTheNextTask() throws Exception {
    AtomicBoolean strikes = new AtomicBoolean(true);
    queue =
        new SerialQueue(
            task -> {
              if (strikes.getAndSet(false)) {
                throw new OutOfMemoryError("of the test"); // as the thread is made
              }
              return Thread.ofVirtual().unstarted(task);
            });
    assertThatThrownBy(() -> queue.add(() -> ran.add(1))).isInstanceOf(OutOfMemoryError.class);
    runLast(2);
    assertThat(ran).containsExactly(1, 2);
  }
}
