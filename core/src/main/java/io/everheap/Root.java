package io.everheap;

import io.everheap.stability.Stable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A description of one of a heap's roots.
 *
 * @param name of the root
 * @param kind of structure, such as {@code map} or {@code list}
 * @param types name of the type of each of its parts, such as {@code key} and {@code value}, in the
 *     order of the parts
 * @param size number of entries or elements
 * @since 0.9
 */
@Stable
public record Root(String name, String kind, Map<String, String> types, long size) {
  /** Copies the map, in its order. */
  public Root {
    types = Collections.unmodifiableMap(new LinkedHashMap<>(types));
  }
}
