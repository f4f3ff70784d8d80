package io.everheap.engine.event;

import io.everheap.memory.ClassesAhead;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * The events of the JDK Flight Recorder. Check {@link #isOn} before creating an event: loading an
 * event class initializes much of the recorder, which would take a third of the time of opening a
 * heap. Thread-safe.
 */
public final class Recording {
  private static volatile boolean loaded; // all event classes

  private Recording() {}

  /**
   * Returns whether events can be recorded: the flight recorder was started in this JVM, and all
   * event classes are loaded. They are loaded by the first call after the start. If the class
   * loader was closed before, they cannot be, and no event is recorded.
   */
  public static boolean isOn() {
    return FlightRecorder.isInitialized() && (loaded || load());
  }

  private static boolean load() {
    try {
      ClassesAhead.load(
          CommitEvent.class,
          CheckpointEvent.class,
          GrowEvent.class,
          RecoveryEvent.class,
          SyncEvent.class);
      loaded = true;
      return true;
    } catch (LinkageError e) {
      return false;
    }
  }

  /** A transaction was appended to the log and applied. */
  @Name("io.everheap.Commit")
  @Label("Commit")
  @Description("A transaction was appended to the log and applied.")
  @Category("Everheap")
  @StackTrace(false)
  @Enabled(false)
  public static final class CommitEvent extends Event {
    /** Log sequence number after the record. */
    @Label("LSN")
    public long lsn;

    /** Bytes of the record. */
    @Label("Bytes")
    public long bytes;
  }

  /** Dirty pages were written and the replay start advanced. */
  @Name("io.everheap.Checkpoint")
  @Label("Checkpoint")
  @Description("Dirty pages were written and the replay start advanced.")
  @Category("Everheap")
  @StackTrace(false)
  @Enabled(true)
  public static final class CheckpointEvent extends Event {
    /** Log sequence number where replay starts now. */
    @Label("LSN")
    public long lsn;

    /** Pages written. */
    @Label("Pages")
    public long pages;
  }

  /** The home image grew. */
  @Name("io.everheap.Grow")
  @Label("Grow")
  @Description("The home image grew.")
  @Category("Everheap")
  @StackTrace(false)
  @Enabled(true)
  public static final class GrowEvent extends Event {
    /** Bytes it can hold now. */
    @Label("Capacity")
    public long capacity;
  }

  /** A heap was opened and its log replayed. */
  @Name("io.everheap.Recovery")
  @Label("Recovery")
  @Description("A heap was opened and its log replayed.")
  @Category("Everheap")
  @StackTrace(false)
  @Enabled(true)
  public static final class RecoveryEvent extends Event {
    /** Log sequence number reached. */
    @Label("LSN")
    public long lsn;

    /** Transactions replayed. */
    @Label("Transactions")
    public long transactions;

    /** Bytes of log replayed. */
    @Label("Bytes")
    public long bytes;
  }

  /** A batch of the log became durable. */
  @Name("io.everheap.Sync")
  @Label("Sync")
  @Description("A batch of the log became durable.")
  @Category("Everheap")
  @StackTrace(false)
  @Enabled(true)
  public static final class SyncEvent extends Event {
    /** Log sequence number that is durable now. */
    @Label("LSN")
    public long lsn;

    /** Bytes written. */
    @Label("Bytes")
    public long bytes;
  }
}
