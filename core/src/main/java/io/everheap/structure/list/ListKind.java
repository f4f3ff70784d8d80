package io.everheap.structure.list;

import io.everheap.codec.Codec;
import io.everheap.collection.DurableList;
import io.everheap.collection.Undecodable;
import io.everheap.engine.alloc.BlockType;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.NestedCodec;
import io.everheap.structure.common.Original;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureCopy;
import io.everheap.structure.common.StructureFindings;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The kind of {@link DurableList}. */
public final class ListKind extends TreeKind {
  public static final ListKind INSTANCE = new ListKind();

  private ListKind() {
    super("list", BlockType.LIST_HEADER, new Part("element", true));
  }

  @Override
  public StructureCopy openCopy(StructureContext heap, long reference, Original original) {
    Codec<Object> raw = original.raw(0);
    DurableList<Object> list = attach(heap, reference, raw);
    return (index, value) -> list.add(value);
  }

  @Override
  protected Object attach(StructureContext heap, Definition<?> definition, long reference) {
    return attach(heap, reference, NestedCodec.bound(definition.codec(0), heap));
  }

  private <E> ListHandle<E> attach(StructureContext heap, long reference, Codec<E> codec) {
    return new ListHandle<>(heap, reference, open(heap, reference, codec), codec);
  }

  @Override
  protected Object dead(StructureContext heap, Definition<?> definition, long reference) {
    return ListHandle.dead(heap, reference, definition.codec(0));
  }

  @Override
  public Stream<Map.Entry<Object, Object>> entries(
      StructureContext heap, long reference, List<Codec<Object>> codecs) {
    return numbered(attach(heap, reference, codecs.getFirst()).iterator());
  }

  @Override
  public Iterator<Undecodable> undecodable(
      StructureContext heap, long reference, List<Codec<Object>> codecs) {
    return attach(heap, reference, codecs.getFirst()).undecodable();
  }

  @Override
  public void verify(
      StructureContext heap,
      long reference,
      List<@Nullable Codec<?>> codecs,
      StructureFindings findings) {
    boolean _ = verifyTree(heap, reference, codecs, findings);
  }
}
