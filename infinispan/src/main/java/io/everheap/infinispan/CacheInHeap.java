package io.everheap.infinispan;

import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.error.CorruptException;
import io.everheap.error.CorruptValueException;
import io.everheap.infinispan.configuration.EverheapStoreConfiguration;
import io.everheap.infinispan.configuration.StoreDurability;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.infinispan.commons.CacheConfigurationException;
import org.infinispan.commons.util.IntSet;
import org.infinispan.persistence.spi.InitializationContext;
import org.jspecify.annotations.Nullable;

/**
 * What a heap holds of one cache: its segments, its prepared transactions, and the settings that
 * its entries depend on.
 */
final class CacheInHeap implements KeyForms.Entries {
  private static final Logger LOGGER = System.getLogger(CacheInHeap.class.getName());

  private static final String SEGMENTS = "segments";

  /** The setting of the last opening in which all keys had their present form. */
  private static final String KEYS = "keys";

  private static final int UNSEGMENTED = 0;

  private final String name;
  private final EverheapStoreConfiguration configuration;
  private final SharedHeap shared;
  private final Heap heap;
  private final boolean segmented;
  private final String[] roots;

  /** Each is opened when it is used: to open all takes a tenth of a second of a start. */
  private final AtomicReferenceArray<@Nullable Segment> segments;

  private final Prepared prepared;

  private CacheInHeap(
      String name, EverheapStoreConfiguration configuration, SharedHeap shared, int wanted) {
    this.name = name;
    this.configuration = configuration;
    this.shared = shared;
    this.heap = shared.heap();
    this.segmented = wanted != UNSEGMENTED;
    this.roots = roots(wanted);
    this.segments = new AtomicReferenceArray<>(roots.length);
    this.prepared = new Prepared(heap, Locations.prepared(name));
  }

  /** Opens the heap and finds or makes the cache in it. */
  static CacheInHeap open(InitializationContext context) {
    EverheapStoreConfiguration configuration = context.getConfiguration();
    String name = context.getCache().getName();
    Path directory = Locations.heap(context.getGlobalConfiguration(), configuration, name);
    int segments = context.getCache().getCacheConfiguration().clustering().hash().numSegments();
    int wanted = configuration.segmented() ? segments : UNSEGMENTED;
    SharedHeap shared = SharedHeap.open(directory, configuration, name);
    try {
      CacheInHeap cache =
          shared
              .heap()
              .transact(
                  () -> {
                    boolean there = isThere(shared, name, configuration, wanted);
                    var found = new CacheInHeap(name, configuration, shared, wanted);
                    if (!there) {
                      found.segments().forEach(made -> {}); // within one transaction
                    }
                    found.continueForms(there);
                    return found;
                  });
      cache.reportPrepared();
      return cache;
    } catch (RuntimeException | Error e) {
      shared.close(name);
      throw e;
    }
  }

  /**
   * Whether the heap has the segments. Entries are found by the segments of their keys, and so are
   * those of prepared transactions, so these must not change while there are any.
   */
  private static boolean isThere(
      SharedHeap shared, String name, EverheapStoreConfiguration configuration, int wanted) {
    DurableMap<String, Integer> settings =
        shared.heap().map(Locations.settings(name), String.class, Integer.class);
    Integer found = settings.get(SEGMENTS);
    if (found != null && found == wanted) {
      return true;
    }
    settings.set(SEGMENTS, wanted);
    if (found == null) {
      return false;
    }
    requireSegments(shared, name, found);
    CacheInHeap before = new CacheInHeap(name, configuration, shared, found);
    String stored =
        String.format(
            Locale.ROOT,
            "the cache '%s' in the heap %s was stored %s, and is to be opened %s: ",
            name,
            shared.directory(),
            describe(found),
            describe(wanted));
    if (before.prepared.count() > 0) {
      throw new CacheConfigurationException(
          stored
              + "open it as it was stored, and commit or roll back its prepared transactions, which"
              + " EverheapStore.prepared() lists");
    }
    if (!configuration.purgeOnStartup()
        && before.segments().anyMatch(segment -> segment.sizeWithExpired() > 0)) {
      throw new CacheConfigurationException(
          stored
              + "open it as it was stored, export and import it, or set purge=\"true\" to drop its"
              + " entries");
    }
    before.removeSegments();
    return false;
  }

  /** Refuses a number of segments that the heap does not have: it has all or none of a cache. */
  private static void requireSegments(SharedHeap shared, String name, int stored) {
    if (stored != UNSEGMENTED
        && (stored < 0 || !shared.heap().contains(Locations.segment(name, stored - 1)))) {
      throw CorruptException.heap(
          String.format(
              Locale.ROOT,
              "the heap %s says that the cache '%s' has %d segments, which are not there",
              shared.directory(),
              name,
              stored));
    }
  }

  /**
   * Notes that keys have their present form, unless another program had the heap open since: an
   * earlier build stores other bytes of equal keys.
   */
  private void continueForms(boolean there) {
    Integer last = settings().get(KEYS);
    if (!there || (last != null && last == opening() - 1)) {
      setFormed();
    }
  }

  @Override
  public boolean isFormed() {
    Integer last = settings().get(KEYS);
    return last != null && last == opening();
  }

  @Override
  public void setFormed() {
    settings().set(KEYS, opening());
  }

  /** The number of this opening of the heap for writing. */
  private int opening() {
    return (int) heap.stats().epoch();
  }

  private DurableMap<String, Integer> settings() {
    return heap.map(Locations.settings(name), String.class, Integer.class);
  }

  @Override
  public String name() {
    return name;
  }

  private static String describe(int segments) {
    return segments == UNSEGMENTED ? "without segments" : "with " + segments + " segments";
  }

  private String[] roots(int wanted) {
    if (wanted == UNSEGMENTED) {
      return new String[] {Locations.entries(name)};
    }
    String[] roots = new String[wanted];
    Arrays.setAll(roots, i -> Locations.segment(name, i));
    return roots;
  }

  private void reportPrepared() {
    if (prepared.count() > 0) {
      LOGGER.log(
          Level.WARNING,
          "the cache ''{0}'' has {1} transactions that an earlier process prepared and did not"
              + " decide; EverheapStore.prepared() lists them",
          name,
          prepared.count());
    }
  }

  @Override
  public Heap heap() {
    return heap;
  }

  /** Whether a commit has to wait for the disk; with persistent memory it need not. */
  boolean needsSync() {
    return configuration.durability() == StoreDurability.SYNC
        && heap.stats().medium().equals("file");
  }

  Prepared prepared() {
    return prepared;
  }

  Segment segment(int segment) {
    return at(segmented ? segment : 0);
  }

  private Segment at(int index) {
    Segment found = segments.get(index);
    if (found == null) {
      found = Segment.open(heap, roots[index]); // two threads may open it twice: it is the same
      segments.set(index, found);
    }
    return found;
  }

  @Override
  public Stream<Segment> segments() {
    return IntStream.range(0, roots.length).mapToObj(this::at);
  }

  /** Some of the segments; all entries if the cache is not segmented. */
  Stream<Segment> segments(IntSet some) {
    return segmented && some != null
        ? some.intStream().filter(i -> i < roots.length).mapToObj(this::at)
        : segments();
  }

  /** Applies changes in their order; called inside a transaction. */
  void apply(List<Change> changes) {
    for (Change change : changes) {
      requireSegment(change);
      Segment segment = segment(change.segment());
      if (change.entry() == null) {
        segment.remove(change.key(), Long.MAX_VALUE);
      } else {
        segment.put(change.key(), change.entry());
      }
    }
  }

  private void requireSegment(Change change) {
    if (segmented && (change.segment() < 0 || change.segment() >= roots.length)) {
      throw new CorruptValueException(
          "a prepared transaction of the cache '"
              + name
              + "' changes an entry of the segment "
              + change.segment()
              + " of "
              + roots.length);
    }
  }

  private void removeSegments() {
    for (String root : roots) {
      Segment.remove(heap, root);
    }
  }

  void close() {
    shared.close(name);
  }

  /** Removes the cache, and the heap if it is its own: another cache may name its path. */
  void destroy() {
    boolean empty =
        heap.transact(
            () -> {
              removeSegments();
              heap.remove(Locations.prepared(name));
              heap.remove(Locations.settings(name));
              return heap.names().isEmpty();
            });
    close();
    if (empty && configuration.path() == null) {
      HeapDirectory.delete(shared.directory());
    }
  }
}
