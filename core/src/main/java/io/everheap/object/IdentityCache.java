package io.everheap.object;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the handle that an object already has, so that there is one for each object as long as the
 * program holds it. It keeps no handle alive.
 */
final class IdentityCache {
  private static final class Entry extends WeakReference<DurableObject> {
    private final long reference;

    Entry(DurableObject object, ReferenceQueue<DurableObject> queue) {
      super(object, queue);
      this.reference = object.reference;
    }
  }

  private final Map<Long, Entry> entries = new ConcurrentHashMap<>();
  private final ReferenceQueue<DurableObject> queue = new ReferenceQueue<>();

  /** The handle of an object; null if there is none. */
  @Nullable DurableObject get(long reference) {
    Entry entry = entries.get(reference);
    return entry == null ? null : entry.get();
  }

  /** Remembers a handle of an object that was just made. */
  void put(DurableObject object) {
    expunge();
    entries.put(object.reference, new Entry(object, queue));
  }

  /** The handle that an object has, or from now on this one. */
  DurableObject putIfAbsent(DurableObject object) {
    expunge();
    Entry mine = new Entry(object, queue);
    while (true) {
      Entry known = entries.putIfAbsent(object.reference, mine);
      if (known == null) {
        return object;
      }
      DurableObject handle = known.get();
      if (handle != null && handle.getClass() == object.getClass()) {
        return handle;
      }
      entries.remove(object.reference, known);
    }
  }

  /** Forgets an object that never came to be. */
  void remove(long reference) {
    entries.remove(reference);
  }

  private void expunge() {
    for (Object gone = queue.poll(); gone != null; gone = queue.poll()) {
      if (gone instanceof Entry entry) {
        entries.remove(entry.reference, entry);
      }
    }
  }
}
