package io.everheap.cli.console;

import java.io.IOException;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Pages of a stream of entries. The next page goes on where the last one ended; an earlier one
 * begins anew. A heap that is open for reading does not change meanwhile. Thread-safe.
 */
final class Cursor {
  private final Supplier<Stream<Map.Entry<Object, Object>>> source;
  private @Nullable Iterator<Map.Entry<Object, Object>> entries;
  private long at;

  Cursor(Supplier<Stream<Map.Entry<Object, Object>>> source) {
    this.source = source;
  }

  /** Takes the entries of a page. */
  interface Target {
    /** Takes the next entry; returns whether the page has room for another one. */
    boolean accept(Map.Entry<Object, Object> entry) throws IOException;
  }

  /** Passes at most so many entries on, from an offset on; returns whether others follow. */
  synchronized boolean page(long offset, int limit, Target target) throws IOException {
    Iterator<Map.Entry<Object, Object>> here = entries;
    if (here == null || offset < at) {
      here = source.get().iterator();
      at = 0;
    }
    entries = null; // a failure begins anew
    for (; at < offset && here.hasNext(); at++) {
      here.next();
    }
    boolean room = true;
    for (long end = at + limit; at < end && room && here.hasNext(); at++) {
      room = target.accept(here.next());
    }
    entries = here;
    return here.hasNext();
  }
}
