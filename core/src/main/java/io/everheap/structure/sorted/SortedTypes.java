package io.everheap.structure.sorted;

import io.everheap.codec.Codec;
import io.everheap.codec.OrderedCodec;
import io.everheap.codec.WordCodec;
import io.everheap.codec.evolution.CodecEvolution;
import io.everheap.codec.ordered.OrderedForms;
import io.everheap.collection.KeyOrder;
import io.everheap.structure.common.ShapeParts;
import io.everheap.structure.common.SwitchingCodec;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The types of a sorted map, and how its keys are kept and compared.
 *
 * @param key codec of the keys as it was given
 * @param storedKey in whose form keys are kept: the ordered form, or the same codec
 * @param value codec of the values
 * @param comparator that orders keys, or null if their encoded forms are ordered
 * @param order the name of the order
 * @param shownComparator what {@code comparator()} returns
 */
public record SortedTypes<K, V>(
    Codec<K> key,
    Codec<K> storedKey,
    Codec<V> value,
    @Nullable Comparator<? super K> comparator,
    String order,
    @Nullable Comparator<? super K> shownComparator) {

  /** Values may be of several versions of their type. */
  public SortedTypes {
    value = CodecEvolution.versioned(value);
  }

  /** The same with other codecs of the same types. */
  SortedTypes<K, V> with(Codec<K> otherKey, Codec<V> otherValue) {
    if (otherKey.equals(key) && otherValue.equals(value)) {
      return this;
    }
    Codec<K> plain = otherKey instanceof SwitchingCodec<K> s ? s.codec() : otherKey;
    Codec<K> ordered = comparator != null ? null : OrderedForms.of(plain);
    Codec<K> form = ordered == null ? plain : ordered;
    Codec<K> stored = otherKey instanceof SwitchingCodec<K> s ? s.around(form) : form;
    return new SortedTypes<>(otherKey, stored, otherValue, comparator, order, shownComparator);
  }

  /**
   * What the parts of a shape say: the class or codec of the keys, and their order.
   *
   * @param value codec of the values
   * @param order index of the order; keys have their natural one if there is no such part
   */
  @SuppressWarnings("unchecked") // shapes are made by typed methods
  static <K, V> SortedTypes<K, V> of(ShapeParts parts, Codec<V> value, int order) {
    Codec<K> key = parts.plainCodec(0);
    if (parts.count() > order) {
      return ordered(key, value, (KeyOrder<? super K>) parts.get(order, KeyOrder.class));
    }
    return parts.is(0, Class.class)
        ? natural((Class<K>) parts.get(0, Class.class), key, value)
        : natural(key, value);
  }

  /** Keys in their own order: that of their encoded form. */
  static <K, V> SortedTypes<K, V> natural(Codec<K> key, Codec<V> value) {
    Codec<K> form = OrderedForms.of(key);
    if (form == null) {
      throw new IllegalArgumentException(
          "the codec "
              + key.name()
              + " is not ordered: give a KeyOrder, or an OrderedCodec in its place");
    }
    Comparator<? super K> shown =
        form instanceof OrderedCodec<K> ordered ? ordered.comparator() : null;
    return new SortedTypes<>(key, form, value, null, KeyOrder.NATURAL, shown);
  }

  /** Keys of a class in their own order: that of their encoded form, or of {@code compareTo}. */
  @SuppressWarnings("unchecked") // what is Comparable compares with its own kind
  static <K, V> SortedTypes<K, V> natural(Class<K> type, Codec<K> key, Codec<V> value) {
    if (OrderedForms.of(key) != null || !Comparable.class.isAssignableFrom(type)) {
      return natural(key, value);
    }
    Comparator<K> natural = (Comparator<K>) Comparator.naturalOrder();
    return new SortedTypes<>(key, key, value, natural, KeyOrder.NATURAL, null);
  }

  public static <K, V> SortedTypes<K, V> ordered(
      Codec<K> key, Codec<V> value, KeyOrder<? super K> order) {
    Comparator<? super K> comparator = order.comparator();
    return new SortedTypes<>(key, key, value, comparator, order.name(), comparator);
  }

  /** The kinds that the header must have. */
  long kinds() {
    return SortedLayout.kinds(
        storedKey instanceof WordCodec, value instanceof WordCodec, comparator != null);
  }

  boolean hasPrefixes() {
    return comparator == null
        && storedKey instanceof OrderedCodec<K> ordered
        && ordered.hasPrefixes();
  }
}
