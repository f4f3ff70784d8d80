package io.everheap.structure.common;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.codec.WordCodec;
import io.everheap.codec.check.CodecCheck;
import io.everheap.codec.reference.ObjectCodec;
import io.everheap.codec.reference.References;
import io.everheap.durable.handle.DecodeFailure;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.CorruptValueException;
import io.everheap.error.GoneException;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Turns values into their encoded form and back, by one codec, which may be the program's code.
 * Thread-safe: what changes are guesses, for which races do no harm.
 */
public final class Coding<T> {
  private static final int MOST_GUESSED = 1 << 12;

  private final Codec<T> codec;
  private final @Nullable WordCodec<T> word;
  private final boolean leads;

  /** A guess: most values of a map have one size. */
  private int sizeOfLast = 64;

  /** What holds the values; null if nothing is encoded. */
  private final @Nullable Supplier<String> holder;

  private final boolean checksAll;

  /** Whether the codec was checked to read what it writes, or need not be. */
  private boolean checked;

  /** For values that are only decoded, by a check or a copy. */
  public Coding(Codec<T> codec) {
    this(codec, null, false);
  }

  /**
   * For the values of a structure.
   *
   * @param holder says which, for messages
   */
  public Coding(StructureContext heap, Codec<T> codec, Supplier<String> holder) {
    this(codec, holder, heap.checksCodecs() || CodecCheck.ALWAYS);
  }

  private Coding(Codec<T> codec, @Nullable Supplier<String> holder, boolean checksAll) {
    this.codec = codec;
    this.word = codec instanceof WordCodec<T> w ? w : null;
    this.leads = References.inCodec(codec) || codec instanceof SwitchingCodec;
    this.holder = holder;
    this.checked = holder == null || (leads && word != null); // the library encodes references
    this.checksAll = checksAll && !checked;
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

  /**
   * Encodes a value that is to be stored.
   *
   * @throws IllegalArgumentException if it is checked, and the codec cannot read it
   */
  public Encoded encode(T value) {
    Encoded encoded = encoded(value);
    if (!checked) {
      check(value, encoded);
    }
    return encoded;
  }

  /**
   * Encodes a key that is to be stored.
   *
   * @throws IllegalArgumentException if it is too long
   */
  public Encoded encodeKey(T key) {
    Encoded encoded = encode(Objects.requireNonNull(key, "key"));
    if (encoded.length > NodeLayout.MAX_KEY_BYTES) {
      throw new IllegalArgumentException(
          "the key takes "
              + encoded.length
              + " bytes, more than the limit of "
              + NodeLayout.MAX_KEY_BYTES);
    }
    return encoded;
  }

  private void check(T value, Encoded encoded) {
    byte[] bytes = encoded.bytes;
    WordCodec<T> w = word;
    Supplier<String> place = Objects.requireNonNull(holder);
    if (bytes != null) {
      CodecCheck.bytes(codec, value, bytes, encoded.length, place);
    } else if (w != null) {
      CodecCheck.word(w, value, encoded.word, place);
    }
    checked = !checksAll;
  }

  private Encoded encoded(T value) {
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
      return encoded((T) value);
    } catch (ClassCastException e) {
      return null;
    } catch (GoneException e) {
      return encodeToFind((T) value);
    }
  }

  /** Encodes a value that leads to objects that are gone: entries can still be found by it. */
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

  /**
   * Decodes a stored value.
   *
   * @throws CorruptValueException if the codec, or the class of the value, does not accept it
   */
  public T decode(Encoded encoded) {
    byte[] bytes = encoded.bytes;
    if (word != null) {
      return decode(encoded.word);
    }
    if (bytes == null) {
      throw new IllegalStateException("a word where the codec expects bytes");
    }
    return decode(bytes, 0, encoded.length);
  }

  /** Decodes a part of an array; only if values are bytes. */
  public T decode(byte[] bytes, int from, int length) {
    CodecInput in = new CodecInput(bytes, from, from + length);
    try {
      T value = codec.read(in);
      in.expectEnd();
      return value;
    } catch (RuntimeException | LinkageError e) {
      throw undecodable(e);
    }
  }

  private RuntimeException undecodable(Throwable e) {
    return DecodeFailure.of(holder == null ? null : holder.get(), codec.name(), e);
  }

  /** Decodes a word; only if values are words. */
  public T decode(long encoded) {
    WordCodec<T> w = word;
    if (w == null) {
      throw new IllegalStateException("a word where the codec expects bytes");
    }
    if (w.accepts(encoded)) {
      return w.fromWord(encoded); // outside of the try, in which a box would be allocated
    }
    try {
      return w.fromWord(encoded);
    } catch (RuntimeException | LinkageError e) {
      throw undecodable(e);
    }
  }

  /** The name of the codec. */
  public String type() {
    return codec.name();
  }

  /**
   * Tries to decode a stored value.
   *
   * @return why it cannot be decoded; null if it can
   */
  public @Nullable CorruptValueException failure(Encoded encoded) {
    try {
      T _ = decode(encoded);
      return null;
    } catch (CorruptValueException e) {
      return e;
    } catch (GoneException e) {
      return null; // it leads to what was freed, which is no failure of the codec
    }
  }
}
