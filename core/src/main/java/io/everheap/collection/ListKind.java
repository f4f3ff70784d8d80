package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.collection.base.Atomic;
import io.everheap.collection.base.BlockCheck;
import io.everheap.collection.base.OptimisticReads;
import io.everheap.collection.base.StructureFindings;
import io.everheap.collection.lifecycle.TreeLifecycle;
import io.everheap.collection.tree.TreeCheck;
import io.everheap.collection.tree.TreeLayout;
import io.everheap.collection.tree.WordTree;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
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
final class ListKind implements StructureKind {
  static final ListKind INSTANCE = new ListKind();

  private static final List<Part> PARTS = List.of(new Part("element", true));

  private ListKind() {}

  @Override
  public String name() {
    return "list";
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
  public long[] types(Engine engine, long reference) {
    return TreeLifecycle.types(engine, BlockType.LIST_HEADER, "list", reference, 1);
  }

  @Override
  public long size(Engine engine, long reference) {
    return OptimisticReads.of(engine)
        .read(TreeLifecycle.guard(engine, reference), guard -> tree(engine, reference).size());
  }

  private WordTree tree(Engine engine, long reference) {
    types(engine, reference);
    return new WordTree(engine, reference, TreeLifecycle.offset(1));
  }

  @Override
  public boolean[] words(Engine engine, long reference, List<@Nullable String> types) {
    return new boolean[] {tree(engine, reference).words()};
  }

  @Override
  public Definition<?> copyDefinition(Original original) {
    return new ListDefinition<>(original.raw(0));
  }

  @Override
  public StructureCopy openCopy(Engine engine, long reference, Original original) {
    Codec<Object> raw = original.raw(0);
    DurableList<Object> list = DurableList.attach(engine, reference, raw);
    return (index, value) -> list.add(value);
  }

  @Override
  public void destroy(Engine engine, long reference) {
    Atomic.run(
        engine.transactions(),
        () ->
            TreeLifecycle.destroy(
                engine, tree(engine, reference), reference, BlockType.LIST_HEADER));
  }

  @Override
  public Stream<Map.Entry<Object, Object>> entries(
      Engine engine, long reference, List<Codec<Object>> codecs) {
    return numbered(DurableList.attach(engine, reference, codecs.getFirst()).iterator());
  }

  /** Elements with their positions, from 0 on. */
  static Stream<Map.Entry<Object, Object>> numbered(Iterator<Object> elements) {
    AtomicLong position = new AtomicLong();
    return StreamSupport.stream(Spliterators.spliteratorUnknownSize(elements, 0), false)
        .map(element -> new SimpleImmutableEntry<>(position.getAndIncrement(), element));
  }

  @Override
  public void verify(
      Engine engine, long reference, List<@Nullable Codec<?>> codecs, StructureFindings findings) {
    boolean _ = verifyTree(engine, reference, BlockType.LIST_HEADER, 1, codecs, findings);
  }

  /** Checks a structure that is a header with a tree; returns whether the tree is sound. */
  static boolean verifyTree(
      Engine engine,
      long reference,
      int blockType,
      int types,
      List<@Nullable Codec<?>> codecs,
      StructureFindings findings) {
    long header = Reference.address(reference);
    int offset = TreeLifecycle.offset(types);
    try {
      if (new BlockCheck(engine, findings)
          .own(header, "the header", reference, blockType, offset - 8L + TreeLayout.BYTES)) {
        WordTree tree = new WordTree(engine, reference, offset);
        return new TreeCheck(engine, tree, codecs.getFirst(), findings).run();
      }
    } catch (RuntimeException e) {
      BlockCheck.requireOpen(e);
      findings.problem("tree", header, null, String.valueOf(e.getMessage()));
    }
    return false;
  }
}
