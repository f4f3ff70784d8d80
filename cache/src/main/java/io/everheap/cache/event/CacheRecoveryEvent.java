package io.everheap.cache.event;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The entries of earlier openings of a cache are known. */
@Name("io.everheap.CacheRecovery")
@Label("Cache Recovery")
@Description("The entries of earlier openings of a cache are known.")
@Category("Everheap")
@StackTrace(false)
@Enabled(true)
public final class CacheRecoveryEvent extends Event {
  /** Entries that are served. */
  @Label("Entries")
  public long entries;

  /** Entries lost to damage. */
  @Label("Damaged")
  public long damaged;
}
