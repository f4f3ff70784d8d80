package io.everheap.codec;

import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
   * @throws NullPointerException if the value is {@code null} and this is not a {@linkplain
   *     #nullable(Codec) nullable} codec
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

  /**
   * Returns a codec of lists. It is {@linkplain #canonical() canonical} if that of the elements is.
   *
   * @param <E> the type of the elements
   * @param element codec of the elements
   * @return the codec
   */
  static <E> Codec<List<E>> list(Codec<E> element) {
    return CollectionCodec.list(element);
  }

  /**
   * Returns a codec of sets. It is not {@linkplain #canonical() canonical}: equal sets may have
   * different orders, which are kept.
   *
   * @param <E> the type of the elements
   * @param element codec of the elements
   * @return the codec
   */
  static <E> Codec<Set<E>> set(Codec<E> element) {
    return CollectionCodec.set(element);
  }

  /**
   * Returns a codec of maps. It is not {@linkplain #canonical() canonical}: equal maps may have
   * different orders, which are kept.
   *
   * @param <K> the type of the keys
   * @param <V> the type of the values
   * @param key codec of the keys
   * @param value codec of the values
   * @return the codec
   */
  static <K, V> Codec<Map<K, V>> map(Codec<K> key, Codec<V> value) {
    return new MapCodec<>(key, value);
  }

  /**
   * Returns a codec of values that may be absent. It is {@linkplain #canonical() canonical} if that
   * of the values is.
   *
   * @param <E> the type of the values
   * @param value codec of the value that is present
   * @return the codec
   */
  static <E> Codec<Optional<E>> optional(Codec<E> value) {
    return new OptionalCodec<>(value);
  }

  /**
   * Returns a codec of the same values and {@code null}. It is {@linkplain #canonical() canonical}
   * if the given one is.
   *
   * @param <E> the type of the values
   * @param value codec of those that are not {@code null}
   * @return the codec
   */
  static <E> Codec<@Nullable E> nullable(Codec<E> value) {
    return new NullableCodec<>(value);
  }

  /**
   * Returns a codec of records whose components have built-in codecs or are records, enums or
   * sealed types themselves; {@link CodecRegistry} allows others. Values are read by the canonical
   * constructor and written by the accessors. It is {@linkplain #canonical() canonical} if those of
   * all components are, which takes {@code equals} for the generated one.
   *
   * @param <R> the type of the records
   * @param lookup of the class that may use the constructor; {@code MethodHandles.lookup()}
   * @param type of the records
   * @return the codec
   * @throws io.everheap.error.UnsupportedTypeException if a component has no codec or the lookup
   *     does not reach the record
   */
  static <R extends Record> Codec<R> record(MethodHandles.Lookup lookup, Class<R> type) {
    return new CodecRegistry().lookup(lookup).forClass(type);
  }

  /**
   * Returns a codec of the constants of an enum, which are stored by their position. Its name lists
   * them in that order.
   *
   * @param <E> the type of the constants
   * @param type of the constants
   * @return the codec
   */
  static <E extends Enum<E>> WordCodec<E> enumeration(Class<E> type) {
    return new EnumCodec<>(type);
  }
}
