package io.everheap.collection;

import io.everheap.stability.Stable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What tools see of an object of a heap, for they do not have its class.
 *
 * @param type name of its stored type, which may be one below the type that a reference names
 * @param values of its fields by their names, in the order of the type; what only the program can
 *     decode is a text that says so
 * @since 0.9
 */
@Stable
public record DescribedFields(String type, Map<Object, Object> values) {
  /** Copies the map. */
  public DescribedFields {
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values)); // with null values
  }
}
