package io.everheap.store;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.codec.Codecs;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurableSortedMap;
import io.everheap.error.CorruptException;
import io.everheap.error.SchemaMismatchException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The maps of a store. The root {@code everheap.maps} of the first shard has an entry for each: its
 * kind and the names of its codecs. Each shard has a part of each map, made before the entry.
 */
final class Catalog {
  private static final String ROOT = "everheap.maps";
  private static final String PREFIX = "map ";

  private final ShardedStore store;

  Catalog(ShardedStore store) {
    this.store = store;
  }

  /** The types of a map. */
  record Types(boolean sorted, String key, String value) {
    String text() {
      return (sorted ? "sorted map" : "map") + "\n" + key + "\n" + value;
    }

    private static @Nullable Types of(String text) {
      String[] parts = text.split("\n", -1);
      boolean sorted = parts[0].equals("sorted map");
      return parts.length == 3 && (sorted || parts[0].equals("map"))
          ? new Types(sorted, parts[1], parts[2])
          : null;
    }
  }

  /** The types that an entry states. */
  private Types types(String name, String text) {
    Types found = Types.of(text);
    if (found == null) {
      throw CorruptException.heap(
          "the entry of the map "
              + name
              + " in "
              + store.shard(0).heap.stats().location()
              + " does not state its types");
    }
    return found;
  }

  private DurableMap<String, String> entries() {
    return store.shard(0).heap.map(ROOT, String.class, String.class);
  }

  /** The maps by name. */
  Map<String, Types> all() {
    Map<String, Types> all = new TreeMap<>();
    if (store.shard(0).heap.contains(ROOT)) {
      entries().forEach((name, text) -> all.put(name, types(name, text)));
    }
    return all;
  }

  private @Nullable Types find(String name) {
    String text = store.shard(0).heap.contains(ROOT) ? entries().get(name) : null;
    return text == null ? null : types(name, text);
  }

  /** Finds a map, or makes it. Called while the number of shards cannot change. */
  void require(String name, Types wanted) {
    Types found = find(name);
    if (found == null) {
      for (Shard shard : store.shards()) {
        part(shard, name, wanted.sorted(), ValueCodec.RAW);
        shard.heap.sync();
      }
      Heap first = store.shard(0).heap;
      first.transact(
          Durability.SYNC,
          () -> {
            var _ = entries().put(name, wanted.text());
          });
    } else if (found.sorted() != wanted.sorted()) {
      throw new SchemaMismatchException(
          name,
          "kind",
          found.sorted() ? "sorted map" : "map",
          wanted.sorted() ? "sorted map" : "map");
    } else if (!found.key().equals(wanted.key())) {
      throw new SchemaMismatchException(name, "key", found.key(), wanted.key());
    } else if (!found.value().equals(wanted.value())) {
      throw new SchemaMismatchException(name, "value", found.value(), wanted.value());
    }
  }

  /** Makes the parts of all maps in a shard. */
  void prepare(Shard shard) {
    all().forEach((name, types) -> part(shard, name, types.sorted(), ValueCodec.RAW));
    shard.heap.sync();
  }

  /** The part of a map in a shard. */
  static ConcurrentMap<byte[], Object> part(
      Shard shard, String name, boolean sorted, ValueCodec codec) {
    return sorted
        ? shard.heap.root(PREFIX + name, DurableSortedMap.of(Codecs.BYTES, codec))
        : shard.heap.root(PREFIX + name, DurableMap.of(Codecs.BYTES, codec));
  }

  /** The number of entries of a part. */
  static long size(ConcurrentMap<byte[], Object> part) {
    return part instanceof DurableMap<byte[], Object> map
        ? map.sizeLong()
        : ((DurableSortedMap<byte[], Object>) part).sizeLong();
  }
}
