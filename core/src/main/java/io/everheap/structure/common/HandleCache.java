package io.everheap.structure.common;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Handles that are in use, by the references of their structures. A reference never comes to name
 * another structure, so an entry never becomes wrong: the methods of a handle whose structure is
 * gone throw. Safe for use by many threads.
 */
final class HandleCache<S> {
  private final ConcurrentHashMap<Long, Entry<S>> entries = new ConcurrentHashMap<>();
  private final ReferenceQueue<S> unused = new ReferenceQueue<>();

  private static final class Entry<S> extends WeakReference<S> {
    private final long reference;

    Entry(long reference, S handle, ReferenceQueue<S> queue) {
      super(handle, queue);
      this.reference = reference;
    }
  }

  @Nullable S get(long reference) {
    Entry<S> entry = entries.get(reference);
    return entry == null ? null : entry.get();
  }

  /** Keeps a handle, unless another one came first; returns the one that is kept. */
  S put(long reference, S handle) {
    forgetUnused();
    Entry<S> added = new Entry<>(reference, handle, unused);
    while (true) {
      Entry<S> present = entries.putIfAbsent(reference, added);
      if (present == null) {
        return handle;
      }
      S other = present.get();
      if (other != null) {
        return other;
      }
      entries.remove(reference, present);
    }
  }

  private void forgetUnused() {
    for (Reference<? extends S> r = unused.poll(); r != null; r = unused.poll()) {
      if (r instanceof Entry<? extends S> entry) {
        entries.remove(entry.reference, entry);
      }
    }
  }
}
