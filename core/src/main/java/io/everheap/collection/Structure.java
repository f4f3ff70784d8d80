package io.everheap.collection;

/**
 * What the handles of all durable structures have in common. Two handles may stand for one
 * structure; {@code equals} compares contents where {@code java.util} says so, and {@link #sameAs}
 * tells whether it is the same one.
 *
 * <p>A structure that is not a root can be a value of another one: see {@code Heap.create}.
 */
public interface Structure {
  /** Which structure this is: equal for all handles to it while its heap is open. */
  StructureId id();

  /** Whether this and the other are handles to the same structure of the same open heap. */
  default boolean sameAs(Structure other) {
    return id().equals(other.id());
  }
}
