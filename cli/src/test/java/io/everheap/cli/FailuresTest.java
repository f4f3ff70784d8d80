package io.everheap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.error.LockedException;
import io.everheap.error.MissingException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class FailuresTest {
  private final StringWriter err = new StringWriter();

  @Test
  void anErrorOfTheLibraryIsOneLineWithItsCode() {
    assertThat(fail(MissingException.heap("nothing at bank", null), false)).isEqualTo(1);
    assertThat(err.toString().lines()).containsExactly("everheap: nothing at bank (EH-MISSING)");
  }

  @Test
  void aStackTraceIsShownWhenAskedFor() {
    fail(MissingException.heap("nothing at bank", null), true);

    assertThat(err.toString()).contains("\tat " + FailuresTest.class.getName());
  }

  @Test
  void aHeapInUseComesWithTheReason() {
    fail(LockedException.heap("bank is open in process 42", OptionalLong.of(42)), false);

    assertThat(err.toString().lines())
        .containsExactly(
            "everheap: bank is open in process 42 (EH-LOCKED)",
            "everheap: info, verify, dump and salvage read heaps that no program has open for writing");
  }

  @Test
  void unknownRootsAndFilesAreForeseen() {
    fail(new NoSuchRootException("x", List.of("a", "b")), false);
    fail(new NoSuchRootException("x", List.of()), false);
    fail(new IOException("disk on fire"), false);

    assertThat(err.toString().lines())
        .containsExactly(
            "everheap: no root named 'x'; the heap has: a, b",
            "everheap: no root named 'x'; the heap has no roots",
            "everheap: java.io.IOException: disk on fire");
  }

  @Test
  void aMistakeInTheCodeIsShownWithItsStackTrace() {
    fail(new IllegalStateException("impossible"), false);

    assertThat(err.toString()).contains("impossible").contains("\tat ");
  }

  private int fail(Exception failure, boolean stacktrace) {
    return new CommandLine(new Failing(failure))
        .setErr(new PrintWriter(err, true))
        .setExecutionExceptionHandler(new Failures(() -> stacktrace))
        .execute();
  }

  @Command(name = "failing")
  private static final class Failing implements Callable<Integer> {
    private final Exception failure;

    Failing(Exception failure) {
      this.failure = failure;
    }

    @Override
    public Integer call() throws Exception {
      throw failure;
    }
  }
}
