package io.everheap.codec;

import io.everheap.stability.Stable;

/**
 * A codec whose every value is one 64-bit word, so that maps can keep it in place instead of in a
 * block of its own. Written as bytes, for instance within a list, a value may take fewer than 8.
 *
 * @param <T> the type of the values
 * @since 0.9
 */
@Stable
public interface WordCodec<T> extends Codec<T> {

  /**
   * Returns the word of a value.
   *
   * @param value not {@code null}
   * @return the same word for equal values, another one for every other value
   */
  long toWord(T value);

  /**
   * Returns the value of a word.
   *
   * @param word that {@link #toWord} returned
   * @return the value
   * @throws io.everheap.error.CorruptValueException if no value has this word
   */
  T fromWord(long word);

  /**
   * Returns whether it is known, without decoding a word, that {@link #fromWord} accepts it. Scans
   * decode such words without a handler for exceptions, which makes them about twice as fast.
   *
   * @param word any
   * @return {@code false} if it is not known
   */
  default boolean accepts(long word) {
    return false;
  }

  @Override
  default void write(T value, CodecOutput out) {
    out.writeLong(toWord(value));
  }

  @Override
  default T read(CodecInput in) {
    return fromWord(in.readLong());
  }

  @Override
  default boolean canonical() {
    return true;
  }
}
