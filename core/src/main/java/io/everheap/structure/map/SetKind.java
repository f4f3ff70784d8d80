package io.everheap.structure.map;

import io.everheap.codec.Codec;
import io.everheap.codec.Codecs;
import io.everheap.collection.DurableSet;
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
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The kind of {@link DurableSet}: a hash table without values. */
public final class SetKind implements StructureKind {
  public static final SetKind INSTANCE = new SetKind();

  private static final List<Part> PARTS = List.of(new Part("element", true));

  private SetKind() {}

  @Override
  public String name() {
    return "set";
  }

  /** An element is its own key. */
  @Override
  public boolean hasKeys() {
    return true;
  }

  @Override
  public Definition<?> define(ShapeParts parts) {
    return new SetDefinition<>(parts.codec(0));
  }

  @Override
  public int headerType() {
    return BlockType.SET_HEADER;
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
  public boolean isKey(int part) {
    return true;
  }

  @Override
  public long[] types(StructureContext heap, long reference) {
    return new long[] {MapInfo.read(heap, reference).type().key()};
  }

  @Override
  public boolean[] words(StructureContext heap, long reference, List<@Nullable String> types) {
    return new boolean[] {MapInfo.read(heap, reference).wordKeys()};
  }

  @Override
  public long size(StructureContext heap, long reference) {
    boolean words = MapHandle.info(heap, reference).wordKeys();
    Codec<?> elements = words ? Codecs.LONG : Codecs.BYTES;
    return SetHandle.attach(heap, reference, elements).sizeLong();
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
    DurableSet<Object> set = raw(original).attach(heap, reference);
    return (key, value) -> set.add(key);
  }

  private static SetDefinition<Object> raw(Original original) {
    return new SetDefinition<>(original.raw(0));
  }

  @Override
  public void destroy(StructureContext heap, long reference) {
    MapLifecycle.destroy(heap, reference);
  }

  @Override
  public Stream<Map.Entry<Object, Object>> entries(
      StructureContext heap, long reference, List<Codec<Object>> codecs) {
    AtomicLong position = new AtomicLong();
    return SetHandle.attach(heap, reference, codecs.get(0)).stream()
        .map(element -> Map.entry(position.getAndIncrement(), element));
  }

  @Override
  public void verify(
      StructureContext heap,
      long reference,
      List<@Nullable Codec<?>> codecs,
      StructureFindings findings) {
    new MapVerifier(heap, findings).verify(reference, codecs.get(0), NoValue.INSTANCE);
  }
}
