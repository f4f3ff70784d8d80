package io.everheap.store;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.codec.OrderedCodec;
import io.everheap.codec.WordCodec;
import io.everheap.codec.ordered.OrderedForms;
import io.everheap.error.CorruptValueException;
import io.everheap.error.TooLargeException;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Keys as the bytes by which they are placed and found; those of sorted maps have the order of the
 * keys as unsigned bytes.
 *
 * @param <K> type of the keys
 */
abstract class KeyCodec<K> {
  /** Largest encoded key, as in the maps of heaps. */
  static final int MAX_BYTES = 256 << 10;

  private static final int GUESS = 32;

  final String name;

  /** The order of the keys; null for their natural order, and for keys without an order. */
  final @Nullable Comparator<? super K> comparator;

  private KeyCodec(String name, @Nullable Comparator<? super K> comparator) {
    this.name = name;
    this.comparator = comparator;
  }

  /** For maps without an order. */
  static <K> KeyCodec<K> hashed(Codec<K> codec) {
    if (!codec.canonical()) {
      throw new IllegalArgumentException(
          "the codec " + codec.name() + " is not canonical, so its values cannot be keys");
    }
    return new Plain<>(codec.name(), codec, null);
  }

  /**
   * For sorted maps.
   *
   * @throws IllegalArgumentException if the codec has no bytes in the order of the keys
   */
  static <K> KeyCodec<K> sorted(Codec<K> codec) {
    Codec<K> ordered = OrderedForms.of(codec);
    if (ordered == null) {
      throw new IllegalArgumentException(
          "the codec "
              + codec.name()
              + " has no bytes in the order of its values: use an OrderedCodec");
    }
    Comparator<? super K> comparator = comparator(codec);
    if (comparator == null) {
      comparator = comparator(ordered);
    }
    return ordered instanceof WordCodec<K> words
        ? new Words<>(codec.name(), words, comparator)
        : new Plain<>(codec.name(), ordered, comparator);
  }

  private static <K> @Nullable Comparator<? super K> comparator(Codec<K> codec) {
    return codec instanceof OrderedCodec<K> ordered ? ordered.comparator() : null;
  }

  abstract byte[] encode(K key);

  abstract K decode(byte[] bytes);

  private static byte[] checked(CodecOutput out) {
    if (out.size() > MAX_BYTES) {
      throw TooLargeException.value(
          "a key takes " + out.size() + " bytes; the limit is " + MAX_BYTES);
    }
    return out.toByteArray();
  }

  private static final class Plain<K> extends KeyCodec<K> {
    private final Codec<K> codec;

    Plain(String name, Codec<K> codec, @Nullable Comparator<? super K> comparator) {
      super(name, comparator);
      this.codec = codec;
    }

    @Override
    byte[] encode(K key) {
      CodecOutput out = CodecOutput.withCapacity(GUESS);
      codec.write(key, out);
      return checked(out);
    }

    @Override
    K decode(byte[] bytes) {
      CodecInput in = new CodecInput(bytes, 0, bytes.length);
      K key = codec.read(in);
      in.expectEnd();
      return key;
    }
  }

  /** Words that are ordered as unsigned numbers, with the highest byte first. */
  private static final class Words<K> extends KeyCodec<K> {
    private final WordCodec<K> codec;

    Words(String name, WordCodec<K> codec, @Nullable Comparator<? super K> comparator) {
      super(name, comparator);
      this.codec = codec;
    }

    @Override
    byte[] encode(K key) {
      byte[] bytes = new byte[Long.BYTES];
      long word = codec.toWord(key);
      for (int i = Long.BYTES - 1; i >= 0; i--) {
        bytes[i] = (byte) word;
        word >>>= Byte.SIZE;
      }
      return bytes;
    }

    @Override
    K decode(byte[] bytes) {
      if (bytes.length != Long.BYTES) {
        throw new CorruptValueException("found a number of " + bytes.length + " bytes as a key");
      }
      long word = 0;
      for (byte b : bytes) {
        word = word << Byte.SIZE | (b & 0xFF);
      }
      return codec.fromWord(word);
    }
  }
}
