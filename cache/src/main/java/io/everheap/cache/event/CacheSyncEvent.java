package io.everheap.cache.event;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The changes of a cache were made durable. */
@Name("io.everheap.CacheSync")
@Label("Cache Sync")
@Description("The changes of a cache were made durable.")
@Category("Everheap")
@StackTrace(false)
@Enabled(true)
public final class CacheSyncEvent extends Event {
  /** Sequence of the newest entry that is durable. */
  @Label("Sequence")
  public long sequence;
}
