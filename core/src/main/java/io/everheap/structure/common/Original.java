package io.everheap.structure.common;

import io.everheap.codec.Codec;
import io.everheap.engine.HeapContext;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * A structure whose raw entries are copied to another heap, and what its header says of it. For use
 * by tools that have none of the classes of the program.
 */
public final class Original {
  private final HeapContext heap;
  private final long reference;
  private final LongSupplier size;
  private final List<String> types;
  private final boolean[] words;

  /**
   * A structure whose header is sound.
   *
   * @param heap that holds it, which has no writer
   * @param size finds the number of entries
   * @param types names of the types of all parts
   * @param words whether the parts that have codecs are words
   */
  public Original(
      HeapContext heap, long reference, LongSupplier size, List<String> types, boolean[] words) {
    this.heap = Objects.requireNonNull(heap);
    this.reference = reference;
    this.size = size;
    this.types = List.copyOf(types);
    this.words = words.clone();
  }

  /** The heap that it is in. */
  public HeapContext heap() {
    return heap;
  }

  /** Its reference there. */
  public long reference() {
    return reference;
  }

  /** Names of the types of all parts. */
  public List<String> types() {
    return types;
  }

  /** How many entries or elements it has. */
  public long size() {
    return size.getAsLong();
  }

  /** A codec that passes the raw values of one of the parts with codecs through. */
  public Codec<Object> raw(int part) {
    return RawCodecs.of(types.get(part), words[part]);
  }

  /** Whether the values of one of the parts with codecs are words. */
  public boolean words(int part) {
    return words[part];
  }
}
