package io.everheap.structure.common;

import io.everheap.codec.Codec;
import io.everheap.codec.WordCodec;
import io.everheap.collection.Undecodable;
import io.everheap.engine.tx.Stripes;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.CorruptValueException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Values of one codec as one word each, for structures whose places are words: the word itself if
 * the codec makes words, else the reference of a cell (see {@link ValueCells}), which is never 0. A
 * structure that can have empty places must say so elsewhere, for any word can be a value.
 *
 * <p>Reading is two steps, so that an optimistic reader runs no code of the program: {@link #load}
 * under the guard of the structure, {@link #decode} when it held. Writing is two steps as well:
 * {@link #encode} may come before the transaction, {@link #store} is inside. Thread-safe.
 *
 * @param <T> the values
 */
public final class ValueStore<T> {
  private final Coding<T> coding;
  private final @Nullable WordCodec<T> word;
  private final ValueCells cells;
  private final Guard exclusive;
  private final Transactions tx;

  /** For values that are not encoded. */
  public ValueStore(StructureContext heap, Codec<T> codec) {
    this(heap, new Coding<>(codec));
  }

  /**
   * For the values of a structure.
   *
   * @param holder says which, for messages
   */
  public ValueStore(StructureContext heap, Codec<T> codec, Supplier<String> holder) {
    this(heap, new Coding<>(heap, codec, holder));
  }

  private ValueStore(StructureContext heap, Coding<T> coding) {
    this.coding = coding;
    this.tx = heap.transactions();
    this.word = coding.word();
    this.cells = new ValueCells(heap.memory(), heap.allocator());
    this.exclusive = new Guard(heap.stripes(), 0).exclusive();
  }

  /** Whether a value is its word, and no cell. */
  public boolean isWord() {
    return word != null;
  }

  /** Whether {@link #encode} may not come before the transaction: see {@link Coding#mustBegin}. */
  public boolean mustBegin() {
    return coding.mustBegin(tx);
  }

  /** The codec, if values are their words. */
  public @Nullable WordCodec<T> word() {
    return word;
  }

  /** Encodes a value; runs the program's code, changes nothing. */
  public Encoded encode(T value) {
    return coding.encode(value);
  }

  /** Keeps a value in the running transaction and returns the word that stands for it. */
  public long store(Encoded value) {
    byte[] bytes = value.bytes;
    return bytes == null ? value.word : cells.create(bytes, value.length);
  }

  /** Encodes and stores a value in the running transaction. */
  public long store(T value) {
    WordCodec<T> codec = word;
    return codec == null ? store(coding.encode(value)) : codec.toWord(value);
  }

  /**
   * Copies what a word stands for. May be optimistic: what it returns, and what it throws, counts
   * only if the guard holds afterwards.
   */
  public Encoded load(long value, Guard guard) {
    if (word != null) {
      return Encoded.ofWord(value);
    }
    byte[] bytes = cells.load(value, guard);
    return Encoded.ofBytes(bytes, bytes.length);
  }

  /**
   * Copies what a word stands for, for the writer. What was copied can be decoded after the word
   * was replaced or removed, so that the program's code meets the structure in its new state.
   */
  public Encoded load(long value) {
    return load(value, exclusive);
  }

  /** Decodes what was loaded; runs the program's code. */
  public T decode(Encoded value) {
    return coding.decode(value);
  }

  /** Decodes a word from a position, which a failure names; only if values are words. */
  public T decode(long value, long position) {
    try {
      return coding.decode(value);
    } catch (CorruptValueException e) {
      throw Contents.atPosition(position, e);
    }
  }

  /** Decodes what was loaded from a position, which a failure names. */
  public T decodeAt(long position, Encoded value) {
    try {
      return coding.decode(value);
    } catch (CorruptValueException e) {
      throw Contents.atPosition(position, e);
    }
  }

  /** Describes a loaded value that does not decode; null if it decodes. */
  public @Nullable Undecodable failure(long position, Encoded value) {
    CorruptValueException e = coding.failure(value);
    return e == null ? null : undecodable(position, value, e);
  }

  /** Describes a loaded value that was not decoded. */
  public Undecodable undecodable(long position, Encoded value, CorruptValueException reason) {
    return StoredBytes.undecodable(
        position, coding.type(), value, Contents.atPosition(position, reason));
  }

  /** The value of a word, for the writer, or while writers are kept out. */
  public T get(long value) {
    return word == null ? coding.decode(load(value)) : coding.decode(value);
  }

  /**
   * Frees what a word leads to, in the running transaction.
   *
   * @param stripe that readers of the word validate, or {@link Stripes#NONE}
   */
  public void free(int stripe, long value) {
    if (word == null) {
      cells.free(stripe, value);
    }
  }
}
