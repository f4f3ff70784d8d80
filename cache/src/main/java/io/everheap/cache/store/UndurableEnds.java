package io.everheap.cache.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The entries that ended since the last sync, by the hashes of their keys: where that was stored.
 * Until these places are durable a power loss can bring the entries back, so in strict mode an
 * operation on a key first makes those of its hash durable. Guarded by the cache's lock.
 */
final class UndurableEnds {
  private Map<Long, List<Place>> since = new HashMap<>();
  private Map<Long, List<Place>> before = Map.of(); // while a sync is under way

  /** Some bytes of a file; another place for each time that they are stored. */
  static final class Place {
    private final CacheFile file;
    private final long offset;
    private final int length;

    private Place(CacheFile file, long offset, int length) {
      this.file = file;
      this.offset = offset;
      this.length = length;
    }

    void force() {
      file.force(offset, length);
    }
  }

  void add(long hash, CacheFile file, long offset, int length) {
    since.computeIfAbsent(hash, h -> new ArrayList<>(1)).add(new Place(file, offset, length));
  }

  int size() {
    return since.size();
  }

  /** The places of a hash. */
  List<Place> of(long hash) {
    List<Place> places = new ArrayList<>(since.getOrDefault(hash, List.of()));
    places.addAll(before.getOrDefault(hash, List.of()));
    return places;
  }

  /** These places are durable. */
  void durable(long hash, List<Place> places) {
    List<Place> known = since.get(hash);
    if (known != null) {
      known.removeAll(places);
      if (known.isEmpty()) {
        since.remove(hash);
      }
    }
  }

  /** A sync begins: it makes durable what was stored until now, also before one that failed. */
  void beginSync() {
    Map<Long, List<Place>> next = new HashMap<>();
    for (Map.Entry<Long, List<Place>> each : before.entrySet()) {
      since.computeIfAbsent(each.getKey(), h -> new ArrayList<>(1)).addAll(each.getValue());
    }
    before = since;
    since = next;
  }

  /** The sync ended well. */
  void endSync() {
    before = Map.of();
  }
}
