package io.everheap.engine;

import io.everheap.memory.Medium;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The files beside a heap that no transaction knows of, open ones by their names. Thread-safe. */
final class Regions {
  private final Medium medium;
  private final HeapState state;
  private final UUID heap;
  private final Map<String, RegionFile> open = new HashMap<>(); // guarded by itself

  Regions(Medium medium, HeapState state, UUID heap) {
    this.medium = medium;
    this.state = state;
    this.heap = heap;
  }

  /** Opens one, and makes it if there is none; the same one for the same name. */
  RegionFile open(String name, long bytes) {
    RegionFile.requireName(name);
    RegionFile.requireBytes(bytes);
    synchronized (open) {
      state.requireUsable();
      RegionFile found = open.get(name);
      if (found == null) {
        found = RegionFile.open(medium, heap, name, bytes);
        open.put(name, found);
      } else if (found.bytes() != bytes) {
        throw new IllegalArgumentException(
            "the region " + name + " has " + found.bytes() + " bytes, not " + bytes);
      }
      return found;
    }
  }

  /** Names of those that there are. */
  List<String> names() {
    state.requireUsable();
    return RegionFile.names(medium);
  }

  /** Size of one. */
  long size(String name) {
    return RegionFile.size(medium, heap, name);
  }

  /** Deletes one; returns whether it was there. */
  boolean remove(String name) {
    RegionFile.requireName(name);
    synchronized (open) {
      state.requireWritable();
      RegionFile file = open.remove(name);
      if (file != null) {
        file.close();
      }
      boolean found = medium.exists(RegionFile.PREFIX + name);
      medium.delete(RegionFile.PREFIX + name);
      medium.syncDirectory("");
      return found;
    }
  }

  /** Closes those that are open, once the heap refuses to open more. */
  void close() {
    synchronized (open) {
      open.values().forEach(RegionFile::close);
    }
  }
}
