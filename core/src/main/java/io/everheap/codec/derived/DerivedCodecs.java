package io.everheap.codec.derived;

import io.everheap.codec.Codec;
import io.everheap.codec.WordCodec;
import io.everheap.codec.composite.CollectionCodec;
import io.everheap.codec.composite.EnumCodec;
import io.everheap.codec.composite.MapCodec;
import io.everheap.codec.composite.NullableCodec;
import io.everheap.codec.composite.OptionalCodec;
import io.everheap.stability.Evolving;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Codecs of collections, records and enums, made from other codecs or from classes.
 *
 * @since 0.9
 */
@Evolving
public final class DerivedCodecs {
  private DerivedCodecs() {}

  /**
   * Returns a codec of lists. It is {@linkplain Codec#canonical() canonical} if that of the
   * elements is.
   *
   * @param <E> the type of the elements
   * @param element codec of the elements
   * @return the codec
   */
  public static <E> Codec<List<E>> list(Codec<E> element) {
    return CollectionCodec.list(element);
  }

  /**
   * Returns a codec of sets. It is not {@linkplain Codec#canonical() canonical}: equal sets may
   * have different orders, which are kept.
   *
   * @param <E> the type of the elements
   * @param element codec of the elements
   * @return the codec
   */
  public static <E> Codec<Set<E>> set(Codec<E> element) {
    return CollectionCodec.set(element);
  }

  /**
   * Returns a codec of maps. It is not {@linkplain Codec#canonical() canonical}: equal maps may
   * have different orders, which are kept.
   *
   * @param <K> the type of the keys
   * @param <V> the type of the values
   * @param key codec of the keys
   * @param value codec of the values
   * @return the codec
   */
  public static <K, V> Codec<Map<K, V>> map(Codec<K> key, Codec<V> value) {
    return new MapCodec<>(key, value);
  }

  /**
   * Returns a codec of values that may be absent. It is {@linkplain Codec#canonical() canonical} if
   * that of the values is.
   *
   * @param <E> the type of the values
   * @param value codec of the value that is present
   * @return the codec
   */
  public static <E> Codec<Optional<E>> optional(Codec<E> value) {
    return new OptionalCodec<>(value);
  }

  /**
   * Returns a codec of the same values and {@code null}. It is {@linkplain Codec#canonical()
   * canonical} if the given one is.
   *
   * @param <E> the type of the values
   * @param value codec of those that are not {@code null}
   * @return the codec
   */
  public static <E> Codec<@Nullable E> nullable(Codec<E> value) {
    return new NullableCodec<>(value);
  }

  /**
   * Returns a codec of records whose components have built-in codecs or are records, enums or
   * sealed types themselves; {@link CodecRegistry} allows others. Values are read by the canonical
   * constructor and written by the accessors. It is {@linkplain Codec#canonical() canonical} if
   * those of all components are, assuming that {@code equals} is the generated one.
   *
   * @param <R> the type of the records
   * @param lookup of the class that may use the constructor; {@code MethodHandles.lookup()}
   * @param type of the records
   * @return the codec
   * @throws io.everheap.error.UnsupportedTypeException if a component has no codec or the lookup
   *     does not reach the record
   */
  public static <R extends Record> Codec<R> record(MethodHandles.Lookup lookup, Class<R> type) {
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
  public static <E extends Enum<E>> WordCodec<E> enumeration(Class<E> type) {
    return new EnumCodec<>(type);
  }
}
