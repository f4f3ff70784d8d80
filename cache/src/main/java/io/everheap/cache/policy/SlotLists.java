package io.everheap.cache.policy;

import io.everheap.cache.table.OffHeapInts;

/**
 * Doubly linked lists of slots outside of the Java heap. A slot is in at most one list of these.
 * Guarded by the cache's lock.
 */
final class SlotLists {
  private static final int NONE = 0; // links hold slots plus one
  private static final int OWNER_BITS = 2;
  private static final int OWNER = (1 << OWNER_BITS) - 1;
  private static final int OWNERS = Integer.SIZE / OWNER_BITS; // in an int

  private final OffHeapInts newer = new OffHeapInts();
  private final OffHeapInts older = new OffHeapInts();
  private final OffHeapInts owners = new OffHeapInts(); // two bits for each slot
  private int capacity;

  /** One list: slots from the oldest to the newest, and their weight. */
  final class List {
    private final int id; // 1 to 3
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
      owner(slot, id);
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
      owner(slot, 0);
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
    return newer.bytes() + older.bytes() + owners.bytes();
  }

  /** The id of the list that a slot is in; 0 for none. */
  int owner(int slot) {
    return slot < capacity ? owners.get(slot / OWNERS) >>> shift(slot) & OWNER : 0;
  }

  private void owner(int slot, int id) {
    int others = owners.get(slot / OWNERS) & ~(OWNER << shift(slot));
    owners.set(slot / OWNERS, others | id << shift(slot));
  }

  private static int shift(int slot) {
    return slot % OWNERS * OWNER_BITS;
  }

  private void reserve(int slot) {
    if (slot >= capacity) {
      capacity = slot + 1;
      newer.reserve(capacity);
      older.reserve(capacity);
      owners.reserve(slot / OWNERS + 1);
    }
  }
}
