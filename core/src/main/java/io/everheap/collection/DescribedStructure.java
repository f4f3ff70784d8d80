package io.everheap.collection;

import io.everheap.stability.Stable;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A structure that is a value of another one, for tools that have none of the classes. It reads the
 * heap when it is asked. Structures cannot contain themselves, but may be there more than once.
 *
 * @since 0.9
 */
@Stable
public interface DescribedStructure {
  /** The name of the kind of structure: {@code map}. */
  String kind();

  /** The name of its type: {@code ref map<string,long>}. */
  String type();

  /** Whether it holds entries with keys; otherwise it holds elements with positions. */
  boolean hasKeys();

  /** Whether it holds entries whose keys are texts. */
  boolean hasTextKeys();

  /** Whether it was freed although an entry names it. */
  boolean isStale();

  /**
   * How many entries or elements it has.
   *
   * @throws io.everheap.error.GoneException if it was freed
   */
  long size();

  /**
   * What it holds.
   *
   * @throws io.everheap.error.GoneException if it was freed
   */
  Stream<Map.Entry<Object, Object>> entries();
}
