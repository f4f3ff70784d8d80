package io.everheap.collection;

import io.everheap.stability.Stable;
import java.util.Collections;
import java.util.Iterator;

/**
 * What the handles of all durable structures have in common. Two handles may stand for one
 * structure; {@code equals} compares contents where {@code java.util} says so, and {@link #sameAs}
 * tells whether it is the same one.
 *
 * <p>A structure that is not a root can be a value of another one: see {@code Heap.create}.
 *
 * @since 0.9
 */
@Stable
public interface Structure {
  /** Which structure this is: equal for all handles to it while its heap is open. */
  StructureId id();

  /**
   * Iterates over the elements or entries that this program cannot decode. It decodes all others
   * too, so it takes as long as an iteration. Each can be looked at, removed by the iterator's
   * {@code remove}, or set aside, in one transaction:
   *
   * <pre>{@code
   * heap.transact(() -> {
   *   for (Iterator<Undecodable> bad = orders.undecodable(); bad.hasNext(); ) {
   *     refused.add(bad.next().bytes()); // a DurableList<byte[]>
   *     bad.remove();
   *   }
   * });
   * }</pre>
   *
   * <p>{@code remove} empties a reference or the place of an array, and is not supported by a
   * {@link DurableWorkQueue}, whose elements leave when their lease is acknowledged.
   *
   * @return weakly consistent, as the structure's own iterators are; empty for structures that hold
   *     no values of a codec
   */
  default Iterator<Undecodable> undecodable() {
    return Collections.emptyIterator();
  }

  /** Whether this and the other are handles to the same structure of the same open heap. */
  default boolean sameAs(Structure other) {
    return id().equals(other.id());
  }
}
