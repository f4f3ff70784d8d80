package io.everheap.object;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * Finds the handle that an object already has, so that there is one for each object as long as the
 * program holds it. It keeps no handle alive.
 *
 * <p>A table of chains by reference, and not a map, whose keys would be garbage at each look. Who
 * looks takes no lock; it may miss an entry that is being made, and then {@link #putIfAbsent} finds
 * it.
 */
final class IdentityCache {
  private static final VarHandle CHAIN = MethodHandles.arrayElementVarHandle(Entry[].class);
  private static final int INITIAL = 1 << 8;

  private static final class Entry extends WeakReference<DurableObject> {
    private final long reference;

    /** Stored under the lock. */
    private @Nullable Entry next;

    Entry(DurableObject object, ReferenceQueue<DurableObject> queue) {
      super(object, queue);
      this.reference = object.reference;
    }
  }

  private final ReferenceQueue<DurableObject> queue = new ReferenceQueue<>();

  /** A power of two of chains; it and they are stored under the lock. */
  private volatile @Nullable Entry[] table = new Entry[INITIAL];

  private int count;

  /** The handle of an object; null if there is none, or if it was missed. */
  @Nullable DurableObject get(long reference) {
    Entry entry = find(table, reference);
    return entry == null ? null : entry.get();
  }

  /** Remembers a handle of an object that was just made. */
  synchronized void put(DurableObject object) {
    expunge();
    add(object);
  }

  /** The handle that an object has, or from now on this one. */
  synchronized DurableObject putIfAbsent(DurableObject object) {
    expunge();
    Entry known = find(table, object.reference);
    DurableObject handle = known == null ? null : known.get();
    if (handle != null && handle.getClass() == object.getClass()) {
      return handle;
    }
    if (known != null) {
      remove(known);
    }
    add(object);
    return object;
  }

  /** Forgets an object that never came to be. */
  synchronized void remove(long reference) {
    Entry known = find(table, reference);
    if (known != null) {
      remove(known);
    }
  }

  private static int index(@Nullable Entry[] chains, long reference) {
    return (int) ((reference * 0x9E37_79B9_7F4A_7C15L) >>> 32) & (chains.length - 1);
  }

  private static @Nullable Entry find(@Nullable Entry[] chains, long reference) {
    Entry entry = (Entry) CHAIN.getAcquire(chains, index(chains, reference));
    while (entry != null && entry.reference != reference) {
      entry = entry.next;
    }
    return entry;
  }

  private void add(DurableObject object) {
    if (count >= table.length) {
      grow();
    }
    link(table, object);
  }

  private void link(@Nullable Entry[] chains, DurableObject object) {
    int index = index(chains, object.reference);
    Entry entry = new Entry(object, queue);
    entry.next = chains[index];
    CHAIN.setRelease(chains, index, entry);
    count++;
  }

  /** Into new entries, so that who is in one of the old chains stays in it. */
  private void grow() {
    Entry[] larger = new Entry[2 * table.length];
    count = 0;
    for (Entry first : table) {
      for (Entry entry = first; entry != null; entry = entry.next) {
        DurableObject object = entry.get();
        if (object != null) {
          link(larger, object);
        }
      }
    }
    table = larger;
  }

  /** The entry goes on leading whoever is at it to those behind it. */
  @SuppressWarnings("ReferenceEquality") // the entry itself
  private void remove(Entry gone) {
    Entry[] chains = table;
    int index = index(chains, gone.reference);
    Entry before = null;
    for (Entry entry = chains[index]; entry != null; entry = entry.next) {
      if (entry == gone) {
        if (before == null) {
          CHAIN.setRelease(chains, index, gone.next);
        } else {
          before.next = gone.next;
        }
        count--;
        return;
      }
      before = entry;
    }
  }

  private void expunge() {
    for (Object gone = queue.poll(); gone != null; gone = queue.poll()) {
      if (gone instanceof Entry entry) {
        remove(entry);
      }
    }
  }
}
