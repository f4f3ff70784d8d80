package io.everheap.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.everheap.error.MediumException;
import io.everheap.support.Limit;
import java.lang.reflect.Field;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class LogTimerTest {
  private boolean threads;
  private final CountDownLatch ran = new CountDownLatch(1);
  private final LogTimer timer =
      new LogTimer(ran::countDown, 0, death -> {}, task -> new Refused(task, () -> threads));

  /** A thread that the operating system may refuse to start. */
  private static final class Refused extends Thread {
    private final java.util.function.BooleanSupplier allowed;

    Refused(Runnable task, java.util.function.BooleanSupplier allowed) {
      super(task, "everheap-log-test");
      this.allowed = allowed;
    }

    @Override
    public synchronized void start() {
      if (!allowed.getAsBoolean()) {
        throw new OutOfMemoryError("unable to create native thread");
      }
      super.start();
    }
  }

  @Test
  void aThreadThatCannotBeStartedIsNamed() {
    for (Runnable request :
        new Runnable[] {timer::start, timer::request, () -> timer.requestWithin(1)}) {
      assertThatExceptionOfType(MediumException.class)
          .isThrownBy(request::run)
          .withMessageContaining("cannot start the thread everheap-log-test: unable to create")
          .withMessageContaining("more threads or memory");
    }
    assertThat(timer.late(0)).isFalse();
    timer.stop();
  }

  @Test
  void theNextRequestTriesAgain() throws Exception {
    assertThatExceptionOfType(MediumException.class).isThrownBy(timer::request);
    threads = true;
    timer.request();
    Limit.await(ran);
    timer.stop();
  }

  /** As an error of the virtual machine between the two stores of a request leaves it. */
  @Test
  void aRequestThatLostItsWakeUpIsServedAfterARecheck() throws Exception {
    threads = true;
    timer.start();
    Field requested = LogTimer.class.getDeclaredField("requested");
    requested.setAccessible(true);
    requested.setBoolean(timer, true);
    timer.request(); // wakes no thread, since one is pending
    timer.recheck();
    Limit.await(ran);
    timer.stop();
  }

  @Test
  void whatWasStoppedStartsNoThread() {
    timer.stop();
    timer.request(); // would throw
    assertThat(ran.getCount()).isEqualTo(1);
  }
}
