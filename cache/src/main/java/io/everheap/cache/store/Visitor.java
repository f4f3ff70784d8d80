package io.everheap.cache.store;

/** Looks at pinned entries one by one, in the order of their segments. */
public interface Visitor {
  /** Is given a pinned slot and the key of its entry; returns whether to go on. */
  boolean visit(int slot, byte[] key);
}
