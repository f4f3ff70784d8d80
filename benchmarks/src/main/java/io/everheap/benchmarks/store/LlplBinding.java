package io.everheap.benchmarks.store;

import com.intel.pmem.llpl.Transaction;
import com.intel.pmem.llpl.TransactionalHeap;
import com.intel.pmem.llpl.TransactionalMemoryBlock;
import io.everheap.benchmarks.medium.PmdkEnvironment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A hash map of blocks of LLPL's transactional heap, as a user of that library would write it: a
 * directory block of bucket heads, and a block for each entry.
 *
 * <pre>
 *   0  handle of the next entry of the bucket, or 0
 *   8  length of the key
 *  12  number of fields
 *  16  key in ISO 8859-1, then each field after its length
 * </pre>
 *
 * A field of the old one's size is overwritten in place, in a transaction. Java locks, one for some
 * buckets each, keep readers and writers apart.
 */
public final class LlplBinding implements Binding {
  private static final long PER_ENTRY = 192;
  private static final long LEAST_POOL = 64L << 20;
  private static final long MOST_FOR_INSERTS = 2L << 30;

  /** Makes the binding. */
  public LlplBinding() {}

  @Override
  public Store open(Opening opening) {
    PmdkEnvironment.forceCacheLineWriteBack();
    long entries = opening.records() + opening.records() / 4;
    long loaded = 2 * entries * (opening.valueBytes() + PER_ENTRY);
    long pool = Math.max(LEAST_POOL, loaded + Math.min(loaded, MOST_FOR_INSERTS));
    String file = opening.directory().resolve("pool").toString();
    TransactionalHeap heap =
        TransactionalHeap.exists(file)
            ? TransactionalHeap.openHeap(file)
            : TransactionalHeap.createHeap(file, pool);
    return new BlockStore(heap, (int) Math.max(16, Long.highestOneBit(entries) * 2));
  }

  private static final class BlockStore implements RecordStore {
    private static final int FIELDS = 12;
    private static final int HEADER = 16;
    private static final int LENGTH_BYTES = 4;
    private static final VarHandle LENGTH =
        MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final int STRIPES = 4096;

    private final TransactionalHeap heap;
    private final TransactionalMemoryBlock directory;
    private final int buckets;
    private final Object[] locks = new Object[STRIPES];

    BlockStore(TransactionalHeap heap, int wanted) {
      this.heap = heap;
      Arrays.setAll(locks, i -> new Object());
      if (heap.getRoot() == 0) {
        TransactionalMemoryBlock made = heap.allocateMemoryBlock(8L * wanted);
        Transaction.create(heap, () -> made.setMemory((byte) 0, 0, 8L * wanted));
        heap.setRoot(made.handle());
      }
      directory = heap.memoryBlockFromHandle(heap.getRoot());
      buckets = (int) (directory.size() / 8);
    }

    @Override
    public byte @Nullable [][] fields(String key) {
      byte[] bytes = key.getBytes(StandardCharsets.ISO_8859_1);
      int bucket = bucket(key);
      byte[] body;
      byte[][] fields;
      synchronized (lock(bucket)) {
        TransactionalMemoryBlock entry = find(bucket, bytes);
        if (entry == null) {
          return null;
        }
        fields = new byte[entry.getInt(FIELDS)][];
        int start = HEADER + bytes.length;
        body = new byte[(int) entry.size() - start];
        entry.copyToArray(start, body, 0, body.length);
      }
      int at = 0;
      for (int i = 0; i < fields.length; i++) {
        int length = (int) LENGTH.get(body, at);
        fields[i] = Arrays.copyOfRange(body, at + LENGTH_BYTES, at + LENGTH_BYTES + length);
        at += LENGTH_BYTES + length;
      }
      return fields;
    }

    @Override
    public void put(String key, byte[][] fields) {
      byte[] bytes = key.getBytes(StandardCharsets.ISO_8859_1);
      int bucket = bucket(key);
      synchronized (lock(bucket)) {
        TransactionalMemoryBlock entry = find(bucket, bytes);
        Transaction.create(
            heap,
            () -> {
              if (entry == null) {
                insert(bucket, bytes, fields);
              } else {
                for (int i = 0; i < fields.length; i++) {
                  overwrite(entry, bytes.length, i, fields[i]);
                }
              }
            });
      }
    }

    @Override
    public boolean replace(String key, int field, byte[] value) {
      byte[] bytes = key.getBytes(StandardCharsets.ISO_8859_1);
      int bucket = bucket(key);
      synchronized (lock(bucket)) {
        TransactionalMemoryBlock entry = find(bucket, bytes);
        if (entry == null) {
          return false;
        }
        Transaction.create(heap, () -> overwrite(entry, bytes.length, field, value));
        return true;
      }
    }

    private static void overwrite(
        TransactionalMemoryBlock entry, int keyBytes, int field, byte[] value) {
      int at = HEADER + keyBytes;
      for (int i = 0; i < field; i++) {
        at += LENGTH_BYTES + entry.getInt(at);
      }
      if (entry.getInt(at) != value.length) {
        throw new UnsupportedOperationException("a field of another size");
      }
      entry.copyFromArray(value, 0, at + LENGTH_BYTES, value.length);
    }

    /** Takes the locks of all keys, in their order, to avoid deadlocks. */
    @Override
    public void putAll(List<String> keys, List<byte[]> values) {
      int[] wanted =
          keys.stream().mapToInt(key -> bucket(key) & (STRIPES - 1)).sorted().distinct().toArray();
      locked(
          wanted,
          0,
          () ->
              Transaction.create(
                  heap,
                  () -> {
                    for (int i = 0; i < keys.size(); i++) {
                      put(keys.get(i), values.get(i));
                    }
                  }));
    }

    private void locked(int[] wanted, int next, Runnable body) {
      if (next == wanted.length) {
        body.run();
        return;
      }
      synchronized (locks[wanted[next]]) {
        locked(wanted, next + 1, body);
      }
    }

    private void insert(int bucket, byte[] key, byte[][] fields) {
      long bytes = (long) HEADER + key.length;
      for (byte[] field : fields) {
        bytes += LENGTH_BYTES + field.length;
      }
      TransactionalMemoryBlock entry = heap.allocateMemoryBlock(bytes);
      entry.setLong(0, directory.getLong(8L * bucket));
      entry.setInt(8, key.length);
      entry.setInt(FIELDS, fields.length);
      entry.copyFromArray(key, 0, HEADER, key.length);
      int at = HEADER + key.length;
      for (byte[] field : fields) {
        entry.setInt(at, field.length);
        entry.copyFromArray(field, 0, at + LENGTH_BYTES, field.length);
        at += LENGTH_BYTES + field.length;
      }
      directory.setLong(8L * bucket, entry.handle());
    }

    private @Nullable TransactionalMemoryBlock find(int bucket, byte[] key) {
      long handle = directory.getLong(8L * bucket);
      while (handle != 0) {
        TransactionalMemoryBlock entry = heap.memoryBlockFromHandle(handle);
        if (entry.getInt(8) == key.length && holds(entry, key)) {
          return entry;
        }
        handle = entry.getLong(0);
      }
      return null;
    }

    private static boolean holds(TransactionalMemoryBlock entry, byte[] key) {
      for (int i = key.length - 1; i >= 0; i--) {
        if (entry.getByte(HEADER + i) != key[i]) {
          return false;
        }
      }
      return true;
    }

    private int bucket(String key) {
      int hash = key.hashCode() * 0x9e3779b9;
      return (hash ^ (hash >>> 16)) & (buckets - 1);
    }

    private Object lock(int bucket) {
      return locks[bucket & (STRIPES - 1)];
    }

    /** LLPL cannot close a heap; writes that returned are durable already. */
    @Override
    public void close() {}
  }
}
