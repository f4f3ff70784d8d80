package io.everheap.benchmarks.cache;

/**
 * What the cache spares: each read takes a time, as from a disk or another machine.
 *
 * @param nanos of a read
 * @param valueBytes the size of a value
 */
record Source(long nanos, int valueBytes) {
  byte[] read(long key) {
    Pause.await(nanos);
    return Words.value(key, valueBytes);
  }
}
