package io.everheap.log;

import io.everheap.error.EverheapException;
import io.everheap.error.MediumException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes a log on files durable: by group commit for the threads that wait, and otherwise in each
 * interval; {@link #overdue} lets the appender wait if the oldest record that is not durable gets
 * older than the interval plus one sync. Thread-safe, except {@link #overdue}, which is for the
 * appender only.
 */
public final class LogSync implements AutoCloseable {
  /** The log to be made durable. */
  public interface Target {
    /** The LSN behind the last record. Called by any thread. */
    long appended();

    /**
     * Writes durably what was appended behind a LSN. Called by one thread at a time.
     *
     * @param durable the LSN below which everything is durable
     * @param to the LSN below which everything is appended
     * @return the LSN below which everything is durable now, greater than {@code durable}
     */
    long write(long durable, long to);
  }

  private final Target target;
  private final GroupCommit group;
  private final LogTimer timer;
  private final @Nullable SyncAge age;
  private volatile long lastSync; // duration of the last write, in nanoseconds

  /**
   * Creates it without starting a thread.
   *
   * @param refusals the exceptions thrown to callers after close or failure
   * @param location of the log
   * @param start the LSN below which everything is durable
   * @param interval of background syncs in nanoseconds, or 0 for none
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

  /** Starts the background syncs, if there is an interval. */
  public void start() {
    if (age != null) {
      timer.start();
    }
  }

  /** Called by the leader of the group commit. */
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

  /** The group commit. */
  public GroupCommit group() {
    return group;
  }

  /** Throws if the log is closed or has failed, including a failure of the timer's thread. */
  public void check() {
    group.check();
    if (failIfDead()) {
      group.check();
    }
  }

  /** Reports the failure that ended the timer's thread, which may have been unable to do so. */
  private boolean failIfDead() {
    Throwable death = timer.death();
    if (death != null) {
      group.fail(death);
    }
    return death != null;
  }

  /** Called by the appender: whether the oldest record that is not durable is too old. */
  public boolean overdue(long appended, long durable) {
    SyncAge limit = age;
    return (limit != null && limit.overdue(appended, durable))
        || (durable < appended && timer.late(lastSync));
  }

  /** Runs an action when everything below {@code lsn} is durable, or when the log has failed. */
  public void whenDurable(long lsn, Consumer<@Nullable EverheapException> action) {
    group.whenDurable(lsn, action);
    if (group.durable() < lsn) {
      try {
        timer.request();
      } catch (MediumException e) {
        group.await(lsn); // the record is in the log, but no thread can be started: sync here
      }
    }
  }

  /**
   * Requests a background sync soon.
   *
   * @throws MediumException if the operating system cannot create a thread
   */
  public void request() {
    timer.request();
  }

  /** Requests that everything appended so far is durable within a time, in nanoseconds. */
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

  /**
   * Repeats wake-ups and reports that an error of the virtual machine stopped. To be called
   * periodically.
   */
  public void recheck() {
    boolean _ = failIfDead();
    timer.recheck();
    group.recheck();
  }

  /** Ends the timer and the group commit; waits for a running write. */
  @Override
  public void close() {
    timer.stop();
    group.close();
  }
}
