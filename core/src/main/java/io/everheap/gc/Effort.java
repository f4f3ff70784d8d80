package io.everheap.gc;

/**
 * The limits by which a collection divides its work.
 *
 * @param step blocks marked between two calls of the progress callback
 * @param maxQueued references queued in arrays; any more are kept in bitmaps
 * @param maxFrees objects and structures that one transaction frees at most
 */
record Effort(int step, int maxQueued, int maxFrees) {
  static final Effort DEFAULT = new Effort(1 << 10, 1 << 20, 128);
}
