package io.everheap.codec;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A codec whose encoded forms are ordered as its values are: of two values, the smaller one has the
 * smaller bytes, compared as unsigned numbers from the first one on, a beginning being smaller than
 * what it begins. Sorted collections compare the bytes of such keys without decoding them.
 *
 * <p>It reads all bytes that are left of its input, so it need not mark where a value ends.
 *
 * <p>One that is a {@link WordCodec} as well has words that are ordered as signed numbers.
 *
 * <pre>{@code
 * record Version(int major, int minor) implements Comparable<Version> { ... }
 *
 * final class VersionCodec implements OrderedCodec<Version> {
 *   public String name() { return "example.Version"; }
 *   public void write(Version v, CodecOutput out) {
 *     OrderedBytes.writeInt(v.major(), out);
 *     OrderedBytes.writeInt(v.minor(), out);
 *   }
 *   public Version read(CodecInput in) {
 *     return new Version(OrderedBytes.readInt(in), OrderedBytes.readInt(in));
 *   }
 * }
 * }</pre>
 *
 * @param <T> the type of the values
 */
public interface OrderedCodec<T> extends Codec<T> {
  /**
   * The order of the bytes as an order of values, as {@code SortedMap.comparator()} returns it.
   *
   * @return null if it is the natural order of the values, which are {@link Comparable} then
   */
  default @Nullable Comparator<? super T> comparator() {
    return null;
  }

  /**
   * Whether values can begin with others, as texts do, and the bytes of a value begin with those of
   * every value that it begins with, and with those of no other value.
   */
  default boolean hasPrefixes() {
    return false;
  }

  @Override
  default boolean canonical() {
    return true;
  }
}
