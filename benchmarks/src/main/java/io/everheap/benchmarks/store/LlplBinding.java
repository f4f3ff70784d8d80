package io.everheap.benchmarks.store;

import com.intel.pmem.llpl.Transaction;
import com.intel.pmem.llpl.TransactionalHeap;
import com.intel.pmem.llpl.TransactionalMemoryBlock;
import io.everheap.benchmarks.medium.PmdkEnvironment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A hash map of blocks of LLPL's transactional heap, as a user of that library would write it: a
 * directory block of bucket heads, and a block for each entry.
 *
 * <pre>
 *   0  handle of the next entry of the bucket, or 0
 *   8  length of the key
 *  12  length of the value
 *  16  key in ISO 8859-1, value
 * </pre>
 *
 * A value of the old one's size is overwritten in place, in a transaction. Java locks, one for some
 * buckets each, keep readers and writers apart.
 */
public final class LlplBinding implements Binding {
  private static final long PER_ENTRY = 192;
  private static final long LEAST_POOL = 64L << 20;

  /** Makes the binding. */
  public LlplBinding() {}

  @Override
  public Store open(Opening opening) {
    PmdkEnvironment.forceCacheLineWriteBack();
    long entries = opening.records() + opening.records() / 4;
    long pool = Math.max(LEAST_POOL, 2 * entries * (opening.valueBytes() + PER_ENTRY));
    String file = opening.directory().resolve("pool").toString();
    TransactionalHeap heap =
        TransactionalHeap.exists(file)
            ? TransactionalHeap.openHeap(file)
            : TransactionalHeap.createHeap(file, pool);
    return new BlockStore(heap, (int) Math.max(16, Long.highestOneBit(entries) * 2));
  }

  private static final class BlockStore implements Store {
    private static final int HEADER = 16;
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
    public byte @Nullable [] get(String key) {
      byte[] bytes = key.getBytes(StandardCharsets.ISO_8859_1);
      int bucket = bucket(key);
      synchronized (lock(bucket)) {
        TransactionalMemoryBlock entry = find(bucket, bytes);
        if (entry == null) {
          return null;
        }
        byte[] value = new byte[entry.getInt(12)];
        entry.copyToArray(HEADER + bytes.length, value, 0, value.length);
        return value;
      }
    }

    @Override
    public void put(String key, byte[] value) {
      byte[] bytes = key.getBytes(StandardCharsets.ISO_8859_1);
      int bucket = bucket(key);
      synchronized (lock(bucket)) {
        TransactionalMemoryBlock entry = find(bucket, bytes);
        if (entry != null && entry.getInt(12) == value.length) {
          Transaction.create(
              heap, () -> entry.copyFromArray(value, 0, HEADER + bytes.length, value.length));
        } else if (entry == null) {
          Transaction.create(heap, () -> insert(bucket, bytes, value));
        } else {
          throw new UnsupportedOperationException("a value of another size");
        }
      }
    }

    @Override
    public void putBoth(String first, byte[] firstValue, String second, byte[] secondValue) {
      int low = Math.min(bucket(first) & (STRIPES - 1), bucket(second) & (STRIPES - 1));
      int high = Math.max(bucket(first) & (STRIPES - 1), bucket(second) & (STRIPES - 1));
      synchronized (locks[low]) {
        synchronized (locks[high]) {
          Transaction.create(
              heap,
              () -> {
                put(first, firstValue);
                put(second, secondValue);
              });
        }
      }
    }

    private void insert(int bucket, byte[] key, byte[] value) {
      TransactionalMemoryBlock entry =
          heap.allocateMemoryBlock((long) HEADER + key.length + value.length);
      entry.setLong(0, directory.getLong(8L * bucket));
      entry.setInt(8, key.length);
      entry.setInt(12, value.length);
      entry.copyFromArray(key, 0, HEADER, key.length);
      entry.copyFromArray(value, 0, HEADER + key.length, value.length);
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

    /** LLPL cannot close a heap; whatever returned is durable already. */
    @Override
    public void close() {}
  }
}
