package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.codec.OrderedCodec;
import io.everheap.codec.WordCodec;
import io.everheap.codec.evolution.CodecEvolution;
import io.everheap.codec.ordered.OrderedForms;
import io.everheap.collection.base.SwitchingCodec;
import io.everheap.collection.sorted.SortedLayout;
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
record SortedTypes<K, V>(
    Codec<K> key,
    Codec<K> storedKey,
    Codec<V> value,
    @Nullable Comparator<? super K> comparator,
    String order,
    @Nullable Comparator<? super K> shownComparator) {

  /** Values may be of several versions of their type. */
  SortedTypes {
    value = CodecEvolution.versioned(value);
  }

  /** The same with other codecs of the same types. */
  SortedTypes<K, V> with(Codec<K> otherKey, Codec<V> otherValue) {
    Codec<K> plain = otherKey instanceof SwitchingCodec<K> s ? s.codec() : otherKey;
    Codec<K> ordered = comparator != null ? null : OrderedForms.of(plain);
    Codec<K> form = ordered == null ? plain : ordered;
    Codec<K> stored = otherKey instanceof SwitchingCodec<K> s ? s.around(form) : form;
    return new SortedTypes<>(otherKey, stored, otherValue, comparator, order, shownComparator);
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

  static <K, V> SortedTypes<K, V> ordered(Codec<K> key, Codec<V> value, KeyOrder<? super K> order) {
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
