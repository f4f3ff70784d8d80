package io.everheap.engine.event;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The home image grew. */
@Name("io.everheap.Grow")
@Label("Grow")
@Description("The home image grew.")
@Category("Everheap")
@StackTrace(false)
@Enabled(true)
public final class GrowEvent extends Event {
  /** Bytes it can hold now. */
  @Label("Capacity")
  public long capacity;
}
