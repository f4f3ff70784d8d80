package io.everheap.jcache;

import java.net.URI;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Numbers of the open managers of a URI, from 0 on, of all providers. JCache keeps the caches of
 * class loaders apart, and a class loader has no name that is the same in the next process.
 */
final class ManagerNumbers {
  private static final Map<URI, BitSet> USED = new HashMap<>();

  private ManagerNumbers() {}

  /** Takes the smallest number that no manager of the URI has. */
  static int take(URI uri) {
    synchronized (USED) {
      BitSet used = USED.computeIfAbsent(uri, its -> new BitSet());
      int number = used.nextClearBit(0);
      used.set(number);
      return number;
    }
  }

  /** Gives a number back. */
  static void give(URI uri, int number) {
    synchronized (USED) {
      BitSet used = USED.get(uri);
      if (used != null) {
        used.clear(number);
        if (used.isEmpty()) {
          USED.remove(uri);
        }
      }
    }
  }
}
