package io.everheap.collection;

import io.everheap.stability.Stable;
import java.util.Comparator;
import java.util.Objects;

/**
 * A comparator with a name by which a heap remembers it. The name stands for the order that the
 * comparator makes: a program that opens a collection must give the same name, and another one if
 * the comparator orders differently. A collection whose comparator breaks this rule no longer finds
 * some of its entries.
 *
 * <pre>{@code
 * KeyOrder<String> byLength =
 *     KeyOrder.of("length, then text", comparingInt(String::length).thenComparing(naturalOrder()));
 * }</pre>
 *
 * @param name from 1 to 1000 characters, not {@code natural}
 * @param comparator must be a total order of all keys; two keys that it calls equal are one
 * @param <K> the type of keys
 * @since 0.9
 */
@Stable
public record KeyOrder<K>(String name, Comparator<? super K> comparator) {
  /** The name of the order of keys that have one of their own. */
  public static final String NATURAL = "natural";

  private static final int MOST = 1000;

  /**
   * A comparator and its name.
   *
   * @throws IllegalArgumentException if the name will not do
   */
  public KeyOrder {
    Objects.requireNonNull(comparator, "comparator");
    if (name.isEmpty() || name.length() > MOST || name.equals(NATURAL)) {
      throw new IllegalArgumentException(
          "the name of an order has 1 to " + MOST + " characters and is not 'natural'");
    }
  }

  /** A comparator and its name. */
  public static <K> KeyOrder<K> of(String name, Comparator<? super K> comparator) {
    return new KeyOrder<>(name, comparator);
  }
}
