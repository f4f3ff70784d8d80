package io.everheap.benchmarks.peers;

import io.everheap.benchmarks.store.Binding;
import io.everheap.benchmarks.store.Store;
import java.io.IOException;
import net.openhft.chronicle.map.ChronicleMap;
import org.jspecify.annotations.Nullable;

/** Chronicle Map in a mapped file, whose size is fixed when it is made. */
public final class ChronicleBinding implements Binding {
  private static final double ROOM = 1.3;
  private static final int LEAST = 1000;
  private static final String KEY = "user6284781860667377211";
  private static final double GROWTH = 4;

  /** Makes the binding. */
  public ChronicleBinding() {}

  @Override
  public Store open(Opening opening) throws IOException {
    ChronicleMap<String, byte[]> map =
        ChronicleMap.of(String.class, byte[].class)
            .name("records")
            .entries((long) (ROOM * Math.max(LEAST, opening.records())))
            .averageKeySize(KEY.length())
            .averageValueSize(opening.valueBytes())
            .maxBloatFactor(GROWTH)
            .putReturnsNull(true)
            .createPersistedTo(opening.directory().resolve("records.dat").toFile());
    return new ChronicleStore(map);
  }

  private record ChronicleStore(ChronicleMap<String, byte[]> map) implements Store {
    @Override
    public byte @Nullable [] get(String key) {
      return map.get(key);
    }

    @Override
    public void put(String key, byte[] value) {
      map.put(key, value);
    }

    @Override
    public void close() {
      map.close();
    }
  }
}
