package io.everheap.structure.list;

import io.everheap.codec.Codec;
import io.everheap.collection.DurableList;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.structure.common.BlockCheck;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.OptimisticReads;
import io.everheap.structure.common.Original;
import io.everheap.structure.common.ShapeParts;
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
public final class ListKind implements StructureKind {
  public static final ListKind INSTANCE = new ListKind();

  private static final List<Part> PARTS = List.of(new Part("element", true));

  private ListKind() {}

  @Override
  public String name() {
    return "list";
  }

  @Override
  public Definition<?> define(ShapeParts parts) {
    return new ListDefinition<>(parts.codec(0));
  }

  @Override
  public int headerType() {
    return BlockType.LIST_HEADER;
  }

  @Override
  public List<Part> parts() {
    return PARTS;
  }

  @Override
  public long[] types(StructureContext heap, long reference) {
    return TreeLifecycle.types(heap, BlockType.LIST_HEADER, "list", reference, 1);
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
  public Definition<?> copyDefinition(Original original) {
    return new ListDefinition<>(original.raw(0));
  }

  @Override
  public StructureCopy openCopy(StructureContext heap, long reference, Original original) {
    Codec<Object> raw = original.raw(0);
    DurableList<Object> list = ListHandle.attach(heap, reference, raw);
    return (index, value) -> list.add(value);
  }

  @Override
  public void destroy(StructureContext heap, long reference) {
    heap.transactions()
        .run(
            () ->
                TreeLifecycle.destroy(
                    heap, tree(heap, reference), reference, BlockType.LIST_HEADER));
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
    boolean _ = verifyTree(heap, reference, BlockType.LIST_HEADER, 1, codecs, findings);
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
