package io.everheap.benchmarks.store;

import io.everheap.Heap;
import io.everheap.block.Block;
import io.everheap.block.Blocks;
import io.everheap.collection.DurableMap;
import io.everheap.error.GoneException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Records in blocks, which a {@link DurableMap} leads to, as programs keep them that change parts
 * of their records:
 *
 * <pre>
 *   0  number of fields
 *   4  end of each field, from the beginning of the block
 *      the fields
 * </pre>
 *
 * A field of the old one's size is overwritten in place.
 */
public final class EverheapBlocksBinding implements Binding {
  /** Makes the binding. */
  public EverheapBlocksBinding() {}

  @Override
  public Store open(Opening opening) {
    Heap heap = EverheapBinding.heap(opening);
    DurableMap<String, Long> map = heap.map("records", String.class, Long.class);
    if (map.isEmpty()) {
      map.reserve(opening.records());
    }
    return new BlockStore(heap, heap.blocks(), map);
  }

  private record BlockStore(Heap heap, Blocks blocks, DurableMap<String, Long> map)
      implements RecordStore, HeapStore {
    private static final VarHandle INT =
        MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    @Override
    public byte @Nullable [][] fields(String key) {
      byte[] record;
      while (true) {
        Long handle = map.get(key);
        if (handle == null) {
          return null;
        }
        try {
          Block block = blocks.at(handle);
          record = new byte[(int) block.size()];
          block.copyTo(0, record, 0, record.length);
          break;
        } catch (GoneException e) {
          // replaced meanwhile by one of another size
        }
      }
      byte[][] fields = new byte[(int) INT.get(record, 0)][];
      int start = start(fields.length);
      for (int i = 0; i < fields.length; i++) {
        int end = (int) INT.get(record, 4 + 4 * i);
        fields[i] = Arrays.copyOfRange(record, start, end);
        start = end;
      }
      return fields;
    }

    /** Where the first field of a record starts. */
    private static int start(int fields) {
      return 4 + 4 * fields;
    }

    @Override
    public void put(String key, byte[][] fields) {
      byte[] record = record(fields);
      heap.transact(
          () -> {
            Long handle = map.get(key);
            if (handle != null) {
              Block old = blocks.at(handle);
              if (old.size() == record.length) {
                old.copyFrom(0, record, 0, record.length);
                return;
              }
              old.free();
            }
            Block made =
                blocks.allocate(
                    record.length, range -> range.copyFrom(0, record, 0, record.length));
            map.set(key, made.handle());
          });
    }

    private static byte[] record(byte[][] fields) {
      int at = start(fields.length);
      byte[] record = new byte[at + Arrays.stream(fields).mapToInt(field -> field.length).sum()];
      INT.set(record, 0, fields.length);
      for (int i = 0; i < fields.length; i++) {
        System.arraycopy(fields[i], 0, record, at, fields[i].length);
        at += fields[i].length;
        INT.set(record, 4 + 4 * i, at);
      }
      return record;
    }

    @Override
    public boolean replace(String key, int field, byte[] value) {
      while (true) {
        Long handle = map.get(key);
        if (handle == null) {
          return false;
        }
        try {
          Block block = blocks.at(handle);
          int start = field == 0 ? start(block.getInt(0)) : block.getInt(4L * field);
          if (block.getInt(4 + 4L * field) - start != value.length) {
            throw new UnsupportedOperationException("a field of another size");
          }
          block.copyFrom(start, value, 0, value.length);
          return true;
        } catch (GoneException e) {
          // replaced meanwhile by one of another size
        }
      }
    }
  }
}
