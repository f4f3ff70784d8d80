package io.everheap.engine.event;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A heap was opened and its log replayed. */
@Name("io.everheap.Recovery")
@Label("Recovery")
@Description("A heap was opened and its log replayed.")
@Category("Everheap")
@StackTrace(false)
@Enabled(true)
public final class RecoveryEvent extends Event {
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
