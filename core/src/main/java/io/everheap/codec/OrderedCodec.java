package io.everheap.codec;

import io.everheap.stability.Stable;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A codec whose bytes have the order of its values: of two values, the smaller one has the smaller
 * bytes in lexicographic order of unsigned numbers, where a prefix is smaller than what it begins.
 * Sorted collections compare the bytes of such keys without decoding them.
 *
 * <p>The codec reads its input to the end, so its bytes need not mark where a value ends.
 *
 * <p>If it is also a {@link WordCodec}, its words have the order of the values as signed numbers.
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
 * @since 0.9
 */
@Stable
public interface OrderedCodec<T> extends Codec<T> {
  /**
   * Returns the order of the values, as {@code SortedMap.comparator()} does.
   *
   * @return null for the natural order of values that are {@link Comparable}
   */
  default @Nullable Comparator<? super T> comparator() {
    return null;
  }

  /**
   * Whether one value can be a prefix of another, as with texts, and the bytes of one value are a
   * prefix of those of another exactly if the value is.
   */
  default boolean hasPrefixes() {
    return false;
  }

  @Override
  default boolean canonical() {
    return true;
  }
}
