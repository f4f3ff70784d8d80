package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.codec.Codecs;
import io.everheap.codec.WordCodec;
import io.everheap.codec.described.DescribedCodecs;
import io.everheap.engine.Engine;
import io.everheap.error.StaleReferenceException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A structure that is a value of another one, for tools that have none of the classes. It reads the
 * heap when it is asked. Structures cannot contain themselves, but may be there more than once.
 */
public final class DescribedStructure {
  private final Engine engine;
  private final NestedType type;
  private final long reference;

  private DescribedStructure(Engine engine, NestedType type, long reference) {
    this.engine = engine;
    this.type = type;
    this.reference = reference;
  }

  /**
   * What a structure holds, as its stored types describe it; structures within it become values of
   * this class. For use by the heap.
   *
   * @param types names of the types of its parts
   * @throws io.everheap.error.UnsupportedTypeException if a type is one of the user's own codecs
   */
  public static Stream<Map.Entry<Object, Object>> entries(
      Engine engine, StructureKind kind, List<String> types, long reference) {
    List<Codec<Object>> codecs = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      if (kind.parts().get(i).codec()) {
        codecs.add(codec(engine, types.get(i)));
      }
    }
    return kind.entries(engine, reference, codecs);
  }

  static Codec<Object> codec(Engine engine, String name) {
    return NestedType.isNested(name)
        ? new Describing(engine, name, NestedType.parse(name))
        : DescribedCodecs.of(name);
  }

  /** What people call such structures: {@code map}. */
  public String kind() {
    return type.kind().name();
  }

  /** The name of its type: {@code ref map<string,long>}. */
  public String type() {
    return type.name();
  }

  /** Whether it holds entries with keys; otherwise it holds elements with positions. */
  public boolean hasKeys() {
    return type.kind().parts().stream().anyMatch(part -> part.name().equals("key"));
  }

  /** Whether it holds entries whose keys are texts. */
  public boolean hasTextKeys() {
    return hasKeys() && type.types().getFirst().equals(Codecs.STRING.name());
  }

  /** Whether it was freed although an entry names it. */
  public boolean isStale() {
    try {
      engine.allocator().check(reference);
      return false;
    } catch (StaleReferenceException e) {
      return true;
    }
  }

  /**
   * How many entries or elements it has.
   *
   * @throws StaleReferenceException if it was freed
   */
  public long size() {
    return type.kind().size(engine, reference);
  }

  /**
   * What it holds.
   *
   * @throws StaleReferenceException if it was freed
   */
  public Stream<Map.Entry<Object, Object>> entries() {
    TypeTable table = new TypeTable(engine);
    List<String> types =
        StructureTypes.of(engine, reference).numbers().stream().map(table::name).toList();
    return entries(engine, type.kind(), types, reference);
  }

  @Override
  public String toString() {
    return type.name();
  }

  /** The codec of such values. */
  private record Describing(Engine engine, String name, NestedType type)
      implements WordCodec<Object> {
    @Override
    public long toWord(Object value) {
      return ((DescribedStructure) value).reference;
    }

    @Override
    public Object fromWord(long word) {
      return new DescribedStructure(engine, type, word);
    }

    @Override
    public boolean canonical() {
      return false;
    }
  }
}
