package io.everheap.salvage;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The types and roots in the catalog of a damaged heap, in the order in which they were found.
 *
 * @param types numbers by name
 * @param roots references by name
 * @param headerLost whether the header of a map is lost, so that its entries may be anywhere
 */
record FoundCatalog(Map<String, Long> types, Map<String, Long> roots, boolean headerLost) {
  FoundCatalog {
    types = Collections.unmodifiableMap(new LinkedHashMap<>(types));
    roots = Collections.unmodifiableMap(new LinkedHashMap<>(roots));
  }

  /** The names of types by their numbers; of two with one number the first. */
  Map<Long, String> typeNames() {
    Map<Long, String> names = new TreeMap<>();
    types.forEach((name, number) -> names.putIfAbsent(number, name));
    return names;
  }
}
