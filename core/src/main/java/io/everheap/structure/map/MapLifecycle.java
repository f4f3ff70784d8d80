package io.everheap.structure.map;

import io.everheap.codec.Codec;
import io.everheap.codec.WordCodec;
import io.everheap.structure.common.Coding;
import io.everheap.structure.common.MapHash;
import io.everheap.structure.common.MapLayout;
import io.everheap.structure.common.PendingFrees;
import io.everheap.structure.common.StructureContext;
import java.security.SecureRandom;

/**
 * How a map comes into being, loses all its entries at once, and goes: all in the running
 * transaction.
 */
public final class MapLifecycle {
  /** Entries and buckets that are freed in the transaction that removes them, if they are fewer. */
  private static final long FREE_AT_ONCE = 10_000;

  /** A table of no more buckets is emptied in place. */
  private static final long EMPTY_IN_PLACE = 64;

  /** Made with the first map, for it takes a moment that an opening need not take. */
  private static final class Seeds {
    static final SecureRandom RANDOM = new SecureRandom();
  }

  private MapLifecycle() {}

  /**
   * Makes an empty map or set in the running transaction and returns the reference of its header.
   *
   * @param headerType tells maps from sets
   * @param types numbers of the types of keys and values, to be kept in the header
   */
  public static long create(
      StructureContext heap, int headerType, Codec<?> key, Codec<?> value, long[] types) {
    Coding.requireCanonical(key);
    long kinds = MapLayout.kinds(key instanceof WordCodec, value instanceof WordCodec);
    return new TableBlocks(heap.memory(), heap.allocator())
        .create(headerType, kinds, types, Seeds.RANDOM.nextLong());
  }

  /** Frees a map or set and all it holds. */
  public static void destroy(StructureContext heap, long reference) {
    MapInfo info = MapInfo.read(heap, reference);
    MapHash hash = new MapHash(info.seed(), MapHash.ALL_BITS);
    HashTable table =
        new HashTable(heap.memory(), heap.stripes(), heap.allocator(), reference, hash);
    table.checkShape();
    dispose(heap, table, info.kinds());
    table.destroyHeader();
  }

  /** Removes all entries, inside a transaction. */
  public static void clear(StructureContext heap, HashTable table, long kinds) {
    table.checkAlive();
    table.checkShape();
    long buckets = table.buckets();
    if (table.count() == 0 && buckets <= EMPTY_IN_PLACE) {
      return;
    }
    if (buckets <= EMPTY_IN_PLACE
        || !PendingFrees.tryRun(heap, () -> replaceTable(heap, table, kinds))) {
      emptyInPlace(heap, table);
    }
  }

  private static void replaceTable(StructureContext heap, HashTable table, long kinds) {
    long empty = new TableBlocks(heap.memory(), heap.allocator()).createTable();
    dispose(heap, table, kinds);
    table.replaceTable(empty, MapLayout.INITIAL_BUCKETS);
  }

  private static void emptyInPlace(StructureContext heap, HashTable table) {
    TableBlocks blocks = new TableBlocks(heap.memory(), heap.allocator());
    long directory = table.directory();
    long buckets = table.buckets();
    int kept = (int) Math.min(buckets, MapLayout.SEGMENT_BUCKETS);
    blocks.freeNodes(table.nodes(), directory, buckets);
    blocks.freeSegments(directory, 1, buckets);
    blocks.zeroBuckets(table.stripeBase(), directory, kept);
    table.replaceTable(directory, kept);
  }

  /** Frees the table that the running transaction takes from its map, now or in the background. */
  private static void dispose(StructureContext heap, HashTable table, long kinds) {
    long directory = table.directory();
    long buckets = table.buckets();
    if (Math.max(0, table.count()) + buckets <= FREE_AT_ONCE) {
      new TableBlocks(heap.memory(), heap.allocator()).freeTable(table.nodes(), directory, buckets);
    } else {
      new PendingFrees(heap).add(directory, buckets, kinds);
    }
  }
}
