package io.everheap.structure.common;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.codec.WordCodec;

/**
 * A codec for a structure that was made by another version of the program: before it encodes a
 * value, the structure's header says that there may be values of its type. Values are therefore
 * encoded in the transaction that stores them.
 *
 * @param <T> the values
 */
public sealed class SwitchingCodec<T> implements Codec<T> {
  private final Codec<T> codec;
  private final Runnable note;

  private SwitchingCodec(Codec<T> codec, Runnable note) {
    this.codec = codec;
    this.note = note;
  }

  /**
   * A codec; one of words if the given one is.
   *
   * @param note brings the header up to date
   */
  public static <T> SwitchingCodec<T> of(Codec<T> codec, Runnable note) {
    return codec instanceof WordCodec<T> words
        ? new Words<>(words, note)
        : new SwitchingCodec<>(codec, note);
  }

  /** What encodes. */
  public Codec<T> codec() {
    return codec;
  }

  /** The same for another codec, for instance one that encodes in an ordered form. */
  public SwitchingCodec<T> around(Codec<T> other) {
    return of(other, note);
  }

  void note() {
    note.run();
  }

  @Override
  public String name() {
    return codec.name();
  }

  @Override
  public boolean canonical() {
    return codec.canonical();
  }

  @Override
  public void write(T value, CodecOutput out) {
    note();
    codec.write(value, out);
  }

  @Override
  public T read(CodecInput in) {
    return codec.read(in);
  }

  /** One of words. */
  private static final class Words<T> extends SwitchingCodec<T> implements WordCodec<T> {
    private final WordCodec<T> words;

    Words(WordCodec<T> words, Runnable note) {
      super(words, note);
      this.words = words;
    }

    @Override
    public long toWord(T value) {
      note();
      return words.toWord(value);
    }

    @Override
    public T fromWord(long word) {
      return words.fromWord(word);
    }

    @Override
    public void write(T value, CodecOutput out) {
      note();
      words.write(value, out);
    }

    @Override
    public T read(CodecInput in) {
      return words.read(in);
    }

    @Override
    public boolean canonical() {
      return words.canonical();
    }
  }
}
