package io.everheap.structure.common;

/** A structure that tools fill with raw entries of another one, which they cannot decode. */
public interface StructureCopy {
  /**
   * Adds an entry that {@link StructureFindings#entry} took, inside a transaction. Entries come in
   * the order of the original.
   *
   * @param key raw, or the position
   * @param value raw
   * @return false if it was left out, because its key is there already
   */
  boolean add(Object key, Object value);

  /** All that was found has been added; inside a transaction. */
  default void finish() {}

  /**
   * A key as people write it.
   *
   * @param type the name of its codec
   * @param key raw
   */
  default String text(String type, Object key) {
    return RawCodecs.text(type, key);
  }
}
