package io.everheap.codec;

import io.everheap.stability.Stable;
import org.jspecify.annotations.Nullable;

/**
 * Converts the values of one type to bytes and back.
 *
 * <p>Codecs are immutable and safe for use by any number of threads. The library's codecs accept
 * {@code null} as an element, a key or a value of a collection, but not at the top level;
 * collections that they read are unmodifiable and keep the order in which they were written.
 *
 * @param <T> the type of the values
 * @since 0.9
 */
@Stable
public interface Codec<T extends @Nullable Object> {
  /**
   * Returns the name of the layout of the bytes, for example {@code long}, {@code list<string>},
   * {@code record bank.Account(long balance, string? owner)} or {@code enum bank.Color(RED,GREEN)}.
   * The heap's type table keeps it, so it must stay the same as long as the layout does, and must
   * change whenever the layout changes. The name of a user's codec has 1 to 1000 characters, none
   * of {@code < > ( ) , ? =} or spaces, and is not the name of a built-in one. A question mark
   * follows the type of a component that may be {@code null}.
   *
   * @return the name
   */
  String name();

  /**
   * Appends the bytes of a value.
   *
   * @param value to write
   * @param out to append to; has a part of the value if this fails
   * @throws NullPointerException if the value is {@code null} and this is not a nullable codec
   * @throws io.everheap.error.TooLargeException if the value takes too many bytes, or is nested
   *     more than {@link CodecOutput#MAX_NESTING} levels deep
   */
  void write(T value, CodecOutput out);

  /**
   * Reads exactly the bytes that {@link #write} appended for one value.
   *
   * @param in to read from
   * @return a value equal to the one that was written
   * @throws io.everheap.error.CorruptValueException if the bytes are none of this codec
   */
  T read(CodecInput in);

  /**
   * Tells whether values are equal exactly if their bytes are. Keys of a map must be, because they
   * are found by their bytes. Arrays count as equal if their contents are.
   *
   * @return whether equal values have equal bytes, and unequal values unequal bytes
   */
  default boolean canonical() {
    return false;
  }
}
