package io.everheap.benchmarks.peers;

import io.everheap.benchmarks.store.Binding;
import io.everheap.benchmarks.store.Store;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.store.storage.embedded.types.EmbeddedStorage;
import org.eclipse.store.storage.embedded.types.EmbeddedStorageManager;
import org.jspecify.annotations.Nullable;

/**
 * EclipseStore: objects in the Java heap, and a store of the object that changed after each write.
 * The map is a table of small maps, as the insertion into a map stores all of it.
 */
public final class EclipseStoreBinding implements Binding {
  private static final long PER_BUCKET = 16;

  /** Makes the binding. */
  public EclipseStoreBinding() {}

  @Override
  public Store open(Opening opening) {
    EmbeddedStorageManager manager = EmbeddedStorage.start(opening.directory());
    Table table = (Table) manager.root();
    if (table == null) {
      long wanted = Math.max(PER_BUCKET, opening.records()) / PER_BUCKET;
      table = new Table((int) Long.highestOneBit(wanted));
      manager.setRoot(table);
      manager.storeRoot();
    }
    return new ObjectStore(manager, table, opening.bulk());
  }

  /** A value that changes without its map. */
  static final class Item {
    volatile byte[] value;

    Item(byte[] value) {
      this.value = value;
    }
  }

  /** A part of the map. Its lock guards it. */
  static final class Bucket {
    final Map<String, Item> items = new HashMap<>();
  }

  /** The root. */
  static final class Table {
    final Bucket[] buckets;

    Table(int size) {
      buckets = new Bucket[size];
      for (int i = 0; i < size; i++) {
        buckets[i] = new Bucket();
      }
    }

    Bucket bucket(String key) {
      int hash = key.hashCode() * 0x9e3779b9;
      return buckets[(hash ^ (hash >>> 16)) & (buckets.length - 1)];
    }
  }

  private record ObjectStore(EmbeddedStorageManager manager, Table table, boolean bulk)
      implements Store {
    @Override
    public byte @Nullable [] get(String key) {
      Bucket bucket = table.bucket(key);
      synchronized (bucket) {
        Item item = bucket.items.get(key);
        return item == null ? null : item.value;
      }
    }

    @Override
    public void put(String key, byte[] value) {
      Bucket bucket = table.bucket(key);
      synchronized (bucket) {
        Item item = bucket.items.get(key);
        if (item == null) {
          bucket.items.put(key, new Item(value));
        } else {
          item.value = value;
        }
        if (item != null) {
          manager.store(item);
        } else if (!bulk) {
          manager.store(bucket.items);
        }
      }
    }

    @Override
    public void putAll(List<String> keys, List<byte[]> values) {
      Object[] changed = new Object[keys.size()];
      for (int i = 0; i < changed.length; i++) {
        Item item = item(keys.get(i));
        item.value = values.get(i);
        changed[i] = item;
      }
      manager.storeAll(changed);
    }

    private Item item(String key) {
      Bucket bucket = table.bucket(key);
      synchronized (bucket) {
        Item item = bucket.items.get(key);
        if (item == null) {
          throw new IllegalArgumentException("no entry " + key);
        }
        return item;
      }
    }

    @Override
    public void close() {
      if (bulk) {
        for (Bucket bucket : table.buckets) {
          manager.store(bucket.items);
        }
      }
      manager.shutdown();
    }
  }
}
