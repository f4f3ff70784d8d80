package io.everheap.engine.event;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Dirty pages were written and the replay start advanced. */
@Name("io.everheap.Checkpoint")
@Label("Checkpoint")
@Description("Dirty pages were written and the replay start advanced.")
@Category("Everheap")
@StackTrace(false)
@Enabled(true)
public final class CheckpointEvent extends Event {
  /** Log sequence number where replay starts now. */
  @Label("LSN")
  public long lsn;

  /** Pages written. */
  @Label("Pages")
  public long pages;
}
