package io.everheap.cache.policy;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntConsumer;

/**
 * Hits that a policy with an order has not seen yet, in rings that threads choose by their number:
 * recording one takes no lock and may lose it. Drained under the cache's lock.
 */
final class AccessBuffer {
  private static final int STRIPES = 16;
  private static final int RING = 128;
  private static final int PAD = 16;

  private final AtomicIntegerArray slots = new AtomicIntegerArray(STRIPES * RING);
  private final AtomicLongArray written = new AtomicLongArray(STRIPES * PAD);
  private final long[] read = new long[STRIPES];

  /** Records a hit unless the ring is full. */
  void add(int slot) {
    int stripe = ((int) Thread.currentThread().threadId() * 0x9E37_79B9) >>> 28;
    long at = written.get(stripe * PAD);
    int place = stripe * RING + (int) (at & RING - 1);
    if (slots.get(place) == 0 && written.compareAndSet(stripe * PAD, at, at + 1)) {
      slots.setRelease(place, slot + 1);
    }
  }

  /** Gives all recorded hits to the policy. */
  void drain(IntConsumer policy) {
    for (int stripe = 0; stripe < STRIPES; stripe++) {
      long end = written.get(stripe * PAD);
      for (; read[stripe] < end; read[stripe]++) {
        int place = stripe * RING + (int) (read[stripe] & RING - 1);
        int slot = slots.getAcquire(place);
        if (slot == 0) {
          break; // its thread is about to store it
        }
        slots.setRelease(place, 0);
        policy.accept(slot - 1);
      }
    }
  }
}
