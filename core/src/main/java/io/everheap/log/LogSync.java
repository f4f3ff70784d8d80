package io.everheap.log;

import io.everheap.error.EverheapException;
import io.everheap.error.MediumException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes a log on files durable: in groups for the threads that wait, in each interval for those
 * that do not, and before the oldest record is older than an interval and one sync. Thread-safe,
 * except {@link #overdue}, which belongs to the appender.
 */
public final class LogSync implements AutoCloseable {
  /** The log. */
  public interface Target {
    /** The LSN behind everything appended. Any thread. */
    long appended();

    /**
     * Writes what stands behind a LSN durably; one thread at a time.
     *
     * @param durable everything below is durable
     * @param to everything below was appended
     * @return the LSN up to which everything is durable now, greater than {@code durable}
     */
    long write(long durable, long to);
  }

  private final Target target;
  private final GroupCommit group;
  private final LogTimer timer;
  private final @Nullable SyncAge age;
  private volatile long lastSync; // how long the last write took, in nanoseconds

  /**
   * Prepares to make a log durable; no thread runs yet.
   *
   * @param refusals what appenders are told when the log ended
   * @param location of the log
   * @param start the LSN below which everything is durable
   * @param interval in nanoseconds, or 0 for none
   * @param target the log
   */
  public LogSync(
      GroupCommit.Refusals refusals, String location, long start, long interval, Target target) {
    this.target = target;
    this.group = new GroupCommit(refusals, start, this::write);
    this.age = interval == 0 ? null : new SyncAge(interval, start, System::nanoTime);
    this.timer =
        new LogTimer(
            () -> group.await(target.appended()), interval, "timer " + location, group::fail);
  }

  /** Makes the log durable in each interval from now on, if there is one. */
  public void start() {
    if (age != null) {
      timer.start();
    }
  }

  /** By the leader of the group. */
  private long write(long durable) {
    long to = target.appended();
    SyncAge limit = age;
    if (limit != null) {
      limit.begin(to);
    }
    long begin = System.nanoTime();
    long end = target.write(durable, to);
    lastSync = System.nanoTime() - begin;
    if (limit != null) {
      limit.end(lastSync);
    }
    return end;
  }

  /** What is durable, and the threads that wait for more. */
  public GroupCommit group() {
    return group;
  }

  /** Throws if the log does nothing any more, also if the timer died and could not tell. */
  public void check() {
    group.check();
    Throwable death = timer.death();
    if (death != null) {
      group.fail(death);
      group.check();
    }
  }

  /** By the appender: whether the oldest record that is not durable is too old. */
  public boolean overdue(long appended, long durable) {
    SyncAge limit = age;
    return (limit != null && limit.overdue(appended, durable))
        || (durable < appended && timer.late(lastSync));
  }

  /** Runs an action when everything below {@code lsn} is durable, or never will be. */
  public void whenDurable(long lsn, Consumer<@Nullable EverheapException> action) {
    group.whenDurable(lsn, action);
    if (group.durable() < lsn) {
      try {
        timer.request();
      } catch (MediumException e) {
        group.await(lsn); // no thread to be had, and the record is in the log: this one does it
      }
    }
  }

  /**
   * Asks that everything appended become durable soon.
   *
   * @throws MediumException if the operating system has no thread to give
   */
  public void request() {
    timer.request();
  }

  /** Asks that everything appended so far be durable within a time. */
  public void requestWithin(long nanos) {
    long appended = target.appended();
    if (group.durable() < appended) {
      try {
        timer.requestWithin(nanos);
      } catch (MediumException e) {
        group.await(appended); // as above
      }
    }
  }

  /** Ends the threads and everything; waits for a write in flight. */
  @Override
  public void close() {
    timer.stop();
    group.close();
  }
}
