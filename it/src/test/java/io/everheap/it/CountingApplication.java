package io.everheap.it;

import io.everheap.Heap;
import io.everheap.cache.BlockCache;
import io.everheap.durable.Durable;
import io.everheap.journal.Journal;
import io.everheap.store.ShardedStore;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;

/**
 * A web application for {@link WebApplicationsTest}. It opens a heap, a journal, a cache and a
 * store when it starts, and closes them when it stops, unless {@link #CLOSES} is false.
 */
public final class CountingApplication implements ServletContextListener {
  /** Parameter of the context: the directory of the data. */
  static final String DIRECTORY = "directory";

  /** Parameter of the context: whether the application closes its data. */
  static final String CLOSES = "closes";

  private final Deque<AutoCloseable> open = new ArrayDeque<>();

  /** Called by the server. */
  public CountingApplication() {}

  /** A request that added something. */
  public record Visit(String path, long number) {}

  /** The sum over all requests. */
  @Durable
  public interface Total {
    /** Returns the number of requests that added something. */
    long visits();

    /** Sets their number. */
    void visits(long visits);
  }

  /** The open data of the application. */
  record Data(Heap heap, Journal journal, BlockCache cache, ShardedStore store) {
    static Data of(ServletContext context) {
      return (Data) context.getAttribute(Data.class.getName());
    }

    /** Adds a visit everywhere. */
    void add(String path) {
      heap.transact(
          () -> {
            Total total = heap.object("total", Total.class, _ -> {});
            Map<Long, Visit> visits = heap.map("visits", Long.class, Visit.class);
            visits.put(total.visits(), new Visit(path, total.visits()));
            total.visits(total.visits() + 1);
          });
      byte[] key = {(byte) count()};
      journal.append(key);
      cache.put(key, new byte[100]);
      store.map("visits", Long.class, Visit.class).put(count(), new Visit(path, count()));
    }

    /** Returns the number of visits in the heap, where the total and the map must agree. */
    long count() {
      return heap.read(
          () -> {
            long visits = heap.object("total", Total.class, _ -> {}).visits();
            int size = heap.map("visits", Long.class, Visit.class).size();
            if (visits != size) {
              throw new IllegalStateException(visits + " visits, but " + size + " entries");
            }
            return visits;
          });
    }

    /** Returns the number of visits in the journal. */
    long journaled() {
      return journal.nextSequence();
    }

    /** Returns the number of visits in the cache. */
    long cached() {
      return cache.stats().entries();
    }

    /** Returns the number of visits in the store. */
    long stored() {
      return store.map("visits", Long.class, Visit.class).sizeLong();
    }
  }

  @Override
  public void contextInitialized(ServletContextEvent event) {
    ServletContext context = event.getServletContext();
    Path directory = Path.of(context.getInitParameter(DIRECTORY));
    Heap heap = opened(Heap.builder(directory.resolve("heap")).logSize(16 << 20).open());
    Journal journal =
        opened(Journal.builder(directory.resolve("journal")).segmentSize(1 << 20).open());
    BlockCache cache = opened(BlockCache.builder(directory.resolve("cache"), 8 << 20).open());
    cache.awaitIndexed();
    ShardedStore store =
        opened(
            ShardedStore.builder(directory.resolve("store"))
                .shards(2)
                .heaps(each -> each.logSize(16 << 20))
                .open());
    context.setAttribute(Data.class.getName(), new Data(heap, journal, cache, store));
  }

  private <T extends AutoCloseable> T opened(T part) {
    open.push(part);
    return part;
  }

  @Override
  public void contextDestroyed(ServletContextEvent event) {
    if (!Boolean.parseBoolean(event.getServletContext().getInitParameter(CLOSES))) {
      return;
    }
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (Exception e) {
        throw new IllegalStateException("cannot close the data", e);
      }
    }
  }
}
