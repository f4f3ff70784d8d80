package io.everheap.cache.policy;

import io.everheap.cache.table.OffHeapInts;

/**
 * Doubly linked lists of slots outside of the Java heap. A slot is in at most one list of these.
 * Guarded by the cache's lock.
 */
final class SlotLists {
  private static final int NONE = 0; // links hold slots plus one

  private final OffHeapInts newer = new OffHeapInts();
  private final OffHeapInts older = new OffHeapInts();
  private final OffHeapInts owner = new OffHeapInts();
  private int capacity;

  /** One list: slots from the oldest to the newest, and their weight. */
  final class List {
    private final int id;
    private int oldest;
    private int newest;
    private int size;
    private long weight;

    List(int id) {
      this.id = id;
    }

    /** The oldest slot; -1 if the list is empty. */
    int oldest() {
      return oldest - 1;
    }

    int size() {
      return size;
    }

    long weight() {
      return weight;
    }

    void addNewest(int slot, int slotWeight) {
      reserve(slot);
      older.set(slot, newest);
      newer.set(slot, NONE);
      if (newest == NONE) {
        oldest = slot + 1;
      } else {
        newer.set(newest - 1, slot + 1);
      }
      newest = slot + 1;
      added(slot, slotWeight);
    }

    void addOldest(int slot, int slotWeight) {
      reserve(slot);
      newer.set(slot, oldest);
      older.set(slot, NONE);
      if (oldest == NONE) {
        newest = slot + 1;
      } else {
        older.set(oldest - 1, slot + 1);
      }
      oldest = slot + 1;
      added(slot, slotWeight);
    }

    private void added(int slot, int slotWeight) {
      owner.set(slot, id);
      size++;
      weight += slotWeight;
    }

    void remove(int slot, int slotWeight) {
      int before = older.get(slot);
      int behind = newer.get(slot);
      if (before == NONE) {
        oldest = behind;
      } else {
        newer.set(before - 1, behind);
      }
      if (behind == NONE) {
        newest = before;
      } else {
        older.set(behind - 1, before);
      }
      owner.set(slot, 0);
      size--;
      weight -= slotWeight;
    }

    boolean holds(int slot) {
      return owner(slot) == id;
    }

    void makeNewest(int slot, int slotWeight) {
      remove(slot, slotWeight);
      addNewest(slot, slotWeight);
    }
  }

  /** Bytes of memory that the links take. */
  long bytes() {
    return newer.bytes() + older.bytes() + owner.bytes();
  }

  /** The id of the list that a slot is in; 0 for none. */
  int owner(int slot) {
    return slot < capacity ? owner.get(slot) : 0;
  }

  private void reserve(int slot) {
    if (slot >= capacity) {
      capacity = slot + 1;
      newer.reserve(capacity);
      older.reserve(capacity);
      owner.reserve(capacity);
    }
  }
}
