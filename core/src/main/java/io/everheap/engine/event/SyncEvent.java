package io.everheap.engine.event;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A batch of the log became durable. */
@Name("io.everheap.Sync")
@Label("Sync")
@Description("A batch of the log became durable.")
@Category("Everheap")
@StackTrace(false)
@Enabled(true)
public final class SyncEvent extends Event {
  /** Log sequence number that is durable now. */
  @Label("LSN")
  public long lsn;

  /** Bytes written. */
  @Label("Bytes")
  public long bytes;
}
