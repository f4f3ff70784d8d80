package io.everheap.structure.sorted;

import io.everheap.engine.tx.HeapMemory;
import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.Guard;
import io.everheap.structure.common.NodeLayout;
import io.everheap.structure.common.OrderedHeads;
import java.util.Arrays;

/**
 * Keys that are bytes, ordered as unsigned numbers. Their heads decide nearly always; the keys
 * themselves are looked at when heads are equal.
 */
public final class ByteComparison extends KeyComparison {
  private final HeapMemory memory;
  private final Separators separators;

  ByteComparison(SortedNodes nodes, Separators separators) {
    super(nodes);
    this.memory = nodes.memory();
    this.separators = separators;
  }

  @Override
  public int compare(Encoded a, Encoded b) {
    return OrderedHeads.compare(a, b);
  }

  @Override
  int compareEntry(long leaf, int place, int skip, Encoded key, Guard guard) {
    int c = Long.compareUnsigned(nodes.head(leaf, place), OrderedHeads.head(key, skip));
    return c != 0 ? c : compareKey(NodeLayout.node(nodes.payload(leaf, place)), key, skip);
  }

  /**
   * Words are enough: the zeros behind a key's end are never greater than what a longer one has.
   */
  private int compareKey(long entry, Encoded key, int skip) {
    byte[] bytes = OrderedHeads.bytes(key);
    int length = NodeLayout.keyBytes(memory.getLong(entry + NodeLayout.LENGTHS));
    int least = Math.min(length, key.length);
    for (int i = skip & ~7; i < least; i += 8) {
      long stored = Long.reverseBytes(memory.getLong(entry + NodeLayout.KEY + i));
      int c = Long.compareUnsigned(stored, OrderedHeads.head(bytes, key.length, i));
      if (c != 0) {
        return c;
      }
    }
    return Integer.compare(length, key.length);
  }

  @Override
  int compareSeparator(long node, int place, int skip, Encoded key, Guard guard) {
    int c = Long.compareUnsigned(nodes.head(node, place), OrderedHeads.head(key, skip));
    return c != 0 ? c : separators.compareEqualHeads(node, place, skip, key);
  }

  @Override
  long head(Encoded key, int skip) {
    return OrderedHeads.head(key, skip);
  }

  @Override
  Encoded between(Encoded less, Encoded more) {
    int length = OrderedHeads.common(less, more) + 1;
    return Encoded.ofBytes(Arrays.copyOf(OrderedHeads.bytes(more), length), length);
  }

  @Override
  int common(Encoded first, Encoded last) {
    return OrderedHeads.common(first, last);
  }
}
