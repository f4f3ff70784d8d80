package io.everheap.structure.map;

import io.everheap.codec.Codec;
import io.everheap.collection.DurableMap;
import io.everheap.engine.alloc.BlockType;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.MapLayout;
import io.everheap.structure.common.Original;
import io.everheap.structure.common.ShapeParts;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureCopy;
import io.everheap.structure.common.StructureFindings;
import io.everheap.structure.common.StructureKind;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The kind of {@link DurableMap}. */
public final class MapKind implements StructureKind {
  /** The only one. */
  public static final MapKind INSTANCE = new MapKind();

  private static final List<Part> PARTS = List.of(new Part("key", true), new Part("value", true));

  private MapKind() {}

  @Override
  public String name() {
    return "map";
  }

  @Override
  public Definition<?> define(ShapeParts parts) {
    return new MapDefinition<>(parts.codec(0), parts.codec(1));
  }

  @Override
  public int headerType() {
    return BlockType.MAP_HEADER;
  }

  @Override
  public List<Part> parts() {
    return PARTS;
  }

  @Override
  public int typeOffset(int part) {
    return MapLayout.KEY_TYPE + 8 * part;
  }

  @Override
  public long[] types(StructureContext heap, long reference) {
    MapType type = MapInfo.read(heap, reference).type();
    return new long[] {type.key(), type.value()};
  }

  @Override
  public boolean[] words(StructureContext heap, long reference, List<@Nullable String> types) {
    MapInfo info = MapInfo.read(heap, reference);
    return new boolean[] {info.wordKeys(), info.wordValues()};
  }

  @Override
  public long size(StructureContext heap, long reference) {
    return MapHandle.sizeOf(heap, reference);
  }

  @Override
  public long count(StructureContext heap, long reference) {
    return MapInfo.count(heap, reference);
  }

  @Override
  public Definition<?> copyDefinition(Original original) {
    return raw(original);
  }

  @Override
  public StructureCopy openCopy(StructureContext heap, long reference, Original original) {
    DurableMap<Object, Object> map = raw(original).attach(heap, reference);
    return (key, value) -> map.putIfAbsent(key, value) == null;
  }

  private static MapDefinition<Object, Object> raw(Original original) {
    return new MapDefinition<>(original.raw(0), original.raw(1));
  }

  @Override
  public void destroy(StructureContext heap, long reference) {
    MapHandle.destroy(heap, reference);
  }

  @Override
  public Stream<Map.Entry<Object, Object>> entries(
      StructureContext heap, long reference, List<Codec<Object>> codecs) {
    return MapHandle.attach(heap, reference, codecs.get(0), codecs.get(1)).entrySet().stream();
  }

  @Override
  public void verify(
      StructureContext heap,
      long reference,
      List<@Nullable Codec<?>> codecs,
      StructureFindings findings) {
    new MapVerifier(heap, findings).verify(reference, codecs.get(0), codecs.get(1));
  }
}
