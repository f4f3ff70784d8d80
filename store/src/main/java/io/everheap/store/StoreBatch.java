package io.everheap.store;

import io.everheap.stability.Stable;
import io.everheap.store.Changes.Change;
import io.everheap.store.ValueCodec.Raw;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Changes of any maps of a store that are made together: all of them or none, in whatever shards
 * they are, also if the process is killed or the power is lost meanwhile. Of several changes of one
 * key the last one counts. {@link ShardedStore#read} sees all of a batch or nothing; single reads
 * see each key before or after its change.
 *
 * <p>A batch in one shard is one transaction. One in several shards costs two waits for durability
 * more. Not thread-safe.
 *
 * @since 0.9
 */
@Stable
public final class StoreBatch {
  private final ShardedStore store;
  private final Map<Place, Change> changes = new LinkedHashMap<>();

  private record Place(String map, Raw key, int hash) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Place p
          && p.map.equals(map)
          && java.util.Arrays.equals(p.key.bytes(), key.bytes());
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  StoreBatch(ShardedStore store) {
    this.store = store;
  }

  /** Puts an entry into a map of the store. The value is encoded at once. */
  public <K, V> StoreBatch put(ShardedMap<K, V> map, K key, V value) {
    Objects.requireNonNull(value, "value");
    add(map, key, map.encode(value));
    return this;
  }

  /** Removes the entry of a key, if there is one. */
  public <K> StoreBatch remove(ShardedMap<K, ?> map, K key) {
    add(map, key, null);
    return this;
  }

  private <K> void add(ShardedMap<K, ?> map, K key, @Nullable Raw value) {
    if (map.store() != store) {
      throw new IllegalArgumentException("a map of another store: " + map.name());
    }
    byte[] bytes = map.encodeKey(key);
    Place place = new Place(map.name(), new Raw(bytes), (int) Placement.hash(bytes));
    changes.put(place, new Change(map.name(), map.isSorted(), bytes, value));
  }

  /** The number of keys that it changes. */
  public int size() {
    return changes.size();
  }

  /**
   * Makes the changes; they are as durable on return as the store's durability says. The batch is
   * empty then, and can be filled again. If this throws, nothing was changed, unless it is a {@link
   * io.everheap.error.StoppedException}: then the next opening decides.
   */
  public void commit() {
    List<Change> all = List.copyOf(changes.values());
    if (!all.isEmpty()) {
      store.commit(all);
    }
    changes.clear();
  }
}
