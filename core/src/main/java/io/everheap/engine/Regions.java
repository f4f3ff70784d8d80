package io.everheap.engine;

import io.everheap.error.EncryptionException;
import io.everheap.memory.ClassesAhead;
import io.everheap.memory.Medium;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The regions of a heap; keeps those that are open by their names. Thread-safe. */
public final class Regions {
  private final Medium medium;
  private final HeapState state;
  private final UUID heap;
  private final Map<String, RegionFile> open = new HashMap<>(); // guarded by itself

  Regions(Medium medium, HeapState state, UUID heap) {
    this.medium = medium;
    this.state = state;
    this.heap = heap;
    ClassesAhead.load(RegionFile.class); // for close()
  }

  /**
   * Opens a region, a file of bytes outside of all transactions; creates it if there is none. Until
   * the heap is closed, the same name returns the same object.
   *
   * @param name of letters, digits, dots, dashes and underscores
   * @throws IllegalArgumentException if it has another size
   */
  public RegionFile open(String name, long bytes) {
    RegionFile.requireName(name);
    RegionFile.requireBytes(bytes);
    if (medium.encrypted()) {
      throw new EncryptionException(
          "The heap at "
              + medium.location()
              + " is encrypted, and regions are not: they are mapped as they are. Keep "
              + name
              + " in a heap of its own, or the bytes in a collection.");
    }
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

  /** Names of all regions. */
  public List<String> names() {
    state.requireUsable();
    return RegionFile.names(medium);
  }

  /**
   * Size of a region in bytes.
   *
   * @throws io.everheap.error.CorruptException if its file is damaged
   */
  public long size(String name) {
    return RegionFile.size(medium, heap, name);
  }

  /** Deletes a region; returns whether there was one. */
  public boolean remove(String name) {
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

  /** Closes the open regions; called when the heap refuses to open more. */
  void close() {
    synchronized (open) {
      open.values().forEach(RegionFile::close);
    }
  }
}
