package io.everheap.testkit.machine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The frozen state of a simulated file. Immutable: the trackers in it are copied before they are
 * used.
 *
 * @param pages the newest bytes of each page, null for those that take no space
 * @param earlierLengths lengths that a power loss may bring back, the durable one first
 * @param lengthLost whether a failed sync left the length behind
 * @param written versions of what file calls changed
 * @param mapped versions of what stores to shared mappings changed; may be the same object
 */
public record FileImage(
    int id,
    String name,
    List<byte @Nullable []> pages,
    long length,
    List<Long> earlierLengths,
    boolean lengthLost,
    Undurable written,
    Undurable mapped) {

  /** A copy of bytes that lie in one page. */
  byte[] bytes(long position, int count) {
    byte[] copy = new byte[count];
    int index = Math.toIntExact(position / Page.SIZE);
    byte[] page = index < pages.size() ? pages.get(index) : null;
    if (page != null) {
      System.arraycopy(page, (int) (position % Page.SIZE), copy, 0, count);
    }
    return copy;
  }

  /** Adds everything that a process or a power loss could find. */
  void addTo(Hash hash) {
    hash.add(id);
    hash.add(length);
    hash.add(lengthLost ? 1 : 0);
    earlierLengths.forEach(hash::add);
    for (int i = 0; i < pages.size(); i++) {
      byte[] page = pages.get(i);
      if (page != null) {
        hash.add(i);
        hash.add(page);
      }
    }
    written.addTo(hash);
    if (mapped != written) {
      mapped.addTo(hash);
    }
  }
}
