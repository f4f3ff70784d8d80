package io.everheap.structure.common;

import io.everheap.codec.Codec;
import java.util.List;
import java.util.Objects;

/**
 * A structure whose raw entries are copied to another heap, and what its header says of it. For use
 * by tools that have none of the classes of the program.
 */
public final class Original {
  private final StructureContext heap;
  private final StructureKind kind;
  private final long reference;
  private final List<String> types;
  private final boolean[] words;

  /**
   * A structure whose header is sound.
   *
   * @param heap of its heap, which nobody writes
   * @param types names of the types of all parts
   * @param words whether the parts that have codecs are words
   */
  public Original(
      StructureContext heap,
      StructureKind kind,
      long reference,
      List<String> types,
      boolean[] words) {
    this.heap = Objects.requireNonNull(heap);
    this.kind = kind;
    this.reference = reference;
    this.types = List.copyOf(types);
    this.words = words.clone();
  }

  /** The heap that it is in. */
  public StructureContext heap() {
    return heap;
  }

  /** Its reference there. */
  public long reference() {
    return reference;
  }

  /** Its kind, also that of the copy. */
  public StructureKind kind() {
    return kind;
  }

  /** Names of the types of all parts. */
  public List<String> types() {
    return types;
  }

  /** How many entries or elements it has. */
  public long size() {
    return kind.size(heap, reference);
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
