package io.everheap.structure.common;

import io.everheap.collection.Structure;
import io.everheap.durable.handle.OwnObjects;
import io.everheap.error.CorruptValueException;
import io.everheap.error.GoneException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Compares and describes what collections hold, some of which may lead to what is gone: an object
 * or a structure that was freed has no contents, so it is equal to itself only, and whatever else
 * the collection holds can still be found, compared and shown.
 */
@SuppressWarnings("ReferenceEquality") // where there are no contents, nothing else is left
public final class Contents {
  private static final String GONE = "<stale reference>";

  /** Bytes of a key that a message shows. */
  private static final int MAX_SHOWN = 64;

  private Contents() {}

  /** Whether two values are equal; arrays by their elements. */
  public static boolean same(@Nullable Object a, @Nullable Object b) {
    try {
      return Objects.deepEquals(a, b);
    } catch (GoneException e) {
      return areOne(a, b);
    }
  }

  /** Whether two values are equal. */
  static boolean equal(@Nullable Object a, @Nullable Object b) {
    try {
      return Objects.equals(a, b);
    } catch (GoneException e) {
      return areOne(a, b);
    }
  }

  private static boolean areOne(@Nullable Object a, @Nullable Object b) {
    return a == b
        || OwnObjects.isSame(a, b)
        || (a instanceof Structure s && b instanceof Structure t && s.sameAs(t));
  }

  /** The hash of a value; the same for all that cannot be compared by its contents. */
  static int hash(@Nullable Object value) {
    try {
      return Objects.hashCode(value);
    } catch (GoneException e) {
      return 0;
    }
  }

  /** Moves an iterator behind the next element that equals an object; false if there is none. */
  public static boolean find(@Nullable Object o, Iterator<?> elements) {
    while (o != null && elements.hasNext()) {
      if (isSame(o, elements::next)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a value equals a stored one, which is decoded; one that does not decode equals none.
   */
  public static boolean isSame(@Nullable Object value, Supplier<?> stored) {
    Object decoded;
    try {
      decoded = stored.get();
    } catch (CorruptValueException e) {
      return false;
    }
    return same(value, decoded);
  }

  /** Whether a filter accepts a stored value. One that does not decode is never removed by one. */
  public static <T> boolean isAccepted(Predicate<? super T> filter, Supplier<T> stored) {
    T decoded;
    try {
      decoded = stored.get();
    } catch (CorruptValueException e) {
      return false;
    }
    return filter.test(decoded);
  }

  /** The next element that decodes; null if there is none. */
  public static <T> @Nullable T firstDecoded(Iterator<T> elements) {
    while (elements.hasNext()) {
      try {
        return elements.next();
      } catch (CorruptValueException e) {
        // the next one may decode
      }
    }
    return null;
  }

  /** Whether two sequences have equal elements in the same order. */
  public static boolean sameInOrder(Iterable<?> a, Iterable<?> b) {
    Iterator<?> i = a.iterator();
    Iterator<?> j = b.iterator();
    try {
      while (i.hasNext() && j.hasNext()) {
        if (!equal(i.next(), j.next())) {
          return false;
        }
      }
    } catch (CorruptValueException e) {
      return false;
    }
    return !i.hasNext() && !j.hasNext();
  }

  /** The hash of a list. */
  public static int hashInOrder(Iterable<?> elements) {
    int hash = 1;
    for (Object element : elements) {
      hash = 31 * hash + hash(element);
    }
    return hash;
  }

  /** Whether two maps have equal entries. */
  public static boolean sameEntries(Map<?, ?> a, @Nullable Object other) {
    if (other == a) {
      return true;
    }
    if (!(other instanceof Map<?, ?> b) || b.size() != a.size()) {
      return false;
    }
    try {
      for (Map.Entry<?, ?> entry : a.entrySet()) {
        Object value = b.get(entry.getKey());
        if (value == null || !equal(entry.getValue(), value)) {
          return false;
        }
      }
      return true;
    } catch (ClassCastException | NullPointerException e) {
      return false; // the other map cannot have such keys
    } catch (CorruptValueException e) {
      return false;
    }
  }

  /** The hash of a set, or of a map by its entries. */
  public static int hashOfAll(Iterable<?> elements) {
    int sum = 0;
    for (Object element : elements) {
      sum += hash(element);
    }
    return sum;
  }

  /**
   * The elements as {@code java.util} shows them; never throws because something is gone or does
   * not decode.
   */
  public static String elements(Iterable<?> elements) {
    StringJoiner text = new StringJoiner(", ", "[", "]");
    try {
      for (Iterator<?> i = elements.iterator(); i.hasNext(); ) {
        text.add(decodedText(() -> text(i.next())));
      }
    } catch (GoneException e) {
      return GONE; // the collection itself
    }
    return text.toString();
  }

  /**
   * The entries as {@code java.util} shows them; never throws because something is gone or does not
   * decode.
   */
  public static String entries(Map<?, ?> map) {
    StringJoiner text = new StringJoiner(", ", "{", "}");
    try {
      for (Iterator<? extends Map.Entry<?, ?>> i = map.entrySet().iterator(); i.hasNext(); ) {
        text.add(
            decodedText(
                () -> {
                  Map.Entry<?, ?> entry = i.next();
                  return text(entry.getKey()) + '=' + text(entry.getValue());
                }));
      }
    } catch (GoneException e) {
      return GONE; // the map itself
    }
    return text.toString();
  }

  /** A stored value as a text, which says so if it does not decode. */
  public static String text(Supplier<?> stored) {
    return decodedText(() -> text(stored.get()));
  }

  private static String decodedText(Supplier<String> text) {
    try {
      return text.get();
    } catch (CorruptValueException e) {
      return "<undecodable: " + e.getMessage() + '>';
    }
  }

  /** Copies elements into an array, whatever size they claim: it may change, or be damaged. */
  public static Object[] toArray(Iterable<?> elements) {
    return list(elements).toArray();
  }

  /** Copies elements into an array of the caller's type, whatever size they claim. */
  @SuppressWarnings("SuspiciousToArrayCall") // the caller says which array it wants
  public static <T> T[] toArray(Iterable<?> elements, T[] array) {
    return list(elements).toArray(array);
  }

  private static List<Object> list(Iterable<?> elements) {
    List<Object> list = new ArrayList<>();
    elements.iterator().forEachRemaining(list::add);
    return list;
  }

  /**
   * Returns the exception for a value that does not decode, with its key.
   *
   * @param key by which it was asked for; its stored bytes if it does not decode
   */
  public static CorruptValueException ofKey(Object key, CorruptValueException e) {
    String name =
        key instanceof byte[] bytes ? "the key with the bytes " + hex(bytes) : "key " + text(key);
    return new CorruptValueException("Of " + name + ": " + e.getMessage(), e);
  }

  private static String hex(byte[] bytes) {
    return bytes.length <= MAX_SHOWN
        ? HexFormat.of().formatHex(bytes)
        : HexFormat.of().formatHex(bytes, 0, MAX_SHOWN) + "...";
  }

  /** What cannot be read, with the position that it is at. */
  public static CorruptValueException atPosition(long position, CorruptValueException e) {
    return new CorruptValueException("At position " + position + ": " + e.getMessage(), e);
  }

  /** A value as a text. */
  public static String text(@Nullable Object value) {
    try {
      return String.valueOf(value);
    } catch (GoneException e) {
      return "<stale reference: " + e.getMessage() + '>';
    }
  }
}
