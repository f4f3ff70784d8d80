package io.everheap.structure.sorted;

import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.error.GoneException;
import io.everheap.structure.common.Coding;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.OptimisticReads;
import io.everheap.structure.common.PathGuard;
import io.everheap.structure.common.StructureContext;
import java.util.Comparator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The B+-tree of one sorted map or set, on encoded keys and values: finding places in it. Changes
 * are made by {@link SortedWriter}.
 *
 * <h2>Implementation note: what a reader may meet</h2>
 *
 * <p>Each block of the tree that changes in place, which is the header and the nodes, has a stripe
 * that follows from its address; every store to it, and freeing it, passes that stripe. A store to
 * an entry or cell passes the stripe of the leaf that leads to it at that time; a store to a
 * separator passes that of its node. A reader adds the stripe of a block to its {@link PathGuard}
 * before it loads anything of it. If the guard holds, no word that the reader loaded has changed
 * between its load and that moment, so the answer was right then:
 *
 * <ul>
 *   <li><b>A node is split, or two become one.</b> What moves leaves its node, whose stripe is
 *       touched, and the link from above changes or is added, which touches the node above. A
 *       reader that came by the old link depends on both.
 *   <li><b>A value changes in place after its place moved to another leaf.</b> That store passes
 *       the stripe of the new leaf only, but a reader that came through the old leaf depends on the
 *       old leaf's stripe, which was touched when the place moved, after the reader's load of it or
 *       it would not have met the place there.
 *   <li><b>A block is freed and used for something else,</b> whose stores into fresh blocks bypass
 *       the stripes. That is after the commit that took the block's link away, in a node on which
 *       every reader that met the block depends.
 *   <li><b>The root changes, or all is cleared.</b> The header's stripe is touched.
 *   <li><b>The upper part moves to another tree.</b> The header's stripe is touched, on which every
 *       reader depends, also one that reached a node which moves and does not change. Changes that
 *       the other tree makes to the node are later.
 *   <li><b>The structure is destroyed.</b> Its header gets another generation, under the header's
 *       stripe, and is compared in each operation.
 * </ul>
 *
 * <p>Until the guard was asked, anything may have been loaded: levels that do not fall by one at
 * each step end a walk, so it ends after {@value SortedLayout#MAX_LEVEL} steps; lengths are trusted
 * only after the guard was checked.
 *
 * <p>The count is one aligned word that no other load depends on: nothing validates it.
 */
public final class SortedTree {
  private final HeapMemory memory;
  private final Stripes stripes;
  private final OptimisticReads reads;
  private final SortedNodes nodes;
  private final SortedEntries entries;
  private final @Nullable Separators separators;
  private final KeyComparison comparison;
  private final PathGuard exclusive;
  private final long reference;
  private final long header;
  private final long headerWord;

  private SortedTree(
      StructureContext heap,
      long reference,
      SortedNodes nodes,
      SortedEntries entries,
      @Nullable Separators separators,
      KeyComparison comparison,
      boolean dead) {
    this.memory = heap.memory();
    this.stripes = heap.transactions().stripes();
    this.reads = new OptimisticReads(memory, heap.transactions());
    this.nodes = nodes;
    this.entries = entries;
    this.separators = separators;
    this.comparison = comparison;
    this.exclusive = new PathGuard(stripes);
    this.exclusive.exclusive();
    this.reference = reference;
    this.header = dead ? 0 : Reference.address(reference); // where a word can always be loaded
    this.headerWord = dead ? ~memory.getLong(0) : memory.getLong(header);
  }

  /**
   * The tree behind a header.
   *
   * @param reference of the header, which exists
   * @param comparator of the keys, or null if their encoded forms are ordered
   * @param dead whether the structure is gone: then whatever is asked of it throws
   */
  public static <K> SortedTree of(
      StructureContext heap,
      long reference,
      SortedInfo info,
      Coding<K> keys,
      @Nullable Comparator<? super K> comparator,
      boolean dead) {
    long flags = info.kinds() & (SortedLayout.WORD_KEYS | SortedLayout.WORD_VALUES);
    SortedNodes nodes = new SortedNodes(heap.memory(), heap.allocator(), flags);
    SortedEntries entries = new SortedEntries(heap.memory(), heap.allocator(), nodes, info.kinds());
    Separators separators =
        info.wordKeys()
            ? null
            : new Separators(heap.memory(), heap.allocator(), nodes, info.compared());
    KeyComparison comparison;
    if (comparator != null) {
      comparison = new ComparatorComparison<>(nodes, entries, separators, keys, comparator);
    } else if (separators == null) {
      comparison = new WordComparison(nodes);
    } else {
      comparison = new ByteComparison(nodes, separators);
    }
    return new SortedTree(heap, reference, nodes, entries, separators, comparison, dead);
  }

  public SortedNodes nodes() {
    return nodes;
  }

  public SortedEntries entries() {
    return entries;
  }

  public @Nullable Separators separators() {
    return separators;
  }

  public KeyComparison comparison() {
    return comparison;
  }

  public HeapMemory memory() {
    return memory;
  }

  /** A guard that always holds, for the writer. */
  public PathGuard exclusive() {
    return exclusive;
  }

  public long reference() {
    return reference;
  }

  /** Address of the header. */
  long header() {
    return header;
  }

  int headerStripe() {
    return SortedLayout.stripe(header);
  }

  /** The block header that the header had when this was made. */
  long headerWord() {
    return headerWord;
  }

  public long count() {
    return memory.getLong(header + SortedLayout.COUNT);
  }

  /** The reference of the root, or 0. */
  public long root() {
    return memory.getLong(header + SortedLayout.ROOT);
  }

  /** Throws when the structure was destroyed, or its creation rolled back. */
  public void checkAlive() {
    if (memory.getLong(header) != headerWord) {
      throw stale();
    }
  }

  GoneException stale() {
    return GoneException.reference(
        "the sorted map or set at " + Reference.describe(reference) + " was removed from its heap");
  }

  /** Reads optimistically, with a guard that depends on the header. */
  public <T extends @Nullable Object> T read(Function<PathGuard, T> attempt) {
    PathGuard guard = new PathGuard(stripes);
    try {
      return reads.read(
          guard,
          g -> {
            guard.add(headerStripe());
            checkAlive();
            return attempt.apply(guard);
          });
    } catch (ComparatorComparison.Failure e) {
      throw e.thrown();
    }
  }

  /**
   * Walks down to the leaf that a key belongs to.
   *
   * @param path is overwritten; it has no nodes if the tree is empty
   * @return the position in the leaf; if the key is not there, {@code -1 - position} of the next
   */
  public int find(Encoded key, SortedPath path, PathGuard guard) {
    path.clear();
    long child = root();
    int level = -1;
    while (child != 0) {
      long node = Reference.address(child);
      long info = enter(node, level, path, guard);
      level = SortedLayout.level(info);
      if (level == 0) {
        int found = comparison.find(node, info, key, guard);
        path.setPosition(path.last(), found < 0 ? -1 - found : found);
        return found;
      }
      int position = comparison.child(node, info, key, guard);
      path.setPosition(path.last(), position);
      child = nodes.payload(node, nodes.place(node, position));
    }
    if (level > 0) {
      throw Damage.at(header, "a sorted map has a node without a child");
    }
    return -1;
  }

  /**
   * Adds a node to a path.
   *
   * @param above level of the node that led there, or -1 for the root
   * @return its count, level and skip
   */
  private long enter(long node, int above, SortedPath path, PathGuard guard) {
    guard.add(SortedLayout.stripe(node));
    long info = nodes.info(node);
    int level = SortedLayout.level(info);
    if ((above >= 0 && level != above - 1) || (level > 0 && SortedLayout.count(info) == 0)) {
      throw Damage.at(node, "a node of level " + level + ", count " + SortedLayout.count(info));
    }
    path.push(node);
    return info;
  }

  /**
   * Finds the entry nearest to a key.
   *
   * @param bound the key, or null for the end from which the walk starts
   * @param inclusive whether the key itself will do
   * @param descending whether the nearest one below is wanted and not the nearest one above
   * @param path is overwritten
   * @return whether there is one, at the path's position
   */
  public boolean seek(
      @Nullable Encoded bound,
      boolean inclusive,
      boolean descending,
      SortedPath path,
      PathGuard guard) {
    if (bound == null) {
      path.clear();
      return descend(root(), -1, descending, path, guard) && settle(descending, path, guard);
    }
    int found = find(bound, path, guard);
    if (path.depth() == 0) {
      return false;
    }
    int position;
    if (descending) {
      position = found < 0 ? -2 - found : inclusive ? found : found - 1;
    } else {
      position = found < 0 ? -1 - found : inclusive ? found : found + 1;
    }
    path.setPosition(path.last(), position);
    return settle(descending, path, guard);
  }

  /** Moves a path from beyond the end of its leaf to the next entry; false if there is none. */
  private boolean settle(boolean descending, SortedPath path, PathGuard guard) {
    while (path.at() < 0 || path.at() >= nodes.count(path.leaf())) {
      if (!nextLeaf(descending, path, guard)) {
        return false;
      }
    }
    return true;
  }

  /** Moves a path to the leaf beside its own; false if there is none. */
  public boolean nextLeaf(boolean descending, SortedPath path, PathGuard guard) {
    for (int i = path.last() - 1; i >= 0; i--) {
      long node = path.node(i);
      int position = path.position(i) + (descending ? -1 : 1);
      long info = nodes.info(node);
      if (position >= 0 && position < SortedLayout.count(info)) {
        path.setPosition(i, position);
        path.cut(i + 1);
        long child = nodes.payload(node, nodes.place(node, position));
        return descend(child, SortedLayout.level(info), descending, path, guard);
      }
    }
    return false;
  }

  /** Walks down to the first or last place of what a reference leads to. */
  boolean descend(long child, int above, boolean descending, SortedPath path, PathGuard guard) {
    while (child != 0) {
      long node = Reference.address(child);
      long info = enter(node, above, path, guard);
      above = SortedLayout.level(info);
      int position = descending ? SortedLayout.count(info) - 1 : 0;
      path.setPosition(path.last(), position);
      if (above == 0) {
        return true;
      }
      child = nodes.payload(node, nodes.place(node, position));
    }
    if (above > 0) {
      throw Damage.at(header, "a sorted map has a node without a child");
    }
    return false;
  }
}
