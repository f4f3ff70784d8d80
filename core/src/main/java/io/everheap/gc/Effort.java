package io.everheap.gc;

/**
 * How a collection divides its work.
 *
 * @param step blocks looked at between two calls of its progress while it marks
 * @param waiting references that wait in an array; more wait in bits
 * @param frees objects and structures that one transaction frees at most
 */
record Effort(int step, int waiting, int frees) {
  static final Effort DEFAULT = new Effort(1 << 10, 1 << 20, 128);
}
