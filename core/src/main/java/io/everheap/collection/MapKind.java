package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.collection.base.MapLayout;
import io.everheap.collection.base.StructureFindings;
import io.everheap.collection.check.MapVerifier;
import io.everheap.collection.hash.MapInfo;
import io.everheap.collection.hash.MapType;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.BlockType;
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
  public long[] types(Engine engine, long reference) {
    MapType type = MapInfo.read(engine, reference).type();
    return new long[] {type.key(), type.value()};
  }

  @Override
  public boolean[] words(Engine engine, long reference, List<@Nullable String> types) {
    MapInfo info = MapInfo.read(engine, reference);
    return new boolean[] {info.wordKeys(), info.wordValues()};
  }

  @Override
  public long size(Engine engine, long reference) {
    return DurableMap.sizeOf(engine, reference);
  }

  @Override
  public long count(Engine engine, long reference) {
    return MapInfo.count(engine, reference);
  }

  @Override
  public Definition<?> copyDefinition(Original original) {
    return raw(original);
  }

  @Override
  public StructureCopy openCopy(Engine engine, long reference, Original original) {
    DurableMap<Object, Object> map = raw(original).attach(engine, reference);
    return (key, value) -> map.putIfAbsent(key, value) == null;
  }

  private static MapDefinition<Object, Object> raw(Original original) {
    return new MapDefinition<>(original.raw(0), original.raw(1));
  }

  @Override
  public void destroy(Engine engine, long reference) {
    DurableMap.destroy(engine, reference);
  }

  @Override
  public Stream<Map.Entry<Object, Object>> entries(
      Engine engine, long reference, List<Codec<Object>> codecs) {
    return DurableMap.attach(engine, reference, codecs.get(0), codecs.get(1)).entrySet().stream();
  }

  @Override
  public void verify(
      Engine engine, long reference, List<@Nullable Codec<?>> codecs, StructureFindings findings) {
    new MapVerifier(engine, findings).verify(reference, codecs.get(0), codecs.get(1));
  }
}
