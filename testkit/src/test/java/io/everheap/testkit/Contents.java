package io.everheap.testkit;

import java.util.Map;
import java.util.TreeMap;

/** What several maps hold, after some commit. Immutable once it is in a history. */
record Contents(Map<MapKind, Map<Long, Long>> maps) {
  static Contents empty() {
    Map<MapKind, Map<Long, Long>> maps = new TreeMap<>();
    for (MapKind kind : MapKind.values()) {
      maps.put(kind, new TreeMap<>());
    }
    return new Contents(maps);
  }

  Contents copy() {
    Map<MapKind, Map<Long, Long>> copy = new TreeMap<>();
    maps.forEach((kind, map) -> copy.put(kind, new TreeMap<>(map)));
    return new Contents(copy);
  }

  Map<Long, Long> of(MapKind kind) {
    return maps.get(kind);
  }
}
