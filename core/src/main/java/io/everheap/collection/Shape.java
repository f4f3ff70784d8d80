package io.everheap.collection;

import io.everheap.codec.derived.CodecRegistry;

/**
 * What to find or to make under a name in a heap: a kind of structure and the types of what it
 * holds. Every structure has a method {@code of} that returns its shapes.
 *
 * <pre>{@code
 * DurableMap<String, Long> visits = heap.root("visits", DurableMap.of(String.class, Long.class));
 * }</pre>
 *
 * <p>Immutable.
 *
 * @param <S> the structure
 */
public interface Shape<S> {
  /**
   * Finds the codecs. For use by the heap.
   *
   * @param codecs of the heap
   * @throws io.everheap.error.UnsupportedTypeException when a class has no codec
   */
  Definition<S> define(CodecRegistry codecs);
}
