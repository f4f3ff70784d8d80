package io.everheap.benchmarks.peers;

import io.everheap.benchmarks.store.Binding;
import io.everheap.benchmarks.store.MemoryLimit;
import io.everheap.benchmarks.store.Mode;
import io.everheap.benchmarks.store.Store;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompressionType;
import org.rocksdb.FlushOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** RocksDB with its write-ahead log, synced for each write or not. */
public final class RocksDbBinding implements Binding {
  private static final long CACHE = 256L << 20;
  private static final double BLOOM_BITS = 10;

  /** Makes the binding. */
  public RocksDbBinding() {}

  @Override
  public Store open(Opening opening) throws IOException {
    RocksDB.loadLibrary();
    BlockBasedTableConfig table = new BlockBasedTableConfig();
    table.setBlockCache(new LRUCache(MemoryLimit.share(CACHE, 4)));
    table.setFilterPolicy(new BloomFilter(BLOOM_BITS, false));
    Options options = new Options();
    options.setCreateIfMissing(true);
    options.setCompressionType(CompressionType.NO_COMPRESSION);
    options.setTableFormatConfig(table);
    WriteOptions writes = new WriteOptions();
    if (opening.bulk()) {
      writes.setDisableWAL(true);
    } else {
      writes.setSync(opening.mode() == Mode.POWER);
    }
    try {
      return new RocksStore(RocksDB.open(options, opening.directory().toString()), writes);
    } catch (RocksDBException e) {
      throw new IOException(e);
    }
  }

  private record RocksStore(RocksDB db, WriteOptions writes) implements Store {
    private static byte[] bytes(String key) {
      return key.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public byte @Nullable [] get(String key) {
      try {
        return db.get(bytes(key));
      } catch (RocksDBException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void put(String key, byte[] value) {
      try {
        db.put(writes, bytes(key), value);
      } catch (RocksDBException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void putAll(List<String> keys, List<byte[]> values) {
      try (WriteBatch batch = new WriteBatch()) {
        for (int i = 0; i < keys.size(); i++) {
          batch.put(bytes(keys.get(i)), values.get(i));
        }
        db.write(writes, batch);
      } catch (RocksDBException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void scan(String first, int count, Consumer<byte[]> values) {
      try (ReadOptions options = new ReadOptions();
          RocksIterator iterator = db.newIterator(options)) {
        int left = count;
        for (iterator.seek(bytes(first)); iterator.isValid() && left > 0; iterator.next()) {
          values.accept(iterator.value());
          left--;
        }
      }
    }

    @Override
    public void close() throws IOException {
      try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
        db.flush(flush);
        db.closeE();
      } catch (RocksDBException e) {
        throw new IOException(e);
      }
    }
  }
}
