package io.everheap.structure.sorted;

import io.everheap.codec.Codec;
import io.everheap.codec.Codecs;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.structure.common.BlockCheck;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureFindings;
import org.jspecify.annotations.Nullable;

/**
 * Recognises leaves and entries of one sorted map or set, among blocks that nothing leads to. They
 * do not name their map, but there is evidence: a leaf says whether keys and values are words, keys
 * rise and fit their heads, keys and values decode. The caller keeps writers out.
 */
public final class OrphanLeaves {
  private final StructureContext heap;
  private final SortedInfo info;
  private final @Nullable Codec<?> keys;
  private final @Nullable Codec<?> values;

  /**
   * For the blocks of one map or set.
   *
   * @param heap the heap
   * @param reference of the header, which is sound
   * @param keys codec of the keys, or null if they need not decode
   * @param values codec of the values, likewise
   */
  public OrphanLeaves(
      StructureContext heap, long reference, @Nullable Codec<?> keys, @Nullable Codec<?> values) {
    int type = heap.allocator().type(reference);
    this.heap = heap;
    this.info = SortedInfo.read(heap, reference, type);
    this.keys = keys;
    this.values = type == BlockType.SORTED_SET_HEADER ? Codecs.BOOLEAN : values;
  }

  /** Whether a reference leads to a sorted map or set whose keys need no comparator. */
  public static boolean isOrdered(StructureContext heap, long reference) {
    int type = heap.allocator().type(reference);
    return (type == BlockType.SORTED_MAP_HEADER || type == BlockType.SORTED_SET_HEADER)
        && !SortedInfo.read(heap, reference, type).compared();
  }

  /** Whether a block is a node that holds no entries. */
  public static boolean isInnerNode(StructureContext heap, long block) {
    return heap.allocator().type(block) == BlockType.SORTED_NODE
        && SortedLayout.level(info(heap, block)) > 0;
  }

  private static long info(StructureContext heap, long block) {
    return heap.memory().getLong(Reference.address(block) + SortedLayout.INFO);
  }

  /** Whether a block may be one of this map. */
  public boolean mayOwn(long block) {
    try {
      if (heap.allocator().type(block) == BlockType.SORTED_NODE) {
        long flags = info.kinds() & (SortedLayout.WORD_KEYS | SortedLayout.WORD_VALUES);
        long found = info(heap, block);
        if (SortedLayout.flags(found) != flags
            || SortedLayout.level(found) != 0
            || SortedLayout.count(found) > SortedLayout.CAPACITY) {
          return false;
        }
      } else if (info.wordKeys()) {
        return false;
      }
      Probe probe = new Probe();
      new SortedVerifier(heap, probe).orphan(block, info, keys, values);
      return !probe.problem;
    } catch (RuntimeException e) {
      BlockCheck.requireOpen(e);
      return false;
    }
  }

  /** Passes the entries of such a block, and the blocks that they take, on. */
  public void take(long block, StructureFindings findings) {
    new SortedVerifier(heap, findings).orphan(block, info, keys, values);
  }

  /** Only looks whether everything is sound. */
  private static final class Probe implements StructureFindings {
    private boolean problem;

    @Override
    public void problem(String kind, long address, @Nullable String key, String message) {
      problem = true;
    }

    @Override
    public boolean owned(long reference) {
      return true;
    }
  }
}
