package io.everheap.engine.event;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A transaction was appended to the log and applied. */
@Name("io.everheap.Commit")
@Label("Commit")
@Description("A transaction was appended to the log and applied.")
@Category("Everheap")
@StackTrace(false)
@Enabled(false)
public final class CommitEvent extends Event {
  /** Log sequence number after the record. */
  @Label("LSN")
  public long lsn;

  /** Bytes of the record. */
  @Label("Bytes")
  public long bytes;
}
