package io.everheap.codec;

import org.jspecify.annotations.Nullable;

/**
 * How values of one type become bytes and bytes become values again.
 *
 * <p>Codecs are immutable and may be used by any number of threads at once. Those made here accept
 * {@code null} elements, keys and values inside of collections, but none at the top level; decoded
 * collections are unmodifiable and keep the order in which they were written.
 *
 * @param <T> the type of the values
 */
public interface Codec<T extends @Nullable Object> {

  /**
   * Returns what identifies the layout of the bytes, for example {@code long}, {@code
   * list<string>}, {@code record bank.Account(long balance, string? owner)} or {@code enum
   * bank.Color(RED,GREEN)}. The heap's type table keeps it, so it must stay the same as long as the
   * bytes do, and must change whenever they do. One that is not built in has 1 to 1000 characters,
   * none of {@code < > ( ) , ? =} or spaces, and is not the name of a built-in one. A question mark
   * stands for a component that may be {@code null}.
   *
   * @return the name
   */
  String name();

  /**
   * Appends the bytes of a value.
   *
   * @param value to write
   * @param out to append to; holds a part of the value if this fails
   * @throws NullPointerException if the value is {@code null} and this is not a nullable codec
   * @throws io.everheap.error.ValueTooLargeException if the value takes too many bytes, or is
   *     nested more than {@link CodecOutput#MAX_NESTING} levels deep
   */
  void write(T value, CodecOutput out);

  /**
   * Takes from the input exactly what {@link #write} appended for one value.
   *
   * @param in to take from
   * @return a value equal to the one that was written
   * @throws io.everheap.error.CorruptValueException if the bytes are none of this codec
   */
  T read(CodecInput in);

  /**
   * Tells whether values are equal exactly when their bytes are: what keys of a map need, because
   * they are found by their bytes. Arrays count as equal when their contents are.
   *
   * @return whether equal values always give equal bytes, and unequal ones unequal bytes
   */
  default boolean canonical() {
    return false;
  }
}
