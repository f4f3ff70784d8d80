package io.everheap.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.ClosedException;
import io.everheap.error.StoppedException;
import io.everheap.memory.ChangedMedium;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Medium;
import io.everheap.support.Limit;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an appender is told after an error of the virtual machine while a segment was made. */
class AppendGateTest {
  private static final int SEGMENT = 64 << 10;

  @TempDir private Path directory;
  private Medium medium;
  private LocalSource source;

  @BeforeEach
  void letTheSyncOfADirectoryEndInAnError() {
    var fails = new AtomicBoolean();
    medium =
        ChangedMedium.of(
            FileMedium.open(directory.resolve("j"), false, true),
            (operation, arguments) -> {
              if (fails.get() && operation.equals("syncDirectory")) {
                throw new OutOfMemoryError("of the test");
              }
            });
    var options =
        new JournalOptions(
            SEGMENT, 0, 1, false, 0, 0, Limit.limit().toNanos(), false, (sequence, last) -> 0);
    source = LocalSource.open(medium, options, 0);
    fails.set(true);
    assertThatThrownBy(
            () -> {
              while (true) {
                append(SEGMENT / 2);
              }
            })
        .isInstanceOf(OutOfMemoryError.class);
  }

  private void append(int length) {
    long _ = source.writer().append(new byte[length], 0, length);
  }

  @AfterEach
  void close() {
    source.close();
    medium.close();
  }

  @Test
  void theErrorEndsTheJournalAtOnce() {
    assertThatThrownBy(() -> append(1))
        .isInstanceOf(StoppedException.class)
        .hasMessageContaining("(EH-JOURNAL-FAILED)")
        .hasCauseInstanceOf(OutOfMemoryError.class);
  }

  @Test
  void aJournalThatIsBeingClosedIsClosedAndDidNotFail() {
    source.writer().stop();
    assertThatThrownBy(() -> append(1))
        .isInstanceOf(ClosedException.class)
        .hasMessageContaining("(EH-JOURNAL-CLOSED)");
  }

  @Test
  void theFirstFailureStaysTheCause() {
    source.writer().failure.fail(new IllegalStateException("the first one"));
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> append(1))
          .isInstanceOf(StoppedException.class)
          .hasMessageContaining("(EH-JOURNAL-FAILED)")
          .hasRootCauseMessage("the first one");
    }
    assertThat(source.writer().failure.cause()).hasMessage("the first one");
  }
}
