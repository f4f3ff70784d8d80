package io.everheap.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.everheap.error.HeapClosedException;
import io.everheap.error.PoisonedException;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Timed syncs of a log that is not there. */
class LogSyncTest {
  private static final GroupCommit.Refusals REFUSALS =
      new GroupCommit.Refusals("nowhere", HeapClosedException::new, PoisonedException::new);

  private static class Nowhere implements LogSync.Target {
    @Override
    public long appended() {
      return 0;
    }

    @Override
    public long write(long durable, long to) {
      return to;
    }
  }

  private final LogSync sync = new LogSync(REFUSALS, "nowhere", 0, 1_000_000, new Nowhere());

  /** As an error of the virtual machine leaves it that strikes again while it is reported. */
  @Test
  void theEndOfTheThreadIsReportedByARecheck() throws Exception {
    List<Throwable> reported = new ArrayList<>();
    sync.group().onFailure(reported::add);
    Throwable death = new StackOverflowError("made up");
    Field timer = LogSync.class.getDeclaredField("timer");
    timer.setAccessible(true);
    Field field = LogTimer.class.getDeclaredField("death");
    field.setAccessible(true);
    field.set(timer.get(sync), death);
    sync.recheck();
    assertThat(reported).containsExactly(death);
    sync.recheck();
    assertThat(reported).hasSize(1);
    assertThatExceptionOfType(PoisonedException.class).isThrownBy(sync::check).withCause(death);
    sync.close();
  }

  /** A thread that the operating system refuses to start at first. */
  private static final class Refused extends Thread {
    volatile boolean allowed;

    Refused(Runnable task) {
      super(task, "everheap-log-test");
    }

    @Override
    public synchronized void start() {
      if (!allowed) {
        throw new OutOfMemoryError("unable to create native thread");
      }
      super.start();
    }
  }

  @Test
  void aLogWhoseThreadIsRefusedIsSyncedByEachRecheckUntilOneStartsIt() {
    AtomicLong appended = new AtomicLong();
    List<Refused> threads = new ArrayList<>();
    LogSync refused =
        new LogSync(
            REFUSALS,
            0,
            3_600_000_000_000L,
            new Nowhere() {
              @Override
              public long appended() {
                return appended.get();
              }
            },
            task -> {
              threads.add(new Refused(task));
              return threads.getLast();
            });
    refused.recheck(); // it is not to be started yet
    refused.start();
    appended.set(5);
    refused.recheck();
    assertThat(refused.group().durable()).isEqualTo(5);
    threads.getFirst().allowed = true;
    refused.recheck();
    assertThat(threads.getFirst().isAlive()).isTrue();
    refused.close();
  }
}
