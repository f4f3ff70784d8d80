package io.everheap.structure.sorted;

import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.Guard;
import io.everheap.structure.common.NodeLayout;
import io.everheap.structure.common.NodeStore;
import io.everheap.structure.common.ValueCells;

/**
 * The keys and values that the places of leaves lead to. If keys are words, the head is the key and
 * the payload the value, or its cell; else the payload leads to a block with both.
 */
public final class SortedEntries {
  private final HeapMemory memory;
  private final SortedNodes nodes;
  private final NodeStore store;
  private final ValueCells cells;
  private final boolean wordKeys;
  private final boolean wordValues;

  public SortedEntries(HeapMemory memory, Allocator allocator, SortedNodes nodes, long kinds) {
    this.memory = memory;
    this.nodes = nodes;
    this.wordKeys = (kinds & SortedLayout.WORD_KEYS) != 0;
    this.wordValues = (kinds & SortedLayout.WORD_VALUES) != 0;
    this.cells = new ValueCells(memory, allocator);
    this.store = new NodeStore(memory, allocator, BlockType.SORTED_ENTRY, false, wordValues);
  }

  boolean wordKeys() {
    return wordKeys;
  }

  boolean wordValues() {
    return wordValues;
  }

  NodeStore store() {
    return store;
  }

  /** Keeps a new entry and returns the payload of its place. */
  long create(Encoded key, Encoded value) {
    if (!wordKeys) {
      return NodeLayout.link(0, store.create(key, value, 0));
    }
    byte[] bytes = value.bytes;
    return bytes == null ? value.word : cells.create(bytes, value.length);
  }

  public Encoded key(long leaf, int place, Guard guard) {
    return wordKeys
        ? Encoded.ofWord(nodes.head(leaf, place))
        : store.key(NodeLayout.node(nodes.payload(leaf, place)), false, guard);
  }

  public Encoded value(long leaf, int place, Guard guard) {
    long payload = nodes.payload(leaf, place);
    if (!wordKeys) {
      return store.value(NodeLayout.node(payload), guard);
    }
    if (wordValues) {
      return Encoded.ofWord(payload);
    }
    byte[] bytes = cells.load(payload, guard);
    return Encoded.ofBytes(bytes, bytes.length);
  }

  /** The type of the block of a value. */
  int cellType(long cell) {
    return cells.type(cell);
  }

  /** Bytes of a value in a cell of the usual type. */
  int cellBytes(long cell) {
    return (int) cells.bytes(cell);
  }

  /** Gives the entry at a place another value; its key stays as it is. */
  void update(long leaf, int place, Encoded value, Guard exclusive) {
    int stripe = SortedLayout.stripe(leaf);
    long at = nodes.payloadAt(leaf, place);
    long payload = memory.getLong(at);
    if (wordKeys) {
      byte[] bytes = value.bytes;
      memory.putLong(stripe, at, bytes == null ? value.word : cells.create(bytes, value.length));
      free(stripe, payload);
      return;
    }
    long entry = NodeLayout.node(payload);
    store.requireNode(entry);
    int keyBytes = NodeLayout.keyBytes(memory.getLong(entry + NodeLayout.LENGTHS));
    if (!store.tryUpdate(stripe, entry, keyBytes, value)) {
      long link = NodeLayout.link(0, store.create(store.key(entry, false, exclusive), value, 0));
      memory.putLong(stripe, at, link);
      store.free(stripe, entry);
    }
  }

  /** Frees what a payload leads to. */
  public void free(int stripe, long payload) {
    if (!wordKeys) {
      long entry = NodeLayout.node(payload);
      store.requireNode(entry);
      store.free(stripe, entry);
    } else if (!wordValues) {
      cells.free(stripe, payload);
    }
  }
}
