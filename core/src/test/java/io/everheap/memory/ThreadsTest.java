package io.everheap.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;

class ThreadsTest {
  @Test
  void aCallRunsInAThreadOfItsOwn() throws IOException {
    Thread ran = Threads.run("other", Thread::currentThread);

    assertThat(ran).isNotSameAs(Thread.currentThread());
    assertThat(ran.getName()).isEqualTo("other");
    assertThat(ran.isAlive()).isFalse();
  }

  @Test
  void whatACallThrowsIsThrown() {
    assertThatExceptionOfType(FileNotFoundException.class)
        .isThrownBy(() -> Threads.run("other", () -> fail(new FileNotFoundException("gone"))))
        .withMessage("gone");
    assertThatExceptionOfType(UncheckedIOException.class)
        .isThrownBy(
            () ->
                Threads.run(
                    "other",
                    () -> {
                      throw new UncheckedIOException(new IOException());
                    }));
    assertThatExceptionOfType(StackOverflowError.class)
        .isThrownBy(
            () ->
                Threads.run(
                    "other",
                    () -> {
                      throw new StackOverflowError();
                    }));
  }

  private static String fail(IOException failure) throws IOException {
    throw failure;
  }

  @Test
  void aCallWithoutAResultIsAnError() {
    assertThatIllegalStateException()
        .isThrownBy(() -> Threads.run("other", () -> null))
        .withMessageContaining("without a result");
  }

  @Test
  void anInterruptIsKeptAndDoesNotEndTheWait() throws IOException {
    Thread.currentThread().interrupt();

    assertThat(Threads.run("other", () -> "done")).isEqualTo("done");
    assertThat(Thread.interrupted()).isTrue();
  }
}
