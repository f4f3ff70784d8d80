package io.everheap.testkit.trace;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.memory.MediumSetting;
import io.everheap.testkit.machine.SimulatedMedium;
import io.everheap.testkit.trace.CallTrace.Figures;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** Puts of new keys into a map of a heap on persistent memory; run by the {@link TracingLoader}. */
public final class TracedPut {
  private static final int ENTRIES = 1_000;
  private static final int TRACED = 101;

  private TracedPut() {}

  /**
   * Returns the calls of the put with the fewest changes of package. The seed of the keys' hashes
   * is another in every run, so the put of median length also is: it may meet keys on its way.
   */
  public static List<String> calls() {
    SimulatedMedium medium = SimulatedMedium.dax(1);
    Path place = Path.of(medium.location());
    try (Heap heap =
        MediumSetting.medium(Heap.builder(place).durability(Durability.SYNC), medium).open()) {
      DurableMap<String, String> map = heap.map("map", String.class, String.class);
      for (int i = 0; i < ENTRIES; i++) {
        map.put("key " + i, "value " + i);
      }
      List<Figures> puts = new ArrayList<>();
      for (int i = ENTRIES; i < ENTRIES + TRACED; i++) {
        String key = "key " + i;
        String value = "value " + i;
        puts.add(CallTrace.of(() -> map.put(key, value)));
      }
      return Collections.min(puts, Comparator.comparingInt(Figures::changesOfPackage)).calls();
    }
  }
}
