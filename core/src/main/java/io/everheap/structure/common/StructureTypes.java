package io.everheap.structure.common;

import java.util.ArrayList;
import java.util.List;

/**
 * What the header of a structure says of it, whatever it is. For use by the heap.
 *
 * @param kind of the structure
 * @param numbers of its types in the type table, in the order of the kind's parts
 */
public record StructureTypes(StructureKind kind, List<Long> numbers) {
  /** Copies the list. */
  public StructureTypes {
    numbers = List.copyOf(numbers);
  }

  /**
   * Reads a header; any thread, and no lock.
   *
   * @throws io.everheap.error.GoneException if there is no such structure
   * @throws io.everheap.error.CorruptException if the header is damaged, or none
   */
  public static StructureTypes of(StructureContext heap, long reference) {
    return OptimisticReads.betweenCommits(
        heap,
        () -> {
          StructureKind kind = heap.kinds().of(heap, reference);
          List<Long> numbers = new ArrayList<>();
          for (long number : kind.types(heap, reference)) {
            numbers.add(number);
          }
          return new StructureTypes(kind, numbers);
        });
  }
}
