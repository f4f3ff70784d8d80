package io.everheap.structure.common;

import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.error.GoneException;
import io.everheap.memory.Region;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The nodes of a map as keys and values in encoded form. Loads may be optimistic: then the guard is
 * checked before a length is trusted, and by the caller at the end. Stores need a transaction.
 */
public final class NodeStore {
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** The largest node, in payload bytes; with its header it fills four chunks of 256 KiB. */
  private static final int WANTED_NODE_BYTES = (1 << 20) - 8;

  /** A value keeps its node if it uses at least this part of it, or if the node is small. */
  private static final int LEAST_USE = 2;

  private static final int SMALL_NODE = 256;

  private final HeapMemory memory;
  private final Allocator allocator;
  private final LargeValues large;
  private final int type;
  private final boolean wordValues;
  private final boolean words;
  private final int maxNodeBytes;

  public NodeStore(HeapMemory memory, Allocator allocator, boolean wordKeys, boolean wordValues) {
    this(memory, allocator, BlockType.MAP_NODE, wordKeys, wordValues);
  }

  /** Nodes of another structure, in blocks of that type. */
  public NodeStore(
      HeapMemory memory, Allocator allocator, int type, boolean wordKeys, boolean wordValues) {
    this.type = type;
    this.memory = memory;
    this.allocator = allocator;
    this.large = new LargeValues(memory, allocator);
    this.wordValues = wordValues;
    this.words = wordKeys && wordValues;
    this.maxNodeBytes = (int) Math.min(WANTED_NODE_BYTES, allocator.maxBlock() & ~7L);
  }

  /** Checks that a node that is to be changed looks like one: stores must not go elsewhere. */
  public void requireNode(long node) {
    if (!Allocator.looksLike(memory.getLong(node), type)) {
      throw Damage.at(node, "a link of a map leads there, but that is no node");
    }
  }

  /** Type of the blocks of nodes. */
  int type() {
    return type;
  }

  /** Whether nodes hold nothing but a key word and a value word. */
  public boolean words() {
    return words;
  }

  public long next(long node) {
    return memory.getLong(node + NodeLayout.NEXT);
  }

  /** Whether the node holds this key. */
  public boolean hasKey(long node, Encoded key) {
    byte[] bytes = key.bytes;
    if (bytes == null) {
      int offset = words ? NodeLayout.WORD_KEY : NodeLayout.KEY;
      return memory.getLong(node + offset) == key.word;
    }
    return hasKey(node, bytes, key.length);
  }

  private boolean hasKey(long node, byte[] key, int length) {
    if (NodeLayout.keyBytes(memory.getLong(node + NodeLayout.LENGTHS)) != length) {
      return false;
    }
    long at = node + NodeLayout.KEY;
    int whole = length & ~7;
    for (int i = 0; i < whole; i += 8) {
      if (memory.getLong(at + i) != (long) WORD.get(key, i)) {
        return false;
      }
    }
    return whole == length
        || memory.getLong(at + whole) == MapHash.tail(key, whole, length - whole);
  }

  /** Loads the key. */
  public Encoded key(long node, boolean wordKeys, Guard guard) {
    if (wordKeys) {
      int offset = words ? NodeLayout.WORD_KEY : NodeLayout.KEY;
      return Encoded.ofWord(memory.getLong(node + offset));
    }
    int length = NodeLayout.keyBytes(memory.getLong(node + NodeLayout.LENGTHS));
    guard.check();
    requireKeyLength(node, length);
    return bytes(node + NodeLayout.KEY, length);
  }

  /** The hash of the key of a node, for the writer: a node's key never changes. */
  public long hash(long node, boolean wordKeys, MapHash hash) {
    Region home = memory.extent(node); // where the key is since the node was made
    long at = memory.offset(node);
    if (wordKeys) {
      return hash.ofWord(home.getLong(at + (words ? NodeLayout.WORD_KEY : NodeLayout.KEY)));
    }
    int length = NodeLayout.keyBytes(home.getLong(at + NodeLayout.LENGTHS));
    requireKeyLength(node, length);
    if (at + NodeLayout.KEY + NodeLayout.pad(length) > home.size()) {
      throw Damage.at(node, "a map node whose key of " + length + " bytes has no room");
    }
    return hash.ofBytes(home, at + NodeLayout.KEY, length);
  }

  private static void requireKeyLength(long node, int length) {
    if (length < 0 || length > NodeLayout.MAX_KEY_BYTES) {
      throw Damage.at(node, "a map node with a key of " + length + " bytes");
    }
  }

  /** Compares the pages of the key of a node, which is bytes, with their checksums. */
  public void requireSoundKey(long node) {
    memory.requireSound(node, NodeLayout.KEY);
    int length = NodeLayout.keyBytes(memory.getLong(node + NodeLayout.LENGTHS));
    memory.requireSound(node, NodeLayout.KEY + Math.clamp(length, 0, NodeLayout.MAX_KEY_BYTES));
  }

  /** Whether a value of this length, as its node stores it, lies in the node and is not empty. */
  public boolean isInline(int valueBytes) {
    return valueBytes > 0 && valueBytes <= maxNodeBytes;
  }

  /** Loads the value. */
  public Encoded value(long node, Guard guard) {
    if (words) {
      return Encoded.ofWord(memory.getLong(node + NodeLayout.WORD_VALUE));
    }
    long lengths = memory.getLong(node + NodeLayout.LENGTHS);
    long at = node + NodeLayout.value(NodeLayout.keyBytes(lengths));
    if (wordValues) {
      return Encoded.ofWord(memory.getLong(at));
    }
    guard.check();
    int length = NodeLayout.valueBytes(lengths);
    if (length == NodeLayout.OUT_OF_LINE) {
      byte[] value = large.read(at, end(node), guard);
      return Encoded.ofBytes(value, value.length);
    }
    if (length < 0 || length > maxNodeBytes) {
      throw Damage.at(node, "a map node with a value of " + length + " bytes");
    }
    return bytes(at, length);
  }

  /** The usable size of the heap: no sound structure holds more. */
  public long heapBytes() {
    return memory.getLong(HomeLayout.CAPACITY_ADDRESS);
  }

  /** Address behind the payload of a node. */
  private long end(long node) {
    try {
      return node + Long.BYTES + allocator.size(reference(node));
    } catch (GoneException e) {
      throw Damage.at(node, "a link of a map leads there, but no block starts there");
    }
  }

  private Encoded bytes(long at, int length) {
    byte[] bytes = new byte[length];
    if (length > 0) { // else the block, and its extent, may end here
      memory.copyOut(at, bytes, 0, length);
    }
    return Encoded.ofBytes(bytes, length);
  }

  /** Makes a node that is linked to {@code next}, and returns its address. */
  public long create(Encoded key, Encoded value, long next) {
    if (words) {
      return createWords(key.word, value.word, next);
    }
    boolean inline = NodeLayout.payloadBytes(key.length, value.length) <= maxNodeBytes;
    int stored = inline ? value.length : large.stubBytes(value.length);
    long bytes = NodeLayout.payloadBytes(key.length, stored);
    long node = NodeLayout.node(allocator.allocateRaw(type, bytes));
    int valueBytes = inline ? value.length : NodeLayout.OUT_OF_LINE;
    long valueAt = NodeLayout.value(key.length);
    Region home = memory.fresh(node);
    long at = memory.offset(node);
    home.putLong(at + NodeLayout.NEXT, next);
    home.putLong(at + NodeLayout.LENGTHS, NodeLayout.lengths(key.length, valueBytes));
    init(home, at + NodeLayout.KEY, key);
    byte[] bytesOfValue = value.bytes;
    if (inline || bytesOfValue == null) {
      init(home, at + valueAt, value);
    } else {
      large.write(node + valueAt, bytesOfValue, value.length);
    }
    return node;
  }

  private long createWords(long key, long value, long next) {
    long reference = allocator.allocateRaw(BlockType.MAP_NODE, NodeLayout.WORDS_BYTES);
    long node = NodeLayout.node(reference);
    Region home = memory.fresh(node);
    long at = memory.offset(node);
    home.putLong(at + NodeLayout.NEXT, next);
    home.putLong(at + NodeLayout.WORD_KEY, key);
    home.putLong(at + NodeLayout.WORD_VALUE, value);
    return node;
  }

  /** Stores a key or a value; the bytes that fill up the last word are zero. */
  private static void init(Region home, long at, Encoded content) {
    byte[] bytes = content.bytes;
    if (bytes == null) {
      home.putLong(at, content.word);
    } else {
      HeapMemory.init(home, at, bytes, 0, content.length);
    }
  }

  /**
   * Stores another value of a key of {@code keyLength} bytes; false when it does not fit the node.
   */
  public boolean tryUpdate(int stripe, long node, int keyLength, Encoded value) {
    byte[] bytes = value.bytes;
    if (bytes == null) {
      int offset = words ? NodeLayout.WORD_VALUE : NodeLayout.value(keyLength);
      memory.putLong(stripe, node + offset, value.word);
      return true;
    }
    long lengths = memory.getLong(node + NodeLayout.LENGTHS);
    if (NodeLayout.valueBytes(lengths) == NodeLayout.OUT_OF_LINE) {
      return false;
    }
    long needed = NodeLayout.payloadBytes(keyLength, value.length);
    long size = allocator.size(reference(node));
    if (needed > size || (size > SMALL_NODE && needed < size / LEAST_USE)) {
      return false;
    }
    if (NodeLayout.valueBytes(lengths) != value.length) {
      long changed = NodeLayout.lengths(keyLength, value.length);
      memory.putLong(stripe, node + NodeLayout.LENGTHS, changed);
    }
    memory.putChanged(stripe, node + NodeLayout.value(keyLength), bytes, 0, value.length);
    return true;
  }

  /** Frees a node and what it owns. */
  public void free(int stripe, long node) {
    if (!wordValues) {
      long lengths = memory.getLong(node + NodeLayout.LENGTHS);
      if (NodeLayout.valueBytes(lengths) == NodeLayout.OUT_OF_LINE) {
        large.free(stripe, node + NodeLayout.value(NodeLayout.keyBytes(lengths)), end(node));
      }
    }
    allocator.free(stripe, reference(node), type);
  }

  /** Address of what leads to the parts of a value that is kept out of line; -1 if it is not. */
  long largeValue(long node) {
    if (wordValues) {
      return -1;
    }
    long lengths = memory.getLong(node + NodeLayout.LENGTHS);
    return NodeLayout.valueBytes(lengths) == NodeLayout.OUT_OF_LINE
        ? node + NodeLayout.value(NodeLayout.keyBytes(lengths))
        : -1;
  }

  /** Bytes of the value, of a node that lies in its block. */
  public long valueBytes(long node) {
    long large = largeValue(node);
    if (large >= 0) {
      return memory.getLong(large + LargeValues.TOTAL);
    }
    return wordValues ? 8 : NodeLayout.valueBytes(memory.getLong(node + NodeLayout.LENGTHS));
  }

  /** Whether the key and the value that a node claims to have fit into its payload of that size. */
  boolean fits(long node, long size) {
    if (words) {
      return size >= NodeLayout.WORDS_BYTES;
    }
    if (size < NodeLayout.KEY - 8) {
      return false;
    }
    long lengths = memory.getLong(node + NodeLayout.LENGTHS);
    int keyBytes = NodeLayout.keyBytes(lengths);
    int valueBytes = NodeLayout.valueBytes(lengths);
    if (keyBytes < 0 || keyBytes > NodeLayout.MAX_KEY_BYTES) {
      return false;
    }
    if (valueBytes == NodeLayout.OUT_OF_LINE) {
      long at = node + NodeLayout.value(keyBytes);
      valueBytes = NodeLayout.payloadBytes(keyBytes, 16) <= size ? large.stubBytesAt(at) : -1;
    }
    return valueBytes >= 0 && NodeLayout.payloadBytes(keyBytes, valueBytes) <= (size + 7 & -8);
  }

  /** Whether the lengths in a node are those of words, where this map has words. */
  public boolean hasLengthsOfWords(long node, boolean wordKeys) {
    if (words) {
      return true;
    }
    long lengths = memory.getLong(node + NodeLayout.LENGTHS);
    return (!wordKeys || NodeLayout.keyBytes(lengths) == Long.BYTES)
        && (!wordValues || NodeLayout.valueBytes(lengths) == Long.BYTES);
  }

  /** The node's reference, with the generation that its block has now. */
  public long reference(long node) {
    return NodeLayout.reference(node, memory.getLong(node));
  }
}
