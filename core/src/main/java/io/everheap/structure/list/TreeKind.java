package io.everheap.structure.list;

import io.everheap.codec.Codec;
import io.everheap.codec.WordCodec;
import io.everheap.engine.alloc.Reference;
import io.everheap.structure.common.BlockCheck;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.OptimisticReads;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureFindings;
import io.everheap.structure.common.StructureKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A kind of structures that are a header with one {@link WordTree}. */
public abstract class TreeKind extends StructureKind {
  /** A kind, whose header has the numbers of the types of its parts and then the tree. */
  protected TreeKind(String name, int headerType, Part... parts) {
    super(name, headerType, parts);
  }

  @Override
  protected final long create(StructureContext heap, Definition<?> definition, long[] types) {
    boolean words = definition.codec(0) instanceof WordCodec;
    return TreeLifecycle.create(heap, headerType(), types, words);
  }

  /**
   * Opens the tree of a structure that exists, without a lock.
   *
   * @param codec of the elements, which the header must fit
   */
  protected final WordTree open(StructureContext heap, long reference, Codec<?> codec) {
    return OptimisticReads.of(heap)
        .read(
            TreeLifecycle.guard(heap, reference),
            guard -> {
              WordTree tree = tree(heap, reference);
              if (tree.words() != codec instanceof WordCodec) {
                throw Damage.at(
                    tree.header(), "a " + name() + " whose header does not fit " + codec.name());
              }
              return tree;
            });
  }

  @Override
  public final long[] types(StructureContext heap, long reference) {
    return TreeLifecycle.types(heap, headerType(), name(), reference, parts().size());
  }

  /** The tree of a structure. The caller keeps writers out, or validates. */
  protected final WordTree tree(StructureContext heap, long reference) {
    types(heap, reference);
    return new WordTree(heap, reference, TreeLifecycle.offset(parts().size()));
  }

  @Override
  public final long size(StructureContext heap, long reference) {
    return OptimisticReads.of(heap)
        .read(TreeLifecycle.guard(heap, reference), guard -> tree(heap, reference).size());
  }

  @Override
  public final boolean[] words(
      StructureContext heap, long reference, List<@Nullable String> types) {
    return new boolean[] {tree(heap, reference).words()};
  }

  @Override
  protected void free(StructureContext heap, long reference) {
    TreeLifecycle.destroy(heap, tree(heap, reference), reference, headerType());
  }

  /** Checks header and tree, and returns whether the tree is sound. */
  protected final boolean verifyTree(
      StructureContext heap,
      long reference,
      List<@Nullable Codec<?>> codecs,
      StructureFindings findings) {
    long header = Reference.address(reference);
    int offset = TreeLifecycle.offset(parts().size());
    try {
      if (new BlockCheck(heap, findings)
          .own(header, "the header", reference, headerType(), offset - 8L + TreeLayout.BYTES)) {
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
