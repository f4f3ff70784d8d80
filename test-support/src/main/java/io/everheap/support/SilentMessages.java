package io.everheap.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.text.MessageFormat;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;

/**
 * Stored texts that no message of the library may have, neither that of an exception nor a line of
 * a log. An exception that code of the test creates is the program's, and may say anything; futures
 * repeat what their cause says. Collects the records of all loggers of the library, of every level,
 * until it is closed.
 */
public final class SilentMessages implements AutoCloseable {
  private final Set<String> others = new HashSet<>(Set.of("java.util.concurrent."));
  private final List<String> texts;
  private final Logger logger = Logger.getLogger("io.everheap");
  private final Level level = logger.getLevel();
  private final Queue<LogRecord> records = new ConcurrentLinkedQueue<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord published) {
          records.add(published);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  /**
   * Begins to collect what is logged.
   *
   * @param test whose exceptions, and those of its nested classes, are the program's
   * @param texts that must not be in a message
   */
  public SilentMessages(Class<?> test, String... texts) {
    others.add(test.getName());
    this.texts = List.of(texts);
    logger.setLevel(Level.ALL);
    logger.addHandler(handler);
  }

  /**
   * Ignores exceptions of another library, which may say anything.
   *
   * @param prefix of the names of its classes
   * @return this
   */
  public SilentMessages except(String prefix) {
    others.add(prefix);
    return this;
  }

  /**
   * Requires that a call fails, and that no message has a text.
   *
   * @param call the call
   * @return what it threw
   */
  public Throwable fails(ThrowingCallable call) {
    Throwable failure = catchThrowable(call);
    assertThat(failure).as("it fails").isNotNull();
    require(failure);
    return failure;
  }

  /**
   * Makes a call that may fail, and requires that no message has a text.
   *
   * @param call the call
   */
  public void attempt(ThrowingCallable call) {
    require(catchThrowable(call), new HashSet<>());
  }

  /**
   * Requires that neither an exception nor its causes say a text.
   *
   * @param failure the exception
   */
  public void require(Throwable failure) {
    require(failure, new HashSet<>());
  }

  private void require(@Nullable Throwable failure, Set<Throwable> seen) {
    if (failure == null || !seen.add(failure)) {
      return;
    }
    StackTraceElement[] trace = failure.getStackTrace();
    String creator = trace.length == 0 ? "" : trace[0].getClassName();
    if (others.stream().noneMatch(creator::startsWith)) {
      require(failure.toString());
    }
    require(failure.getCause(), seen);
    for (Throwable suppressed : failure.getSuppressed()) {
      require(suppressed, seen);
    }
  }

  /**
   * Requires that a message has no text.
   *
   * @param message the message
   */
  public void require(String message) {
    for (String text : texts) {
      assertThat(message).doesNotContain(text);
    }
  }

  /**
   * Returns how many records were logged.
   *
   * @return the number
   */
  public int logged() {
    return records.size();
  }

  /** Requires that no record has a text, and collects no more. */
  @Override
  public void close() {
    logger.removeHandler(handler);
    logger.setLevel(level);
    for (LogRecord each : records) {
      String message = String.valueOf(each.getMessage());
      Object[] parameters = each.getParameters();
      require(parameters == null ? message : MessageFormat.format(message, parameters));
      require(each.getThrown(), new HashSet<>());
    }
  }
}
