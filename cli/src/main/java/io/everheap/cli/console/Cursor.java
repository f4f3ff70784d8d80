package io.everheap.cli.console;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
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

  /** At most so many entries, from an offset on. */
  synchronized List<Map.Entry<Object, Object>> page(long offset, int limit) {
    Iterator<Map.Entry<Object, Object>> here = entries;
    if (here == null || offset < at) {
      here = source.get().iterator();
      at = 0;
    }
    entries = null; // a failure begins anew
    for (; at < offset && here.hasNext(); at++) {
      here.next();
    }
    List<Map.Entry<Object, Object>> page = new ArrayList<>();
    for (; page.size() < limit && here.hasNext(); at++) {
      page.add(here.next());
    }
    entries = here;
    return page;
  }

  /** Whether entries follow the last page. */
  synchronized boolean hasMore() {
    Iterator<Map.Entry<Object, Object>> here = entries;
    return here != null && here.hasNext();
  }
}
