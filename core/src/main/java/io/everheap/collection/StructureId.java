package io.everheap.collection;

import io.everheap.engine.Engine;
import io.everheap.engine.alloc.Reference;

/**
 * Which structure of which open heap a handle stands for. Equal for all handles to one structure,
 * and never equal for two structures, also if one took the place of the other.
 *
 * @param engine of the heap; for use by the library
 * @param reference of the structure's header; for use by the library
 */
public record StructureId(Engine engine, long reference) {
  @Override
  public String toString() {
    return "structure at " + Reference.describe(reference);
  }
}
