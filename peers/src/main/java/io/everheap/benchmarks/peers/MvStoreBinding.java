package io.everheap.benchmarks.peers;

import io.everheap.benchmarks.store.Binding;
import io.everheap.benchmarks.store.MemoryLimit;
import io.everheap.benchmarks.store.Mode;
import io.everheap.benchmarks.store.Store;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.type.ByteArrayDataType;
import org.h2.mvstore.type.StringDataType;
import org.jspecify.annotations.Nullable;

/** H2's MVStore, committing by itself once a second, or for each write, with or without a sync. */
public final class MvStoreBinding implements Binding {
  private static final long CACHE = 256L << 20;

  /** Makes the binding. */
  public MvStoreBinding() {}

  @Override
  public Store open(Opening opening) {
    return open(opening, null);
  }

  /** Opens one that is encrypted with a password, or not. */
  static Store open(Opening opening, @Nullable String password) {
    boolean relaxed = opening.bulk() || opening.mode() == Mode.RELAXED;
    MVStore.Builder builder =
        new MVStore.Builder()
            .fileName(opening.directory().resolve("records.mv").toString())
            .cacheSize((int) (MemoryLimit.share(CACHE, 4) >> 20));
    if (!relaxed) {
      builder.autoCommitDisabled();
    }
    if (password != null) {
      builder.encryptionKey(password.toCharArray());
    }
    return new MvMapStore(builder.open(), !relaxed, opening.mode() == Mode.POWER);
  }

  private static final class MvMapStore implements Store {
    private final MVStore store;
    private final MVMap<String, byte[]> map;
    private final boolean commit;
    private final boolean sync;

    /** A commit takes whatever all threads have put, so it must not come between two puts. */
    private final ReadWriteLock pairs = new ReentrantReadWriteLock();

    MvMapStore(MVStore store, boolean commit, boolean sync) {
      this.store = store;
      this.commit = commit;
      this.sync = sync;
      map =
          store.openMap(
              "records",
              new MVMap.Builder<String, byte[]>()
                  .keyType(StringDataType.INSTANCE)
                  .valueType(ByteArrayDataType.INSTANCE));
    }

    @Override
    public byte @Nullable [] get(String key) {
      return map.get(key);
    }

    @Override
    public void put(String key, byte[] value) {
      map.put(key, value);
      commit();
    }

    @Override
    public void putAll(List<String> keys, List<byte[]> values) {
      Lock putting = pairs.readLock();
      putting.lock();
      try {
        for (int i = 0; i < keys.size(); i++) {
          map.put(keys.get(i), values.get(i));
        }
      } finally {
        putting.unlock();
      }
      Lock committing = pairs.writeLock();
      committing.lock();
      try {
        commit();
      } finally {
        committing.unlock();
      }
    }

    private void commit() {
      if (commit) {
        store.commit();
        if (sync) {
          store.sync();
        }
      }
    }

    @Override
    public void scan(String first, int count, Consumer<byte[]> values) {
      Iterator<String> keys = map.keyIterator(first);
      for (int left = count; left > 0 && keys.hasNext(); left--) {
        byte[] value = map.get(keys.next());
        if (value != null) {
          values.accept(value);
        }
      }
    }

    @Override
    public void close() {
      store.commit();
      store.sync();
      store.close();
    }
  }
}
