package io.everheap.structure.list;

import io.everheap.codec.Codec;
import io.everheap.codec.WordCodec;
import io.everheap.collection.DurableList;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.structure.common.BlockCheck;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.NestedCodec;
import io.everheap.structure.common.OptimisticReads;
import io.everheap.structure.common.Original;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureCopy;
import io.everheap.structure.common.StructureFindings;
import io.everheap.structure.common.StructureKind;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Spliterators;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** The kind of {@link DurableList}. */
public final class ListKind extends StructureKind {
  public static final ListKind INSTANCE = new ListKind();

  private ListKind() {
    super("list", BlockType.LIST_HEADER, new Part("element", true));
  }

  @Override
  public long[] types(StructureContext heap, long reference) {
    return TreeLifecycle.types(heap, headerType(), "list", reference, 1);
  }

  @Override
  public long size(StructureContext heap, long reference) {
    return OptimisticReads.of(heap)
        .read(TreeLifecycle.guard(heap, reference), guard -> tree(heap, reference).size());
  }

  private WordTree tree(StructureContext heap, long reference) {
    types(heap, reference);
    return new WordTree(heap, reference, TreeLifecycle.offset(1));
  }

  @Override
  public boolean[] words(StructureContext heap, long reference, List<@Nullable String> types) {
    return new boolean[] {tree(heap, reference).words()};
  }

  @Override
  public StructureCopy openCopy(StructureContext heap, long reference, Original original) {
    Codec<Object> raw = original.raw(0);
    DurableList<Object> list = ListHandle.attach(heap, reference, raw);
    return (index, value) -> list.add(value);
  }

  @Override
  protected long create(StructureContext heap, Definition<?> definition, long[] types) {
    boolean words = definition.codec(0) instanceof WordCodec;
    return TreeLifecycle.create(heap, headerType(), types, words);
  }

  @Override
  protected Object attach(StructureContext heap, Definition<?> definition, long reference) {
    return ListHandle.attach(heap, reference, NestedCodec.bound(definition.codec(0), heap));
  }

  @Override
  protected Object dead(StructureContext heap, Definition<?> definition, long reference) {
    return ListHandle.dead(heap, reference, definition.codec(0));
  }

  @Override
  protected void free(StructureContext heap, long reference) {
    TreeLifecycle.destroy(heap, tree(heap, reference), reference, headerType());
  }

  @Override
  public Stream<Map.Entry<Object, Object>> entries(
      StructureContext heap, long reference, List<Codec<Object>> codecs) {
    return numbered(ListHandle.attach(heap, reference, codecs.getFirst()).iterator());
  }

  /** Elements with their positions, from 0 on. */
  public static Stream<Map.Entry<Object, Object>> numbered(Iterator<Object> elements) {
    AtomicLong position = new AtomicLong();
    return StreamSupport.stream(Spliterators.spliteratorUnknownSize(elements, 0), false)
        .map(element -> new SimpleImmutableEntry<>(position.getAndIncrement(), element));
  }

  @Override
  public void verify(
      StructureContext heap,
      long reference,
      List<@Nullable Codec<?>> codecs,
      StructureFindings findings) {
    boolean _ = verifyTree(heap, reference, headerType(), 1, codecs, findings);
  }

  /** Checks a structure that is a header with a tree; returns whether the tree is sound. */
  public static boolean verifyTree(
      StructureContext heap,
      long reference,
      int blockType,
      int types,
      List<@Nullable Codec<?>> codecs,
      StructureFindings findings) {
    long header = Reference.address(reference);
    int offset = TreeLifecycle.offset(types);
    try {
      if (new BlockCheck(heap, findings)
          .own(header, "the header", reference, blockType, offset - 8L + TreeLayout.BYTES)) {
        WordTree tree = new WordTree(heap, reference, offset);
        return new TreeCheck(heap, tree, codecs.getFirst(), findings).run();
      }
    } catch (RuntimeException e) {
      BlockCheck.requireOpen(e);
      findings.problem("tree", header, null, String.valueOf(e.getMessage()));
    }
    return false;
  }
}
