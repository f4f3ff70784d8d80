package io.everheap.collection.base;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.codec.ObjectCodec;
import io.everheap.codec.References;
import io.everheap.codec.WordCodec;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.StaleReferenceException;
import org.jspecify.annotations.Nullable;

/** Turns values into their encoded form and back, by one codec. Runs the user's code. */
public final class Coding<T> {
  private static final int MOST_GUESSED = 1 << 12;

  private final Codec<T> codec;
  private final @Nullable WordCodec<T> word;
  private final boolean leads;

  /** A guess, for most values of a map are of one size; races do no harm. */
  private int sizeOfLast = 64;

  public Coding(Codec<T> codec) {
    this.codec = codec;
    this.word = codec instanceof WordCodec<T> w ? w : null;
    this.leads = References.inCodec(codec) || codec instanceof SwitchingCodec;
  }

  /** Refuses codecs by which equal keys may have several encodings. */
  public static void requireCanonical(Codec<?> codec) {
    if (!codec.canonical()) {
      throw new IllegalArgumentException(
          "the codec "
              + codec.name()
              + " cannot encode keys: it may encode equal values in several ways, and a map finds"
              + " keys by their encoded form");
    }
  }

  /** Whether values are encoded as words. */
  public boolean isWord() {
    return word != null;
  }

  /**
   * Whether a value must not be encoded before the transaction that stores it begins: it may hold
   * references, and what they lead to must not be freed between the two, or be of a type that the
   * header does not have yet.
   */
  public boolean mustBegin(Transactions tx) {
    return leads && !tx.isWriter();
  }

  /** The codec of words, or null. */
  public @Nullable WordCodec<T> word() {
    return word;
  }

  public Encoded encode(T value) {
    WordCodec<T> w = word;
    if (w != null) {
      return Encoded.ofWord(w.toWord(value));
    }
    CodecOutput out = CodecOutput.withCapacity(Math.min(sizeOfLast, MOST_GUESSED));
    codec.write(value, out);
    int size = out.size();
    if (size != sizeOfLast) {
      sizeOfLast = size;
    }
    return Encoded.ofBytes(out.array(), size);
  }

  /** Encodes what may be of another type; null if the codec cannot have encoded such a value. */
  @SuppressWarnings("unchecked") // a wrong type shows as the exception that is caught
  public @Nullable Encoded encodeAny(Object value) {
    try {
      return encode((T) value);
    } catch (ClassCastException e) {
      return null;
    } catch (StaleReferenceException e) {
      return encodeToFind((T) value);
    }
  }

  /** Of a value that leads to objects that are gone: what holds it can still be found by it. */
  private @Nullable Encoded encodeToFind(T value) {
    try {
      if (word instanceof ObjectCodec<T> objects) {
        return Encoded.ofWord(objects.wordToFind(value));
      }
      CodecOutput out = CodecOutput.toFind();
      codec.write(value, out);
      return Encoded.ofBytes(out.array(), out.size());
    } catch (ClassCastException e) {
      return null;
    }
  }

  public T decode(Encoded encoded) {
    byte[] bytes = encoded.bytes;
    WordCodec<T> w = word;
    if (w != null) {
      return w.fromWord(encoded.word);
    }
    if (bytes == null) {
      throw new IllegalStateException("a word where the codec expects bytes");
    }
    return decode(bytes, 0, encoded.length);
  }

  /** Decodes a part of an array; only if values are bytes. */
  public T decode(byte[] bytes, int from, int length) {
    CodecInput in = new CodecInput(bytes, from, from + length);
    T value = codec.read(in);
    in.expectEnd();
    return value;
  }

  /** Decodes a word; only if values are words. */
  public T decode(long encoded) {
    WordCodec<T> w = word;
    if (w == null) {
      throw new IllegalStateException("a word where the codec expects bytes");
    }
    return w.fromWord(encoded);
  }
}
