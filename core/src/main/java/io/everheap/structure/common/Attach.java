package io.everheap.structure.common;

/**
 * Makes a handle.
 *
 * @param <S> the structure
 */
@FunctionalInterface
public interface Attach<S> {
  /** To what exists, or was freed: then every method of the handle throws. */
  S to(StructureContext heap, long reference);
}
