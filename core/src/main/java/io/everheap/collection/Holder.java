package io.everheap.collection;

import io.everheap.engine.Engine;
import io.everheap.engine.alloc.Reference;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Says in messages which structure it is that holds a value: the name of its root, if it is one.
 * All roots are looked through, so it is for failures only.
 *
 * @param engine of the heap
 * @param reference of the structure
 */
record Holder(Engine engine, long reference) implements Supplier<String> {
  private static final int ROOTS_WORD = 0;

  @Override
  public String get() {
    String place = "the structure at 0x" + Long.toHexString(Reference.address(reference));
    try {
      if (engine.memory().getLong(engine.catalog(ROOTS_WORD)) == reference) {
        return "the table of roots"; // which cannot be looked through for its own name
      }
      return TypeTable.names(engine, ROOTS_WORD)
          .flatMap(
              roots ->
                  roots.entrySet().stream()
                      .filter(root -> root.getValue() == reference)
                      .map(Map.Entry::getKey)
                      .findAny())
          .map(name -> "the root " + name)
          .orElse(place);
    } catch (RuntimeException e) {
      return place;
    }
  }
}
