package io.everheap.codec.reference;

import io.everheap.codec.WordCodec;
import java.util.List;

/**
 * A codec of references to structures. A structure keeps its own types, so this codec knows how its
 * type differs from a stored one.
 *
 * @param <T> the structures
 */
public interface StructureCodec<T> extends WordCodec<T> {
  /**
   * The differences, in words, that keep structures of a stored type from being used; empty if
   * there are none.
   */
  List<String> differences(String stored);
}
