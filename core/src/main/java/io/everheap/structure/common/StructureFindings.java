package io.everheap.structure.common;

import org.jspecify.annotations.Nullable;

/**
 * Takes what a check meets in a structure, sound or not. Called by one thread.
 *
 * <p>Keys and values are raw: a {@code Long} where the structure keeps words, else a {@code
 * byte[]}; see {@link RawCodecs}.
 */
public interface StructureFindings {
  /**
   * Something is not as the structure leaves it.
   *
   * @param kind in one or two words, as {@code VerifyReport} lists them
   * @param address in the home image
   * @param key the entry concerned, as text; null if there is none or it cannot be read
   * @param message what was found
   */
  void problem(String kind, long address, @Nullable String key, String message);

  /**
   * A block, which is allocated, belongs to what is being checked.
   *
   * @param reference to the block
   * @return false if something owns it already: then it is not followed any further
   */
  boolean owned(long reference);

  /**
   * Entries of these buckets of a map may be missing: what leads to them is damaged.
   *
   * @param first bucket
   * @param end exclusive; {@code Long.MAX_VALUE} if the number of buckets is not known
   */
  default void cut(long first, long end) {}

  /** Whether {@link #entry} wants values; reading large ones takes time. */
  default boolean wantsEntries() {
    return false;
  }

  /**
   * An entry in which nothing is wrong.
   *
   * @param node address of its block
   * @param key raw
   * @param value raw
   */
  default void entry(long node, Object key, Object value) {}

  /**
   * What is being checked leads to an object, which nothing owns. It need not be there: the program
   * may have freed it.
   *
   * @param address of what leads to it
   * @param key of the entry, or the name of the field; null for a root
   */
  default void object(long reference, long address, @Nullable Object key) {}

  /**
   * What is being checked holds a reference to what is gone. That is no damage: the program freed
   * it, or kept a handle of a transaction that was rolled back.
   *
   * @param address of what holds the reference
   * @param key of the entry, or the name of the field; null for a root
   * @param message what it led to
   */
  default void dangling(long address, @Nullable Object key, String message) {}

  /**
   * A key, a value or a field is sound, but this JVM lacks what it names, such as a time zone. That
   * is no damage: another JVM can decode it.
   *
   * @param address of what holds it
   * @param key of the entry, or the name of the field
   * @param message its type and the reason
   */
  default void undecodable(long address, @Nullable Object key, String message) {}

  /** An object was checked that can be read; values of its fields may be damaged. */
  default void checked(long reference) {}

  /** An entry was counted, sound or not. */
  default void counted() {}

  /** Something could not be looked at; it may be sound. */
  default void skipped(String what) {}
}
