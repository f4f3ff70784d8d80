package io.everheap.structure.list;

import io.everheap.engine.tx.HeapMemory;
import java.util.function.LongPredicate;

/**
 * Searches a {@link WordTree} whose words are sorted, inside a transaction. Most steps of a search
 * are in one leaf, which is found once.
 */
public final class TreeSearch {
  private final WordTree tree;
  private final HeapMemory memory;

  public TreeSearch(WordTree tree) {
    this.tree = tree;
    this.memory = tree.memory();
  }

  /**
   * The number of words at the beginning for which a test holds. Tests the last word first.
   *
   * @param size of the tree, at least 1, which the test must not change
   * @param test holds for no word behind one for which it does not
   */
  public long count(long size, LongPredicate test) {
    WordTree.Path path = new WordTree.Path(); // of this search: the test may run another one
    long low = 0;
    long high = size;
    long start = 0;
    long end = 0;
    for (long index = size - 1; low < high; index = (low + high) >>> 1) {
      if (index < start || index >= end) {
        tree.find(index, path);
        start = path.start;
        end = start + path.count;
      }
      if (test.test(memory.getLong(TreeLayout.word(path.leaf, index - start)))) {
        low = index + 1;
      } else {
        high = index;
      }
    }
    return low;
  }
}
