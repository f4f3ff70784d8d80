package io.everheap.structure.map;

import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.MapHash;
import io.everheap.structure.common.MapLayout;
import io.everheap.structure.common.StructureContext;

/**
 * What the header of a map or a set says of it and never changes.
 *
 * @param headerType type of the header's block: a map's or a set's
 * @param kinds see {@link MapLayout}
 * @param keyType number of the type of its keys or elements
 * @param valueType number of the type of its values; of a set, 0
 * @param seed of its hash function
 */
public record MapInfo(int headerType, long kinds, long keyType, long valueType, long seed) {
  /**
   * Reads a header.
   *
   * @throws io.everheap.error.GoneException if there is no such block
   * @throws io.everheap.error.CorruptException if the block is not the header of a hash table
   */
  public static MapInfo read(StructureContext heap, long reference) {
    int type = heap.allocator().type(reference);
    if (type != BlockType.MAP_HEADER && type != BlockType.SET_HEADER) {
      throw Damage.at(
          Reference.address(reference),
          "the block "
              + Reference.describe(reference)
              + " has type "
              + type
              + ", no map's and no set's");
    }
    HeapMemory memory = heap.memory();
    long header = Reference.address(reference);
    if (heap.allocator().size(reference) < MapLayout.HEADER_BYTES) {
      throw Damage.at(header, "the header of a map that is too short");
    }
    return new MapInfo(
        type,
        memory.getLong(header + MapLayout.KINDS),
        memory.getLong(header + MapLayout.KEY_TYPE),
        memory.getLong(header + MapLayout.VALUE_TYPE),
        memory.getLong(header + MapLayout.SEED));
  }

  /** How many entries a header claims, whatever its table is like. */
  public static long count(StructureContext heap, long reference) {
    read(heap, reference);
    return Math.max(0, heap.memory().getLong(Reference.address(reference) + MapLayout.COUNT));
  }

  public boolean wordKeys() {
    return (kinds & MapLayout.WORD_KEYS) != 0;
  }

  public boolean wordValues() {
    return (kinds & MapLayout.WORD_VALUES) != 0;
  }

  /** Whether it is a set: its entries have no values. */
  public boolean isSet() {
    return headerType == BlockType.SET_HEADER;
  }

  /** Map or set. */
  public String describe() {
    return isSet() ? "set" : "map";
  }

  /**
   * Checks that codecs of these kinds fit. They follow from the types, so that a header that says
   * something else is damaged.
   *
   * @throws io.everheap.error.CorruptException if they do not
   */
  public void requireKinds(long header, boolean wordKeyCodec, boolean wordValueCodec) {
    if (kinds != MapLayout.kinds(wordKeyCodec, wordValueCodec)) {
      throw Damage.at(
          header,
          "the "
              + describe()
              + " has "
              + describe(wordKeys(), wordValues())
              + " of hash version "
              + (kinds >>> 8 & 0xff)
              + ", the codecs make "
              + describe(wordKeyCodec, wordValueCodec)
              + " of version "
              + MapHash.VERSION);
    }
  }

  private static String describe(boolean wordKeys, boolean wordValues) {
    return (wordKeys ? "word" : "byte") + " keys and " + (wordValues ? "word" : "byte") + " values";
  }
}
