package io.everheap.store;

import io.everheap.store.ValueCodec.Raw;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Moves keys to other shards while they are used. Of a key that moves, the shard where it was is
 * the <em>source</em>, the one where it belongs the <em>target</em>.
 *
 * <p>A key is copied to the target, and removed from the source when the copy is durable. Both
 * happen in the turns of both shards, so a writer finds a key in one place and changes it there; a
 * key that is nowhere is put into the target. Only a crash leaves a key in both, with the same
 * value: then the target counts, and the writer first removes the key from the source, durably, so
 * that it cannot come back.
 *
 * <p>A reader looks into the target, then into the source, then into the target again: a key that
 * it missed in the source was moved meanwhile, if it is there.
 */
final class Moves {
  /** Most keys, and most bytes of values, that one step moves. */
  private static final int STEP_KEYS = 128;

  private static final long STEP_BYTES = 1 << 20;

  private Moves() {}

  /** The shard that has a key, or is to get it; in the turns of both. */
  static int place(Shard from, Shard to, String map, boolean sorted, byte[] key) {
    var source = Catalog.part(from, map, sorted, ValueCodec.RAW);
    if (!source.containsKey(key)) {
      return to.index;
    }
    if (!Catalog.part(to, map, sorted, ValueCodec.RAW).containsKey(key)) {
      return from.index;
    }
    from.commit(() -> source.remove(key));
    from.heap.sync();
    return to.index;
  }

  /** A map in the two shards. */
  record Parts(
      Shard from,
      Shard to,
      ConcurrentMap<byte[], Object> source,
      ConcurrentMap<byte[], Object> target) {
    static Parts of(Shard from, Shard to, String map, boolean sorted) {
      return new Parts(
          from,
          to,
          Catalog.part(from, map, sorted, ValueCodec.RAW),
          Catalog.part(to, map, sorted, ValueCodec.RAW));
    }
  }

  /** Moves keys, each if it is still there. */
  static void move(ShardedStore store, Parts parts, List<byte[]> keys) {
    for (int i = 0; i < keys.size(); ) {
      i += step(store, parts, keys.subList(i, Math.min(keys.size(), i + STEP_KEYS)));
    }
  }

  /** Does something in the turns of two shards. */
  static <T extends @Nullable Object> T inTurns(Shard a, Shard b, Supplier<T> action) {
    return Shard.<T>inTurns(a.index < b.index ? List.of(a, b) : List.of(b, a), action);
  }

  private static int step(ShardedStore store, Parts parts, List<byte[]> keys) {
    return inTurns(parts.from, parts.to, () -> copyAndRemove(store, parts, keys));
  }

  private static int copyAndRemove(ShardedStore store, Parts parts, List<byte[]> keys) {
    List<byte[]> there = new ArrayList<>();
    int count =
        parts.to.commit(
            () -> {
              int[] done = {0};
              parts.to.heap.transact(() -> done[0] = copy(parts, keys, there));
              return done[0];
            });
    if (!there.isEmpty()) {
      parts.to.heap.sync(); // before the source loses them
      // Between both: a scan that missed a key in the target before it was copied, and in the
      // source after it was removed, sees another number.
      store.countMove();
      parts.from.commit(
          () -> {
            parts.from.heap.transact(() -> there.forEach(parts.source::remove));
            return true;
          });
      parts.from.heap.sync(); // before the target can lose them by a write
    }
    return count;
  }

  private static int copy(Parts parts, List<byte[]> keys, List<byte[]> there) {
    long bytes = 0;
    int count = 0;
    for (byte[] key : keys) {
      if (parts.source.get(key) instanceof Raw value) {
        var _ = parts.target.putIfAbsent(key, value); // what a crash left there counts
        there.add(key);
        bytes += value.bytes().length;
      }
      count++;
      if (bytes >= STEP_BYTES) {
        break;
      }
    }
    return count;
  }
}
