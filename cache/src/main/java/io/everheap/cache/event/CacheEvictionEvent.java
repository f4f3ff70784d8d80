package io.everheap.cache.event;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Entries were evicted to make room for another one. */
@Name("io.everheap.CacheEviction")
@Label("Cache Eviction")
@Description("Entries were evicted to make room for another one.")
@Category("Everheap")
@StackTrace(false)
@Enabled(false)
public final class CacheEvictionEvent extends Event {
  /** Entries evicted. */
  @Label("Entries")
  public long entries;

  /** Bytes that the new entry needs. */
  @Label("Bytes")
  public long bytes;
}
