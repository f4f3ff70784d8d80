package io.everheap.structure.sorted;

import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.memory.Region;
import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.NodeLayout;
import io.everheap.structure.common.OrderedHeads;
import io.everheap.structure.common.Retry;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Searches in committed nodes, for readers that validate hand over hand: a node is an extent and an
 * offset in it. Whatever these methods return or throw counts only if the node's stripe is valid
 * afterwards. Only for keys whose encoded forms are ordered. Stateless; thread-safe.
 */
public final class SortedSearch {
  private final HeapMemory memory;
  private final @Nullable Separators separators;
  private final long constant;

  /**
   * Searches in the nodes of one tree.
   *
   * @param separators null if keys are words
   * @param kinds of the tree
   */
  public SortedSearch(HeapMemory memory, @Nullable Separators separators, long kinds) {
    this.memory = memory;
    this.separators = separators;
    this.constant = SortedLayout.constant(kinds);
  }

  /**
   * Whether a node below one of this level can be what it says of itself, as {@link SortedTree}
   * demands it.
   *
   * @param above the level of the node above, or -1 if there is none
   */
  boolean isPossible(long info, int above) {
    int level = SortedLayout.level(info);
    int count = SortedLayout.count(info);
    return SortedLayout.constant(info, constant)
        && (above < 0 ? level <= SortedLayout.MAX_LEVEL : level == above - 1)
        && count <= SortedLayout.CAPACITY
        && (level == 0 || count > 0);
  }

  /** The place at a position of the order. */
  static int place(Region region, long at, int position) {
    int place = region.getByte(at + SortedLayout.ORDER + position) & 0xff;
    if (place >= SortedLayout.CAPACITY) {
      throw Retry.INSTANCE; // the general way says what is wrong
    }
    return place;
  }

  static long head(Region region, long at, int place) {
    return region.getLong(at + SortedLayout.HEADS + 8L * place);
  }

  static long payload(Region region, long at, int place) {
    return region.getLong(at + SortedLayout.PAYLOADS + 8L * place);
  }

  /** The position of a word in a leaf; if it is not there, {@code -1 - position} of the next. */
  public static int find(Region region, long at, int count, long word) {
    int low = 0;
    int high = count - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      long head = head(region, at, place(region, at, middle));
      if (head == word) {
        return middle;
      }
      if (Long.compareUnsigned(head, word) < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1 - low;
  }

  /** The position of the child of an inner node that a word belongs to. */
  static int child(Region region, long at, int count, long word) {
    int low = 1;
    int high = count - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (Long.compareUnsigned(head(region, at, place(region, at, middle)), word) <= 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return low - 1;
  }

  /** The position of bytes in a leaf; if they are not there, {@code -1 - position} of the next. */
  public int find(Region region, long at, long info, Encoded key) {
    int skip = SortedLayout.skip(info);
    long word = OrderedHeads.head(key, skip);
    int low = 0;
    int high = SortedLayout.count(info) - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int place = place(region, at, middle);
      int c = Long.compareUnsigned(head(region, at, place), word);
      if (c == 0) {
        c = compareKey(payload(region, at, place), key, (skip & ~7) + Long.BYTES);
        if (c == 0) {
          return middle;
        }
      }
      if (c < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1 - low;
  }

  /** The position of the child of an inner node that bytes belong to. */
  int child(Region region, long at, long node, long info, Encoded key) {
    int skip = SortedLayout.skip(info);
    long word = OrderedHeads.head(key, skip);
    int low = 1;
    int high = SortedLayout.count(info) - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int place = place(region, at, middle);
      int c = Long.compareUnsigned(head(region, at, place), word);
      if (c == 0) {
        c = Objects.requireNonNull(separators).compareEqualHeads(node, place, skip, key);
      }
      if (c <= 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return low - 1;
  }

  /**
   * Walks from the root to the leaf that a key belongs to, as {@link SortedTree#find} does, for a
   * writer that has stored nothing yet: it sees what is committed, and no other thread changes
   * that.
   *
   * @param root reference of the root
   * @param path is overwritten
   * @return the position in the leaf; if the key is not there, {@code -1 - position} of the next
   * @throws RuntimeException if the tree is damaged; the general way says how
   */
  public int find(long root, Encoded key, SortedPath path) {
    path.clear();
    long node = Reference.address(root);
    int level = -1;
    boolean words = key.bytes == null;
    while (node != 0) {
      Region region = memory.extent(node);
      long at = memory.offset(node);
      long info = region.getLong(at + SortedLayout.INFO);
      if (!isPossible(info, level)) {
        throw Retry.INSTANCE;
      }
      int count = SortedLayout.count(info);
      level = SortedLayout.level(info);
      path.push(node);
      if (level == 0) {
        int found = words ? find(region, at, count, key.word) : find(region, at, info, key);
        path.setPosition(path.last(), found < 0 ? -1 - found : found);
        return found;
      }
      int position =
          words ? child(region, at, count, key.word) : child(region, at, node, info, key);
      path.setPosition(path.last(), position);
      node = Reference.address(payload(region, at, place(region, at, position)));
    }
    if (path.depth() > 0) {
      throw Retry.INSTANCE;
    }
    return -1;
  }

  /**
   * The key of an entry compared with another one, in words: the zeros behind a key's end are never
   * greater than what a longer one has there.
   *
   * @param payload that leads to the entry
   * @param from a multiple of 8: the bytes before it are equal as far as both keys have them
   */
  int compareKey(long payload, Encoded key, int from) {
    long entry = NodeLayout.node(payload);
    Region region = memory.extent(entry);
    long at = memory.offset(entry);
    byte[] bytes = OrderedHeads.bytes(key);
    int length = NodeLayout.keyBytes(region.getLong(at + NodeLayout.LENGTHS));
    int least = Math.min(length, key.length);
    for (int i = from; i < least; i += 8) {
      long stored = Long.reverseBytes(region.getLong(at + NodeLayout.KEY + i));
      int c = Long.compareUnsigned(stored, OrderedHeads.head(bytes, key.length, i));
      if (c != 0) {
        return c;
      }
    }
    return Integer.compare(length, key.length);
  }
}
