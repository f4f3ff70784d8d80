package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.collection.base.RawCodecs;
import io.everheap.engine.Engine;
import java.util.List;
import java.util.Objects;

/**
 * A structure whose raw entries are copied to another heap, and what its header says of it. For use
 * by tools that have none of the classes of the program.
 */
public final class Original {
  private final Engine engine;
  private final StructureKind kind;
  private final long reference;
  private final List<String> types;
  private final boolean[] words;

  /**
   * A structure whose header is sound.
   *
   * @param engine of its heap, which nobody writes
   * @param types names of the types of all parts
   * @param words whether the parts that have codecs are words
   */
  public Original(
      Engine engine, StructureKind kind, long reference, List<String> types, boolean[] words) {
    this.engine = Objects.requireNonNull(engine);
    this.kind = kind;
    this.reference = reference;
    this.types = List.copyOf(types);
    this.words = words.clone();
  }

  /** The heap that it is in. */
  Engine engine() {
    return engine;
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
  long size() {
    return kind.size(engine, reference);
  }

  /** A codec that passes the raw values of one of the parts with codecs through. */
  Codec<Object> raw(int part) {
    return RawCodecs.of(types.get(part), words[part]);
  }

  /** Whether the values of one of the parts with codecs are words. */
  boolean words(int part) {
    return words[part];
  }
}
