package io.everheap.benchmarks.collections;

import io.everheap.benchmarks.harness.Scramble;
import io.everheap.benchmarks.harness.Subject;
import io.everheap.benchmarks.medium.EmulatedDaxMedium;
import io.everheap.codec.derived.CodecRegistry;
import io.everheap.collection.DurableSortedMap;
import io.everheap.engine.Engine;
import io.everheap.engine.EngineOptions;
import io.everheap.structure.Structures;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.Shapes;
import io.everheap.structure.common.StructureContext;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The ordered map of a published experiment with libart on libpmemobj: keys of 16 hexadecimal
 * characters, values of 16 bytes, on emulated persistent memory, each change durable on return.
 *
 * <p>Request: {@code run}: a new map is filled, filled again, and asked for each key, in random
 * orders. The answers are {@code insert}, {@code reinsert} and {@code lookup}, nanoseconds each.
 */
public final class HexSubject implements Subject {
  private static final int TYPES = 3;
  private static final int VALUE_BYTES = 16;

  private @Nullable Engine engine;
  private String[] keys = new String[0];

  @Override
  public void open(Map<String, String> parameters) {
    Path directory = Path.of(parameters.getOrDefault("directory", ""));
    engine = Engine.open(EmulatedDaxMedium.open(directory), EngineOptions.defaults());
    keys = new String[Integer.parseInt(parameters.getOrDefault("entries", "1"))];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = String.format(Locale.ROOT, "%016x", Scramble.key(i));
    }
  }

  @Override
  public Map<String, Double> measure(String[] request) {
    Engine on = engine;
    if (on == null) {
      throw new IllegalStateException("not open");
    }
    Definition<DurableSortedMap<String, byte[]>> definition =
        Shapes.define(
            Structures.KINDS, DurableSortedMap.of(String.class, byte[].class), new CodecRegistry());
    StructureContext heap = Structures.of(on.context());
    long reference = definition.create(heap, new long[TYPES]);
    DurableSortedMap<String, byte[]> map = definition.attach(heap, reference);
    try {
      return Map.of(
          "insert", timed(() -> putAll(map, (byte) 1)),
          "reinsert", timed(() -> putAll(map, (byte) 2)),
          "lookup", timed(() -> getAll(map)));
    } finally {
      definition.kind().destroy(heap, reference);
      on.drainHousekeeping();
    }
  }

  private double timed(Runnable all) {
    shuffle();
    long start = System.nanoTime();
    all.run();
    return (double) (System.nanoTime() - start) / keys.length;
  }

  private void shuffle() {
    SplittableRandom random = new SplittableRandom(System.nanoTime());
    for (int i = keys.length - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      String key = keys[i];
      keys[i] = keys[j];
      keys[j] = key;
    }
  }

  private void putAll(DurableSortedMap<String, byte[]> map, byte content) {
    for (String key : keys) {
      byte[] value = new byte[VALUE_BYTES];
      Arrays.fill(value, content);
      map.put(key, value);
    }
  }

  private void getAll(DurableSortedMap<String, byte[]> map) {
    for (String key : keys) {
      byte[] value = map.get(key);
      if (value == null || value.length != VALUE_BYTES) {
        throw new IllegalStateException("no value of " + key);
      }
    }
  }

  @Override
  public void close() {
    if (engine != null) {
      engine.close();
    }
  }
}
