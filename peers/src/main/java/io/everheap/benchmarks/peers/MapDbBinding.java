package io.everheap.benchmarks.peers;

import io.everheap.benchmarks.store.Binding;
import io.everheap.benchmarks.store.Mode;
import io.everheap.benchmarks.store.Store;
import java.util.List;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.mapdb.DB;
import org.mapdb.DBMaker;
import org.mapdb.Serializer;

/** MapDB's B-tree: in a mapped file without transactions, or with its write-ahead log. */
public final class MapDbBinding implements Binding {
  /** Makes the binding. */
  public MapDbBinding() {}

  @Override
  public Store open(Opening opening) {
    DBMaker.Maker maker =
        DBMaker.fileDB(opening.directory().resolve("records.db").toFile())
            .fileMmapEnableIfSupported();
    // The files of both kinds are not the same, so a bulk load has transactions, but commits late.
    if (opening.mode() == Mode.POWER) {
      maker.transactionEnable();
    }
    return new TreeStore(maker.make(), opening.mode() == Mode.POWER, opening.bulk());
  }

  private static final class TreeStore implements Store {
    private static final int BATCH = 1000;

    private final DB db;
    private final ConcurrentNavigableMap<String, byte[]> map;
    private final boolean commit;
    private final boolean bulk;
    private int pending;

    TreeStore(DB db, boolean commit, boolean bulk) {
      this.db = db;
      this.commit = commit;
      this.bulk = bulk;
      map =
          db.treeMap("records", Serializer.STRING, Serializer.BYTE_ARRAY)
              .valuesOutsideNodesEnable()
              .createOrOpen();
    }

    @Override
    public byte @Nullable [] get(String key) {
      return map.get(key);
    }

    @Override
    public void put(String key, byte[] value) {
      if (!commit) {
        map.put(key, value);
        return;
      }
      synchronized (this) { // a commit takes what all threads have put
        map.put(key, value);
        if (!bulk || ++pending % BATCH == 0) {
          db.commit();
        }
      }
    }

    @Override
    public synchronized void putAll(List<String> keys, List<byte[]> values) {
      for (int i = 0; i < keys.size(); i++) {
        map.put(keys.get(i), values.get(i));
      }
      if (commit) {
        db.commit();
      }
    }

    @Override
    public void scan(String first, int count, Consumer<byte[]> values) {
      int left = count;
      for (byte[] value : map.tailMap(first).values()) {
        if (left-- == 0) {
          return;
        }
        values.accept(value);
      }
    }

    @Override
    public void close() {
      if (commit) {
        db.commit();
      }
      db.close();
    }
  }
}
