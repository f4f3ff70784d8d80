package io.everheap.codec.reference;

import io.everheap.codec.WordCodec;
import java.util.List;

/**
 * A codec of references to structures, each of which keeps its own types, so that it knows itself
 * how it differs from a stored one.
 *
 * @param <T> the structures
 */
public interface StructureCodec<T> extends WordCodec<T> {
  /** What in structures of a stored type cannot be used; empty if nothing. */
  List<String> differences(String stored);
}
