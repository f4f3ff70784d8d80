package io.everheap.structure.map;

import io.everheap.codec.Codec;
import io.everheap.codec.Codecs;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurableSet;
import io.everheap.collection.Undecodable;
import io.everheap.engine.alloc.BlockType;
import io.everheap.structure.common.Coding;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.MapLayout;
import io.everheap.structure.common.NestedCodec;
import io.everheap.structure.common.Original;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureCopy;
import io.everheap.structure.common.StructureFindings;
import io.everheap.structure.common.StructureKind;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The kinds of {@link DurableMap} and {@link DurableSet}: hash tables with and without values. */
public final class HashKind extends StructureKind {
  /** The kind of maps. */
  public static final HashKind MAP =
      new HashKind("map", BlockType.MAP_HEADER, new Part("key", true), new Part("value", true));

  /** The kind of sets. */
  public static final HashKind SET =
      new HashKind("set", BlockType.SET_HEADER, new Part("element", true));

  private HashKind(String name, int headerType, Part... parts) {
    super(name, headerType, parts);
  }

  private boolean isSet() {
    return headerType() == BlockType.SET_HEADER;
  }

  /** An element of a set is its own key. */
  @Override
  public boolean hasKeys() {
    return true;
  }

  @Override
  public boolean isKey(int part) {
    return part == 0;
  }

  @Override
  public int typeOffset(int part) {
    return MapLayout.KEY_TYPE + 8 * part;
  }

  /** The definition of maps with these codecs. */
  public static <K, V> Definition<DurableMap<K, V>> mapOf(Codec<K> key, Codec<V> value) {
    return new Definition<>(MAP, List.of(key, value), List.of(), null);
  }

  @Override
  protected long create(StructureContext heap, Definition<?> definition, long[] types) {
    Codec<?> value = isSet() ? NoValue.INSTANCE : definition.codec(1);
    return MapLifecycle.create(heap, headerType(), definition.codec(0), value, types);
  }

  @Override
  protected Object attach(StructureContext heap, Definition<?> definition, long reference) {
    Codec<Object> key = definition.codec(0);
    Coding.requireCanonical(key);
    return isSet()
        ? SetHandle.attach(heap, reference, key)
        : MapHandle.attach(heap, reference, key, NestedCodec.bound(definition.codec(1), heap));
  }

  @Override
  protected Object dead(StructureContext heap, Definition<?> definition, long reference) {
    return isSet()
        ? SetHandle.dead(heap, reference, definition.codec(0))
        : MapHandle.dead(heap, reference, definition.codec(0), definition.codec(1));
  }

  @Override
  protected void free(StructureContext heap, long reference) {
    MapLifecycle.destroy(heap, reference);
  }

  @Override
  public long[] types(StructureContext heap, long reference) {
    MapInfo info = MapInfo.read(heap, reference);
    return isSet() ? new long[] {info.keyType()} : new long[] {info.keyType(), info.valueType()};
  }

  @Override
  public boolean[] words(StructureContext heap, long reference, List<@Nullable String> types) {
    MapInfo info = MapInfo.read(heap, reference);
    return isSet()
        ? new boolean[] {info.wordKeys()}
        : new boolean[] {info.wordKeys(), info.wordValues()};
  }

  @Override
  public long size(StructureContext heap, long reference) {
    MapInfo info = MapHandle.info(heap, reference);
    Codec<?> keys = info.wordKeys() ? Codecs.LONG : Codecs.BYTES;
    if (isSet()) {
      return SetHandle.attach(heap, reference, keys).sizeLong();
    }
    Codec<?> values = info.wordValues() ? Codecs.LONG : Codecs.BYTES;
    return MapHandle.attach(heap, reference, keys, values).sizeLong();
  }

  @Override
  public long count(StructureContext heap, long reference) {
    return MapInfo.count(heap, reference);
  }

  @Override
  public StructureCopy openCopy(StructureContext heap, long reference, Original original) {
    if (isSet()) {
      SetHandle<Object> set = SetHandle.attach(heap, reference, original.raw(0));
      return (key, value) -> set.add(key);
    }
    var map = MapHandle.attach(heap, reference, original.raw(0), original.raw(1));
    return (key, value) -> map.putIfAbsent(key, value) == null;
  }

  /** The entries of a map; of a set, the elements with their positions. */
  @Override
  public Stream<Map.Entry<Object, Object>> entries(
      StructureContext heap, long reference, List<Codec<Object>> codecs) {
    if (!isSet()) {
      return MapHandle.attach(heap, reference, codecs.get(0), codecs.get(1)).entrySet().stream();
    }
    return numbered(SetHandle.attach(heap, reference, codecs.get(0)).iterator());
  }

  @Override
  public Iterator<Undecodable> undecodable(
      StructureContext heap, long reference, List<Codec<Object>> codecs) {
    return isSet()
        ? SetHandle.attach(heap, reference, codecs.get(0)).undecodable()
        : MapHandle.attach(heap, reference, codecs.get(0), codecs.get(1)).undecodable();
  }

  @Override
  public void verify(
      StructureContext heap,
      long reference,
      List<@Nullable Codec<?>> codecs,
      StructureFindings findings) {
    Codec<?> values = isSet() ? NoValue.INSTANCE : codecs.get(1);
    new MapVerifier(heap, findings).verify(reference, codecs.get(0), values);
  }
}
