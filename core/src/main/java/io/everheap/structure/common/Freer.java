package io.everheap.structure.common;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Frees what nothing leads to any more, in steps of one short transaction each: what {@link
 * PendingFrees} does for one kind of structure. Stateless; {@code Structures} lists all.
 */
public interface Freer {
  /** The number that stands for this freer in a heap: 1 or more. */
  int number();

  /** The freer of this number, or null if there is none. */
  static @Nullable Freer of(List<Freer> freers, int number) {
    for (Freer freer : freers) {
      if (freer.number() == number) {
        return freer;
      }
    }
    return null;
  }

  /**
   * Frees about so many blocks in the running transaction. What is left must be whole again: a
   * crash may come before the next step.
   *
   * @param root what leads to all of it, as given to {@link PendingFrees#add(int, long)} or
   *     returned by the step before
   * @return the new root, or 0 when nothing is left
   * @throws io.everheap.error.CorruptException if it is damaged; nothing was stored then
   */
  long step(StructureContext heap, long root, int budget);

  /** Checks what is left, block by block. The caller keeps writers out. */
  void check(StructureContext heap, long root, StructureFindings findings);
}
