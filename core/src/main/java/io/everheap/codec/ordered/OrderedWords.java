package io.everheap.codec.ordered;

import io.everheap.codec.WordCodec;

/**
 * The words of another codec, changed such that they have the order of the values as unsigned
 * numbers.
 */
record OrderedWords<T>(WordCodec<T> codec, Order order) implements WordCodec<T> {
  /** How the words of the other codec are ordered. */
  enum Order {
    /** As signed numbers. */
    SIGNED,
    /** As signed numbers, the greatest first. */
    DESCENDING,
    /** As the bits of floating-point numbers: -0.0 before 0.0 and NaN last. */
    FLOATING
  }

  @Override
  public String name() {
    return codec.name();
  }

  @Override
  public long toWord(T value) {
    long word = codec.toWord(value);
    return switch (order) {
      case SIGNED -> word ^ Long.MIN_VALUE;
      case DESCENDING -> ~(word ^ Long.MIN_VALUE);
      case FLOATING -> word < 0 ? ~word : word ^ Long.MIN_VALUE;
    };
  }

  @Override
  public T fromWord(long word) {
    return codec.fromWord(original(word));
  }

  @Override
  public boolean accepts(long word) {
    return codec.accepts(original(word));
  }

  private long original(long word) {
    return switch (order) {
      case SIGNED -> word ^ Long.MIN_VALUE;
      case DESCENDING -> ~word ^ Long.MIN_VALUE;
      case FLOATING -> word < 0 ? word ^ Long.MIN_VALUE : ~word;
    };
  }
}
