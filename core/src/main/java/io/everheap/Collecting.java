package io.everheap;

/**
 * How a heap collects.
 *
 * @param memory the most bytes for what transactions overwrite meanwhile
 * @param growth bytes to be allocated before an automatic collection, as a part of the heap's size
 * @param automatic whether there are automatic ones
 */
record Collecting(long memory, double growth, boolean automatic) {
  static final Collecting DEFAULT =
      new Collecting(Math.max(8L << 20, Runtime.getRuntime().maxMemory() / 8), 1, false);
}
