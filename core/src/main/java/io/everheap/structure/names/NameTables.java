package io.everheap.structure.names;

import io.everheap.structure.common.StructureContext;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tables of names that a heap keeps in maps.
 *
 * @param heap that keeps them
 * @param types by number
 */
public record NameTables(StructureContext heap, StructureContext.Types types)
    implements StructureContext.Names {
  /** Catalog word with the reference of the map from root names to references. */
  public static final int ROOTS_WORD = 0;

  /** Those of a heap. */
  public NameTables(StructureContext heap) {
    this(heap, new TypeTable(heap));
  }

  @Override
  public boolean isRootTable(long reference) {
    return heap.memory().getLong(heap.catalog(ROOTS_WORD)) == reference;
  }

  @Override
  public @Nullable String rootName(long reference) {
    return TypeTable.names(heap, ROOTS_WORD).stream()
        .flatMap(roots -> roots.entrySet().stream())
        .filter(root -> root.getValue() == reference)
        .map(Map.Entry::getKey)
        .findAny()
        .orElse(null);
  }
}
