package io.everheap.durable.handle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * Finds the handle that an object already has, so that an object has one handle as long as the
 * program holds it. The cache keeps no handle alive.
 *
 * <p>It is a table of chains by reference; a map would allocate a key for each lookup. Lookups take
 * no lock; one may miss an entry that is being added, and then {@link #putIfAbsent} finds it.
 * Changes are synchronized.
 */
final class IdentityCache {
  private static final VarHandle CHAIN = MethodHandles.arrayElementVarHandle(Entry[].class);
  private static final int INITIAL = 1 << 8;

  private static final class Entry extends WeakReference<Object> {
    private final long reference;

    /** Changed with the cache's monitor held. */
    private @Nullable Entry next;

    Entry(long reference, Object handle, ReferenceQueue<Object> queue) {
      super(handle, queue);
      this.reference = reference;
    }
  }

  private final ReferenceQueue<Object> queue = new ReferenceQueue<>();

  /** A power of two of chains. The array and the chains are changed with this monitor held. */
  private volatile @Nullable Entry[] table = new Entry[INITIAL];

  private int count;

  /** Returns the handle of an object; null if there is none, or if the lookup missed it. */
  @Nullable Object get(long reference) {
    Entry entry = find(table, reference);
    return entry == null ? null : entry.get();
  }

  /** Adds the handle of an object that was just made. */
  synchronized void put(long reference, Object handle) {
    expunge();
    add(reference, handle);
  }

  /** Returns the handle of the same class that an object has, or adds and returns this one. */
  synchronized Object putIfAbsent(long reference, Object handle) {
    expunge();
    Entry entry = find(table, reference);
    Object known = entry == null ? null : entry.get();
    if (known != null && known.getClass() == handle.getClass()) {
      return known;
    }
    if (entry != null) {
      remove(entry);
    }
    add(reference, handle);
    return handle;
  }

  /** Removes an object whose transaction was rolled back. */
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

  private void add(long reference, Object handle) {
    if (count >= table.length) {
      grow();
    }
    link(table, reference, handle);
  }

  private void link(@Nullable Entry[] chains, long reference, Object handle) {
    int index = index(chains, reference);
    Entry entry = new Entry(reference, handle, queue);
    entry.next = chains[index];
    CHAIN.setRelease(chains, index, entry);
    count++;
  }

  /** Doubles the table, with new entries, so that a lookup in an old chain stays in it. */
  private void grow() {
    Entry[] larger = new Entry[2 * table.length];
    count = 0;
    for (Entry first : table) {
      for (Entry entry = first; entry != null; entry = entry.next) {
        Object handle = entry.get();
        if (handle != null) {
          link(larger, entry.reference, handle);
        }
      }
    }
    table = larger;
  }

  /** Unlinks an entry, which still leads a lookup that is at it to the next one. */
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
