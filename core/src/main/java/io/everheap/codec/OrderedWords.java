package io.everheap.codec;

/**
 * The words of another codec as words that are ordered, as unsigned numbers, in the order of the
 * values.
 */
final class OrderedWords<T> implements WordCodec<T> {
  /** How the words of the other codec are ordered. */
  enum Order {
    /** As signed numbers. */
    SIGNED,
    /** As signed numbers, the greatest first. */
    DESCENDING,
    /** As the bits of floating-point numbers. */
    FLOATING
  }

  private final WordCodec<T> codec;
  private final Order order;

  OrderedWords(WordCodec<T> codec, Order order) {
    this.codec = codec;
    this.order = order;
  }

  /** Orders -0.0 before 0.0 and NaN last, as {@link Double#compare} does. */
  static long floating(long bits) {
    return bits < 0 ? ~bits : bits ^ Long.MIN_VALUE;
  }

  static long bits(long floating) {
    return floating < 0 ? floating ^ Long.MIN_VALUE : ~floating;
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
      case FLOATING -> floating(word);
    };
  }

  @Override
  public T fromWord(long word) {
    return codec.fromWord(
        switch (order) {
          case SIGNED -> word ^ Long.MIN_VALUE;
          case DESCENDING -> ~word ^ Long.MIN_VALUE;
          case FLOATING -> bits(word);
        });
  }
}
