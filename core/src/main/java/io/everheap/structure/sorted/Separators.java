package io.everheap.structure.sorted;

import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.Guard;
import io.everheap.structure.common.NodeLayout;
import io.everheap.structure.common.OrderedHeads;
import java.util.Arrays;

/**
 * The separators in the inner nodes of a tree whose keys are bytes: a separator is not greater than
 * any key below its child, and greater than all keys before it. If a comparator orders the keys, it
 * is a whole key, else the shortest prefix of one that lies between both sides, mostly so short
 * that the head holds all of it behind the bytes that the node skips.
 *
 * <pre>
 *  63  62          40 39                        0
 * +---+--------------+---------------------------+
 * | 1 | 0            | bytes behind skip, 0 to 8 |   the head holds the rest of the separator
 * +---+--------------+---------------------------+
 * | 0 | 0            | address of a block / 16   |   a block: bytes, then the separator
 * +---+--------------+---------------------------+
 * </pre>
 */
public final class Separators {
  static final int LENGTH = 8;
  public static final int BYTES = 16;

  private static final long INLINE = Long.MIN_VALUE;

  private final HeapMemory memory;
  private final Allocator allocator;
  private final SortedNodes nodes;
  private final boolean compared;

  /**
   * The separators of one tree.
   *
   * @param compared whether a comparator orders the keys
   */
  public Separators(HeapMemory memory, Allocator allocator, SortedNodes nodes, boolean compared) {
    this.memory = memory;
    this.allocator = allocator;
    this.nodes = nodes;
    this.compared = compared;
  }

  static boolean isInline(long separator) {
    return separator < 0;
  }

  static int inlineBytes(long separator) {
    return (int) separator;
  }

  /** A place for a child behind this separator, which is kept in a block if it must be. */
  SortedNodes.Place place(Encoded separator, int skip, long payload) {
    byte[] bytes = OrderedHeads.bytes(separator);
    long head = compared ? 0 : OrderedHeads.head(separator, skip);
    if (!compared && separator.length - skip <= Long.BYTES) {
      return new SortedNodes.Place(head, payload, INLINE | (separator.length - skip));
    }
    int length = separator.length;
    long block =
        NodeLayout.node(
            allocator.allocateRaw(BlockType.SORTED_SEPARATOR, BYTES - 8 + NodeLayout.pad(length)));
    memory.initLong(block + LENGTH, length);
    memory.initBytes(block + BYTES, bytes, 0, length);
    return new SortedNodes.Place(head, payload, NodeLayout.link(0, block));
  }

  private long at(long node, int place) {
    return memory.getLong(node + SortedLayout.SEPARATORS + 8L * place);
  }

  /**
   * The whole separator.
   *
   * @param like begins with the bytes that the node skips
   */
  Encoded load(long node, int place, int skip, Encoded like, Guard guard) {
    long separator = at(node, place);
    if (!isInline(separator)) {
      return load(NodeLayout.node(separator), guard);
    }
    long head = nodes.head(node, place);
    int more = inlineBytes(separator);
    guard.check();
    if (more < 0 || more > Long.BYTES || skip > like.length) {
      throw Damage.at(node, "a separator of " + more + " bytes behind " + skip);
    }
    byte[] bytes = Arrays.copyOf(OrderedHeads.bytes(like), skip + more);
    for (int i = 0; i < more; i++) {
      bytes[skip + i] = (byte) (head >>> (56 - 8 * i));
    }
    return Encoded.ofBytes(bytes, bytes.length);
  }

  Encoded load(long block, Guard guard) {
    long length = memory.getLong(block + LENGTH);
    guard.check();
    if (length < 0 || length > NodeLayout.MAX_KEY_BYTES) {
      throw Damage.at(block, "a separator of " + length + " bytes");
    }
    byte[] bytes = new byte[(int) length];
    memory.copyOut(block + BYTES, bytes, 0, bytes.length);
    return Encoded.ofBytes(bytes, bytes.length);
  }

  /** A separator compared with a key whose head is equal. */
  int compareEqualHeads(long node, int place, int skip, Encoded key) {
    long separator = at(node, place);
    if (isInline(separator)) {
      // The same bytes, and then zeros that may be bytes of the one and the end of the other.
      return key.length - skip < inlineBytes(separator) ? 1 : -1;
    }
    long block = NodeLayout.node(separator);
    byte[] bytes = OrderedHeads.bytes(key);
    long length = memory.getLong(block + LENGTH);
    long least = Math.min(length, key.length);
    for (int i = skip & ~7; i < least; i += 8) {
      long stored = Long.reverseBytes(memory.getLong(block + BYTES + i));
      int c = Long.compareUnsigned(stored, OrderedHeads.head(bytes, key.length, i));
      if (c != 0) {
        return c;
      }
    }
    return Long.compare(length, key.length);
  }

  /** Compares the pages of the block of a separator, if it has one, with their checksums. */
  void requireSound(long separator) {
    if (separator > 0) {
      long block = NodeLayout.node(separator);
      memory.requireSound(block, BYTES);
      long length = Math.clamp(memory.getLong(block + LENGTH), 0, NodeLayout.MAX_KEY_BYTES);
      memory.requireSound(block, BYTES + length);
    }
  }

  /** Frees the block of a separator, if it has one. */
  public void free(int stripe, long separator) {
    if (separator > 0) {
      long block = NodeLayout.node(separator);
      long reference = NodeLayout.reference(block, memory.getLong(block));
      allocator.free(stripe, reference, BlockType.SORTED_SEPARATOR);
    }
  }
}
