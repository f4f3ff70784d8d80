package io.everheap.structure.common;

import io.everheap.engine.alloc.Reference;
import java.util.function.Supplier;

/**
 * Says in messages which structure it is that holds a value: the name of its root, if it is one.
 * All roots are looked through, so it is for failures only.
 *
 * @param heap that holds the structure
 * @param reference of the structure
 */
public record Holder(StructureContext heap, long reference) implements Supplier<String> {
  @Override
  public String get() {
    String place = "the structure at 0x" + Long.toHexString(Reference.address(reference));
    try {
      if (heap.names().isRootTable(reference)) {
        return "the table of roots"; // which cannot be looked through for its own name
      }
      String name = heap.names().rootName(reference);
      return name != null ? "the root " + name : place;
    } catch (RuntimeException e) {
      return place;
    }
  }
}
