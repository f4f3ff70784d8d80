package io.everheap.structure.common;

import io.everheap.codec.Codec;
import io.everheap.codec.Codecs;
import io.everheap.codec.WordCodec;
import io.everheap.codec.described.DescribedCodecs;
import io.everheap.collection.DescribedStructure;
import io.everheap.collection.Undecodable;
import io.everheap.error.GoneException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A structure within another one, read as its stored types describe it. */
public final class StoredStructure implements DescribedStructure {
  private final StructureContext heap;
  private final NestedType type;
  private final long reference;

  private StoredStructure(StructureContext heap, NestedType type, long reference) {
    this.heap = heap;
    this.type = type;
    this.reference = reference;
  }

  /**
   * What a structure holds, as its stored types describe it; structures within it become values of
   * this class, and values that do not decode an {@link Undecodable}. For use by the heap.
   *
   * @param types names of the types of its parts
   * @throws io.everheap.error.UnsupportedTypeException if a type is a codec of the program's own
   */
  public static Stream<Map.Entry<Object, Object>> entries(
      StructureContext heap, StructureKind kind, List<String> types, long reference) {
    List<Codec<Object>> shown = new ArrayList<>();
    for (Codec<Object> codec : codecs(heap, kind, types)) {
      boolean asIs = codec instanceof WordCodec || (kind.isOrdered() && kind.isKey(shown.size()));
      shown.add(asIs ? codec : new ShownCodec(codec));
    }
    return kind.entries(heap, reference, shown);
  }

  /**
   * Iterates over the entries of a structure that its stored types do not decode in this JVM. For
   * use by the heap.
   *
   * @param types names of the types of its parts
   * @throws io.everheap.error.UnsupportedTypeException if a type is a codec of the program's own
   */
  public static Iterator<Undecodable> undecodable(
      StructureContext heap, StructureKind kind, List<String> types, long reference) {
    return kind.undecodable(heap, reference, codecs(heap, kind, types));
  }

  private static List<Codec<Object>> codecs(
      StructureContext heap, StructureKind kind, List<String> types) {
    List<Codec<Object>> codecs = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      if (kind.parts().get(i).codec()) {
        codecs.add(codec(heap, types.get(i)));
      }
    }
    return codecs;
  }

  public static Codec<Object> codec(StructureContext heap, String name) {
    return NestedNames.isNested(name)
        ? new Describing(heap, name, NestedType.parse(name, heap.kinds()))
        : DescribedCodecs.of(name);
  }

  @Override
  public String kind() {
    return type.kind().name();
  }

  @Override
  public String type() {
    return type.name();
  }

  @Override
  public boolean hasKeys() {
    return type.kind().parts().stream().anyMatch(part -> part.name().equals("key"));
  }

  @Override
  public boolean hasTextKeys() {
    return hasKeys() && type.types().getFirst().equals(Codecs.STRING.name());
  }

  @Override
  public boolean isStale() {
    try {
      heap.allocator().check(reference);
      return false;
    } catch (GoneException e) {
      return true;
    }
  }

  @Override
  public long size() {
    return type.kind().size(heap, reference);
  }

  @Override
  public Stream<Map.Entry<Object, Object>> entries() {
    StructureContext.Types table = heap.types();
    List<String> types =
        StructureTypes.of(heap, reference).numbers().stream().map(table::name).toList();
    return entries(heap, type.kind(), types, reference);
  }

  @Override
  public String toString() {
    return type.name();
  }

  /** The codec of such values. */
  private record Describing(StructureContext heap, String name, NestedType type)
      implements WordCodec<Object> {
    @Override
    public long toWord(Object value) {
      return ((StoredStructure) value).reference;
    }

    @Override
    public Object fromWord(long word) {
      return new StoredStructure(heap, type, word);
    }

    @Override
    public boolean canonical() {
      return false;
    }
  }
}
