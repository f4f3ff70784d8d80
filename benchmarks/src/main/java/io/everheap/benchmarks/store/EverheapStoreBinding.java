package io.everheap.benchmarks.store;

import io.everheap.Durability;
import io.everheap.benchmarks.medium.EmulatedDaxMedium;
import io.everheap.codec.Codecs;
import io.everheap.memory.MediumSetting;
import io.everheap.store.ShardedMap;
import io.everheap.store.ShardedStore;
import io.everheap.store.ShardedStoreBuilder;
import io.everheap.store.StoreBatch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A {@link ShardedMap} of this library, whose values are the fields of a record. The system
 * property {@code everheap.bench.shards} sets the number of shards.
 */
public final class EverheapStoreBinding implements Binding {
  private static final Duration INTERVAL = Duration.ofMillis(10);
  private static final int SHARDS =
      Integer.getInteger(
          "everheap.bench.shards",
          Math.clamp(4L * Runtime.getRuntime().availableProcessors(), 1, 32));

  /** Makes the binding. */
  public EverheapStoreBinding() {}

  @Override
  public Store open(Opening opening) {
    Path directory = opening.directory().resolve("store");
    ShardedStoreBuilder builder = ShardedStore.builder(directory).shards(SHARDS);
    if (opening.mode() == Mode.EMULATED) {
      MediumSetting.medium(builder, EmulatedDaxMedium.open(directory));
    }
    boolean sync = opening.mode() != Mode.PROCESS && !opening.bulk();
    ShardedStore store =
        builder.durability(sync ? Durability.SYNC : Durability.async(INTERVAL)).open();
    return new MapStore(store, store.map("records", Codecs.STRING, new FieldsCodec()));
  }

  private record MapStore(ShardedStore store, ShardedMap<String, byte[][]> map)
      implements RecordStore {
    @Override
    public byte @Nullable [][] fields(String key) {
      return map.get(key);
    }

    @Override
    public void put(String key, byte[][] fields) {
      map.set(key, fields);
    }

    @Override
    public boolean replace(String key, int field, byte[] value) {
      byte @Nullable [][] fields = map.get(key);
      if (fields == null) {
        return false;
      }
      fields[field] = value;
      map.set(key, fields);
      return true;
    }

    @Override
    public void putAll(List<String> keys, List<byte[]> values) {
      StoreBatch batch = store.batch();
      for (int i = 0; i < keys.size(); i++) {
        batch.put(map, keys.get(i), new byte[][] {values.get(i)});
      }
      batch.commit();
    }

    @Override
    public void close() {
      store.close();
    }
  }
}
