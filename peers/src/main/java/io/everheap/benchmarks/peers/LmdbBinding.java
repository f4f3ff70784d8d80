package io.everheap.benchmarks.peers;

import io.everheap.benchmarks.store.Binding;
import io.everheap.benchmarks.store.MemoryLimit;
import io.everheap.benchmarks.store.Mode;
import io.everheap.benchmarks.store.Store;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.CursorIterable;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;
import org.lmdbjava.KeyRange;
import org.lmdbjava.Txn;

/** LMDB through lmdbjava: a transaction for each write, synced or not; read-only ones for reads. */
public final class LmdbBinding implements Binding {
  private static final int READERS = 256;
  private static final long LEAST = 1L << 30;
  private static final long FACTOR = 8; // of the data: free pages and page ends

  /** Makes the binding. */
  public LmdbBinding() {}

  @Override
  public Store open(Opening opening) {
    long room = Math.max(LEAST, FACTOR * opening.records() * (opening.valueBytes() + 64L));
    List<EnvFlags> flags = new ArrayList<>();
    if (opening.bulk() || opening.mode() == Mode.PROCESS) {
      flags.add(EnvFlags.MDB_NOSYNC);
    }
    if (MemoryLimit.isSet()) {
      flags.add(EnvFlags.MDB_NORDAHEAD); // as its documentation advises for data larger than memory
    }
    Env<ByteBuffer> env =
        Env.create()
            .setMapSize(room)
            .setMaxReaders(READERS)
            .setMaxDbs(1)
            .open(opening.directory().toFile(), flags.toArray(EnvFlags[]::new));
    return new LmdbStore(env, env.openDbi("records", DbiFlags.MDB_CREATE));
  }

  private static final class LmdbStore implements Store {
    private static final int KEY_MAX = 511;

    private final Env<ByteBuffer> env;
    private final Dbi<ByteBuffer> records;
    private final ThreadLocal<ByteBuffer> keys =
        ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(KEY_MAX));

    LmdbStore(Env<ByteBuffer> env, Dbi<ByteBuffer> records) {
      this.env = env;
      this.records = records;
    }

    private ByteBuffer key(String key) {
      return keys.get().clear().put(key.getBytes(StandardCharsets.ISO_8859_1)).flip();
    }

    private static byte[] copy(ByteBuffer value) {
      byte[] bytes = new byte[value.remaining()];
      value.get(bytes);
      return bytes;
    }

    @Override
    public byte @Nullable [] get(String key) {
      try (Txn<ByteBuffer> txn = env.txnRead()) {
        ByteBuffer value = records.get(txn, key(key));
        return value == null ? null : copy(value);
      }
    }

    private void put(Txn<ByteBuffer> txn, String key, byte[] value) {
      records.reserve(txn, key(key), value.length).put(value);
    }

    @Override
    public void put(String key, byte[] value) {
      try (Txn<ByteBuffer> txn = env.txnWrite()) {
        put(txn, key, value);
        txn.commit();
      }
    }

    @Override
    public void putAll(List<String> keys, List<byte[]> values) {
      try (Txn<ByteBuffer> txn = env.txnWrite()) {
        for (int i = 0; i < keys.size(); i++) {
          put(txn, keys.get(i), values.get(i));
        }
        txn.commit();
      }
    }

    @Override
    public void scan(String first, int count, Consumer<byte[]> values) {
      try (Txn<ByteBuffer> txn = env.txnRead();
          CursorIterable<ByteBuffer> cursor = records.iterate(txn, KeyRange.atLeast(key(first)))) {
        int left = count;
        for (CursorIterable.KeyVal<ByteBuffer> entry : cursor) {
          if (left-- == 0) {
            return;
          }
          values.accept(copy(entry.val()));
        }
      }
    }

    @Override
    public void close() {
      env.sync(true);
      env.close();
    }
  }
}
