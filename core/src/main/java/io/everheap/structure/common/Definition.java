package io.everheap.structure.common;

import io.everheap.codec.Codec;
import io.everheap.collection.Shape;
import io.everheap.engine.alloc.Reference;
import io.everheap.error.StaleReferenceException;
import java.util.List;

/**
 * A {@link Shape} whose codecs are known. For use by the heap.
 *
 * @param <S> the structure
 */
public interface Definition<S> {
  /** The kind of structure. */
  StructureKind kind();

  /** Codecs of the parts that have one, in their order. */
  List<Codec<?>> codecs();

  /**
   * The same with other codecs for values of the same Java types.
   *
   * @param codecs as many as there are
   */
  default Definition<S> with(List<Codec<?>> codecs) {
    throw new UnsupportedOperationException("the types of a " + kind().name() + " never change");
  }

  /** Names of the types of all parts, in their order. */
  default List<String> types() {
    return codecs().stream().<String>map(Codec::name).toList();
  }

  /**
   * Whether a part of a structure that has this stored type can be used as the one of {@link
   * #types}.
   */
  default boolean reads(int part, String stored) {
    return types().get(part).equals(stored);
  }

  /**
   * Makes an empty structure in the running transaction.
   *
   * @param types numbers of {@link #types}, to be kept in its header
   * @return its reference
   */
  long create(StructureContext heap, long[] types);

  /**
   * Makes a handle to a structure of this kind and these types.
   *
   * @throws io.everheap.error.StaleReferenceException if there is no such structure
   * @throws io.everheap.error.CorruptHeapException if it does not fit the codecs
   */
  S attach(StructureContext heap, long reference);

  /**
   * Makes a handle to a structure that was freed while an entry still named it. Every method of it
   * throws {@link io.everheap.error.StaleReferenceException}; the entry can be removed or replaced.
   *
   * @throws io.everheap.error.StaleReferenceException if this kind of structure has no such handles
   */
  default S dead(StructureContext heap, long reference) {
    throw new StaleReferenceException(
        "the structure at " + Reference.describe(reference) + " was freed");
  }
}
