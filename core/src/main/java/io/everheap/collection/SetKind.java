package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.codec.Codecs;
import io.everheap.collection.base.MapLayout;
import io.everheap.collection.base.StructureFindings;
import io.everheap.collection.check.MapVerifier;
import io.everheap.collection.hash.MapInfo;
import io.everheap.collection.hash.NoValue;
import io.everheap.collection.lifecycle.MapLifecycle;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.BlockType;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The kind of {@link DurableSet}: a hash table without values. */
final class SetKind implements StructureKind {
  static final SetKind INSTANCE = new SetKind();

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
  public long[] types(Engine engine, long reference) {
    return new long[] {MapInfo.read(engine, reference).type().key()};
  }

  @Override
  public boolean[] words(Engine engine, long reference, List<@Nullable String> types) {
    return new boolean[] {MapInfo.read(engine, reference).wordKeys()};
  }

  @Override
  public long size(Engine engine, long reference) {
    boolean words = DurableMap.info(engine, reference).wordKeys();
    Codec<?> elements = words ? Codecs.LONG : Codecs.BYTES;
    return DurableSet.attach(engine, reference, elements).sizeLong();
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
    DurableSet<Object> set = raw(original).attach(engine, reference);
    return (key, value) -> set.add(key);
  }

  private static SetDefinition<Object> raw(Original original) {
    return new SetDefinition<>(original.raw(0));
  }

  @Override
  public void destroy(Engine engine, long reference) {
    MapLifecycle.destroy(engine, reference);
  }

  @Override
  public Stream<Map.Entry<Object, Object>> entries(
      Engine engine, long reference, List<Codec<Object>> codecs) {
    AtomicLong position = new AtomicLong();
    return DurableSet.attach(engine, reference, codecs.get(0)).stream()
        .map(element -> Map.entry(position.getAndIncrement(), element));
  }

  @Override
  public void verify(
      Engine engine, long reference, List<@Nullable Codec<?>> codecs, StructureFindings findings) {
    new MapVerifier(engine, findings).verify(reference, codecs.get(0), NoValue.INSTANCE);
  }
}
