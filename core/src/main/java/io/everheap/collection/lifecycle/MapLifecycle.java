package io.everheap.collection.lifecycle;

import io.everheap.codec.Codec;
import io.everheap.codec.WordCodec;
import io.everheap.collection.base.Atomic;
import io.everheap.collection.base.Coding;
import io.everheap.collection.base.MapHash;
import io.everheap.collection.base.MapLayout;
import io.everheap.collection.hash.HashTable;
import io.everheap.collection.hash.MapInfo;
import io.everheap.collection.hash.MapType;
import io.everheap.collection.hash.TableBlocks;
import io.everheap.engine.Engine;
import java.security.SecureRandom;

/** How a map comes into being, loses all its entries at once, and goes: each in a transaction. */
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
   * Makes an empty map or set and returns the reference of its header.
   *
   * @param headerType tells maps from sets
   */
  public static long create(
      Engine engine, int headerType, Codec<?> keyCodec, Codec<?> valueCodec, MapType type) {
    Coding.requireCanonical(keyCodec);
    return Atomic.call(
        engine.transactions(),
        () ->
            new TableBlocks(engine.memory(), engine.allocator())
                .create(
                    headerType,
                    MapLayout.kinds(keyCodec instanceof WordCodec, valueCodec instanceof WordCodec),
                    type,
                    Seeds.RANDOM.nextLong()));
  }

  /** Frees a map and all it holds. */
  public static void destroy(Engine engine, long reference) {
    Atomic.run(
        engine,
        () -> {
          MapInfo info = MapInfo.read(engine, reference);
          MapHash hash = new MapHash(info.seed(), MapHash.ALL_BITS);
          HashTable table =
              new HashTable(engine.memory(), engine.stripes(), engine.allocator(), reference, hash);
          table.checkShape();
          dispose(engine, table, info.kinds());
          table.destroyHeader();
        });
  }

  /** Removes all entries, inside a transaction. */
  public static void clear(Engine engine, HashTable table, long kinds) {
    table.checkAlive();
    table.checkShape();
    long buckets = table.buckets();
    if (table.count() == 0 && buckets <= EMPTY_IN_PLACE) {
      return;
    }
    if (buckets <= EMPTY_IN_PLACE
        || !Atomic.tryRun(engine, () -> replaceTable(engine, table, kinds))) {
      emptyInPlace(engine, table);
    }
  }

  private static void replaceTable(Engine engine, HashTable table, long kinds) {
    long empty = new TableBlocks(engine.memory(), engine.allocator()).createTable();
    dispose(engine, table, kinds);
    table.replaceTable(empty, MapLayout.INITIAL_BUCKETS);
  }

  private static void emptyInPlace(Engine engine, HashTable table) {
    TableBlocks blocks = new TableBlocks(engine.memory(), engine.allocator());
    long directory = table.directory();
    long buckets = table.buckets();
    int kept = (int) Math.min(buckets, MapLayout.SEGMENT_BUCKETS);
    blocks.freeNodes(table.nodes(), directory, buckets);
    blocks.freeSegments(directory, 1, buckets);
    blocks.zeroBuckets(table.stripeBase(), directory, kept);
    table.replaceTable(directory, kept);
  }

  /** Frees the table that the running transaction takes from its map, now or in the background. */
  private static void dispose(Engine engine, HashTable table, long kinds) {
    long directory = table.directory();
    long buckets = table.buckets();
    if (Math.max(0, table.count()) + buckets <= FREE_AT_ONCE) {
      new TableBlocks(engine.memory(), engine.allocator())
          .freeTable(table.nodes(), directory, buckets);
    } else {
      new PendingFrees(engine).add(directory, buckets, kinds);
    }
  }
}
