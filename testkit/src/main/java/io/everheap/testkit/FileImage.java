package io.everheap.testkit;

import java.util.List;
import java.util.NavigableMap;

/**
 * The frozen state of a simulated file. Nothing changes it, and the trackers in it are copied
 * before they are used.
 *
 * @param pages the newest bytes, of pages that take space
 * @param earlierLengths lengths that a power loss may bring back, the durable one first
 * @param lengthLost whether a failed sync left the length behind
 * @param written versions of what file calls changed
 * @param mapped versions of what stores to shared mappings changed; may be the same object
 */
record FileImage(
    int id,
    String name,
    NavigableMap<Long, byte[]> pages,
    long length,
    List<Long> earlierLengths,
    boolean lengthLost,
    Undurable written,
    Undurable mapped) {

  byte[] bytes(long position, int count) {
    byte[] page = pages.get(position / Page.SIZE * Page.SIZE);
    byte[] copy = new byte[count];
    if (page != null) {
      System.arraycopy(page, (int) (position % Page.SIZE), copy, 0, count);
    }
    return copy;
  }
}
