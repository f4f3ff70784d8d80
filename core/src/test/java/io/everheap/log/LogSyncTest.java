package io.everheap.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.everheap.error.ClosedException;
import io.everheap.error.StoppedException;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Timed syncs of a log that is not there. */
class LogSyncTest {
  private static final class Nowhere implements LogSync.Target {
    @Override
    public long appended() {
      return 0;
    }

    @Override
    public long write(long durable, long to) {
      return to;
    }
  }

  private final LogSync sync =
      new LogSync(
          new GroupCommit.Refusals("nowhere", ClosedException::heap, StoppedException::heap),
          "nowhere",
          0,
          1_000_000,
          new Nowhere());

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
    assertThatExceptionOfType(StoppedException.class).isThrownBy(sync::check).withCause(death);
    sync.close();
  }
}
