package io.everheap.store;

import io.everheap.codec.Codec;
import io.everheap.collection.DurableSortedMap;
import io.everheap.stability.Stable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A sorted map whose entries are spread over the shards of a store by a hash of their keys; scans
 * merge what is next in each. See {@link ShardedMap} for all that does not concern the order.
 *
 * <p>Keys have their natural order, or that of an {@link io.everheap.codec.OrderedCodec}. Iterators
 * see each entry that stays exactly once, in order, also while the number of shards changes.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 * @since 0.9
 */
@SuppressWarnings("ReferenceEquality") // of lists that are replaced, not changed
@Stable
public final class ShardedSortedMap<K, V> extends ShardedMap<K, V> {
  ShardedSortedMap(ShardedStore store, String name, KeyCodec<K> keys, Codec<V> values) {
    super(store, name, keys, values, true);
  }

  /**
   * A range of encoded keys.
   *
   * @param low the first that belongs to it; null for no limit
   * @param high the first behind it; null for no limit
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by nothing
  record Range(byte @Nullable [] low, byte @Nullable [] high) {
    static final Range ALL = new Range(null, null);

    boolean isEmpty() {
      return low != null && high != null && Arrays.compareUnsigned(low, high) >= 0;
    }

    /** Whether a key can bound a part of this range: exclusively, the ends can as well. */
    boolean canBound(byte[] key, boolean inclusive) {
      return inclusive
          ? contains(key)
          : (low == null || Arrays.compareUnsigned(low, behind(key)) <= 0)
              && (high == null || Arrays.compareUnsigned(key, high) <= 0);
    }

    boolean contains(byte[] key) {
      return (low == null || Arrays.compareUnsigned(low, key) <= 0)
          && (high == null || Arrays.compareUnsigned(key, high) < 0);
    }

    Range from(byte @Nullable [] newLow) {
      boolean narrower = newLow != null && (low == null || Arrays.compareUnsigned(newLow, low) > 0);
      return narrower ? new Range(newLow, high) : this;
    }

    Range to(byte @Nullable [] newHigh) {
      boolean narrower =
          newHigh != null && (high == null || Arrays.compareUnsigned(newHigh, high) < 0);
      return narrower ? new Range(low, newHigh) : this;
    }

    /** The smallest bytes behind a key. */
    static byte[] behind(byte[] key) {
      return Arrays.copyOf(key, key.length + 1);
    }
  }

  private DurableSortedMap<byte[], Object> sortedPart(int shard) {
    return (DurableSortedMap<byte[], Object>) rawPart(shard);
  }

  /** The first entry, or null. */
  public Map.@Nullable Entry<K, V> firstEntry() {
    return first(Range.ALL, false);
  }

  /** The last entry, or null. */
  public Map.@Nullable Entry<K, V> lastEntry() {
    return first(Range.ALL, true);
  }

  /** The entry with the greatest key that is less than {@code key}, or null. */
  public Map.@Nullable Entry<K, V> lowerEntry(K key) {
    return first(Range.ALL.to(encodeKey(key)), true);
  }

  /** The entry with the greatest key that is not greater than {@code key}, or null. */
  public Map.@Nullable Entry<K, V> floorEntry(K key) {
    return first(Range.ALL.to(Range.behind(encodeKey(key))), true);
  }

  /** The entry with the least key that is not less than {@code key}, or null. */
  public Map.@Nullable Entry<K, V> ceilingEntry(K key) {
    return first(Range.ALL.from(encodeKey(key)), false);
  }

  /** The entry with the least key that is greater than {@code key}, or null. */
  public Map.@Nullable Entry<K, V> higherEntry(K key) {
    return first(Range.ALL.from(Range.behind(encodeKey(key))), false);
  }

  /** The first entry of a range, or the last one. */
  Map.@Nullable Entry<K, V> first(Range range, boolean descending) {
    Map.Entry<byte[], Object> entry = firstStored(range, descending);
    return entry == null ? null : decode(entry);
  }

  /** The first entry of a range as it is stored, or the last one. */
  Map.@Nullable Entry<byte[], Object> firstStored(Range range, boolean descending) {
    if (range.isEmpty()) {
      return null;
    }
    while (true) {
      Placement placement = store().placement();
      long moves = store().moves();
      Map.Entry<byte[], Object> best = null;
      for (int i = 0; i < placement.shards(); i++) {
        Map.Entry<byte[], Object> next = first(sortedPart(i), range, descending);
        if (next != null && range.contains(next.getKey())) {
          best = best == null ? next : better(best, next, i, placement, descending);
        }
      }
      if (store().moves() == moves && store().placement() == placement) {
        return best;
      }
    }
  }

  private static Map.@Nullable Entry<byte[], Object> first(
      DurableSortedMap<byte[], Object> part, Range range, boolean descending) {
    byte[] end = descending ? range.high : range.low;
    if (descending) {
      return end == null ? part.lastEntry() : part.lowerEntry(end);
    }
    return end == null ? part.firstEntry() : part.ceilingEntry(end);
  }

  /** Of two entries the one that comes first; of one key that which is where it belongs. */
  private static Map.Entry<byte[], Object> better(
      Map.Entry<byte[], Object> best,
      Map.Entry<byte[], Object> next,
      int shard,
      Placement placement,
      boolean descending) {
    int order = Arrays.compareUnsigned(next.getKey(), best.getKey());
    if (order == 0) {
      return placement.target(Placement.slot(next.getKey())) == shard ? next : best;
    }
    return (order < 0) != descending ? next : best;
  }

  /** Removes the first entry and returns it, or null. */
  public Map.@Nullable Entry<K, V> pollFirstEntry() {
    return poll(Range.ALL, false);
  }

  /** Removes the last entry and returns it, or null. */
  public Map.@Nullable Entry<K, V> pollLastEntry() {
    return poll(Range.ALL, true);
  }

  /** In the turns of all shards: so it is the first one of all when it is removed. */
  Map.@Nullable Entry<K, V> poll(Range range, boolean descending) {
    return take(() -> firstStored(range, descending), this::decode);
  }

  /** The same for the key alone: the value is not decoded. */
  @Nullable K pollKey(Range range, boolean descending) {
    return take(() -> firstStored(range, descending), entry -> decodeKey(entry.getKey()));
  }

  /** Finds an entry, decodes what is wanted of it and removes it, in the turns of all shards. */
  private <R> @Nullable R take(
      Supplier<Map.@Nullable Entry<byte[], Object>> find,
      Function<Map.Entry<byte[], Object>, R> decoding) {
    ShardedStore store = store();
    store.requireWritable();
    while (true) {
      List<Shard> all = store.shards();
      List<R> found = new ArrayList<>();
      List<Shard> written = new ArrayList<>();
      boolean done =
          Shard.inTurns(
              all, // the list is replaced in the turns of all
              () -> {
                Map.Entry<byte[], Object> entry = all == store.shards() ? find.get() : null;
                if (entry != null) {
                  found.add(decoding.apply(entry)); // first: one that does not decode stays
                  written.add(remove(entry.getKey()));
                }
                return all == store.shards();
              });
      written.forEach(Shard::awaitDurable);
      if (done) {
        return found.isEmpty() ? null : found.getFirst();
      }
    }
  }

  /** Removes a key in the turns of all shards; returns the shard where it was. */
  private Shard remove(byte[] key) {
    ShardedStore store = store();
    Placement placement = store.placement();
    int slot = Placement.slot(key);
    Shard from = store.shard(placement.source(slot));
    Shard to = store.shard(placement.target(slot));
    boolean moves = from.index != to.index;
    Shard place = moves ? store.shard(Moves.place(from, to, name(), isSorted(), key)) : to;
    place.commit(() -> rawPart(place.index).remove(key) != null);
    if (moves) {
      place.awaitDurable(); // before the key can be put into the other shard
    }
    return place;
  }

  /** A view of this map: writes go through. Its order and its ranges are those of this map. */
  @Override
  public ConcurrentNavigableMap<K, V> asMap() {
    return new NavigableView<>(this, Range.ALL, false);
  }

  /**
   * An iterator of all entries in order, as copies; without removal. It throws for an entry that
   * this program cannot decode, and the next call returns the entry after it.
   */
  @Override
  public Iterator<Map.Entry<K, V>> entries() {
    return scan(Range.ALL, false);
  }

  /** An iterator of all entries, from the last to the first. */
  public Iterator<Map.Entry<K, V>> descendingEntries() {
    return scan(Range.ALL, true);
  }

  /**
   * An iterator of the entries of a range, in order.
   *
   * @param from least key; null for no limit
   * @param fromInclusive whether {@code from} belongs to the range
   * @param to greatest key; null for no limit
   * @param toInclusive whether {@code to} belongs to the range
   * @param descending whether to begin with the greatest key
   */
  public Iterator<Map.Entry<K, V>> scan(
      @Nullable K from,
      boolean fromInclusive,
      @Nullable K to,
      boolean toInclusive,
      boolean descending) {
    return scan(range(from, fromInclusive, to, toInclusive), descending);
  }

  Range range(@Nullable K from, boolean fromInclusive, @Nullable K to, boolean toInclusive) {
    byte[] low = from == null ? null : encodeKey(from);
    byte[] high = to == null ? null : encodeKey(to);
    return new Range(
        low == null || fromInclusive ? low : Range.behind(low),
        high == null || !toInclusive ? high : Range.behind(high));
  }

  Iterator<Map.Entry<K, V>> scan(Range range, boolean descending) {
    return new Decoded(stored(range, descending));
  }

  /** The entries of a range as they are stored, in order. */
  Iterator<Map.Entry<byte[], Object>> stored(Range range, boolean descending) {
    return new Scan(range, descending);
  }

  @Override
  Iterator<Map.Entry<byte[], Object>> stored() {
    return stored(Range.ALL, false);
  }

  /** Merges the entries of the parts; begins again behind the last key after keys moved. */
  private final class Scan implements Iterator<Map.Entry<byte[], Object>> {
    private final boolean descending;
    private Range rest;
    private Placement placement = store().placement();
    private long moves;
    private List<Source> sources = List.of();
    private Map.@Nullable Entry<byte[], Object> next;

    Scan(Range range, boolean descending) {
      this.rest = range;
      this.descending = descending;
      restart();
      advance();
    }

    private void restart() {
      moves = store().moves();
      placement = store().placement();
      List<Source> all = new ArrayList<>();
      for (int i = 0; i < placement.shards() && !rest.isEmpty(); i++) {
        all.add(new Source(i, iterator(sortedPart(i))));
      }
      sources = all;
    }

    private Iterator<Map.Entry<byte[], Object>> iterator(DurableSortedMap<byte[], Object> part) {
      byte[] low = rest.low;
      byte[] high = rest.high;
      var view = descending ? part.descendingMap() : part;
      if (descending) {
        view = high == null ? view : view.tailMap(high, false);
        view = low == null ? view : view.headMap(low, true);
      } else {
        view = low == null ? view : view.tailMap(low, true);
        view = high == null ? view : view.headMap(high, false);
      }
      return view.entrySet().iterator();
    }

    private void advance() {
      Map.Entry<byte[], Object> best;
      do {
        if (store().moves() != moves || store().placement() != placement) {
          restart();
        }
        best = null;
        for (Source source : sources) {
          Map.Entry<byte[], Object> head = source.head;
          if (head != null) {
            best = best == null ? head : better(best, head, source.shard, placement, descending);
          }
        }
      } while (store().moves() != moves || store().placement() != placement);
      next = best;
      if (best != null) {
        for (Source source : sources) {
          source.skip(best.getKey());
        }
        byte[] key = best.getKey();
        rest = descending ? rest.to(key) : rest.from(Range.behind(key));
      }
    }

    @Override
    public boolean hasNext() {
      return next != null;
    }

    @Override
    public Map.Entry<byte[], Object> next() {
      Map.Entry<byte[], Object> entry = next;
      if (entry == null) {
        throw new NoSuchElementException();
      }
      advance();
      return entry;
    }
  }

  /** The rest of a part. */
  private static final class Source {
    final int shard;
    private final Iterator<Map.Entry<byte[], Object>> entries;
    Map.@Nullable Entry<byte[], Object> head;

    Source(int shard, Iterator<Map.Entry<byte[], Object>> entries) {
      this.shard = shard;
      this.entries = entries;
      take();
    }

    private void take() {
      head = entries.hasNext() ? entries.next() : null;
    }

    void skip(byte[] key) {
      if (head != null && Arrays.equals(head.getKey(), key)) {
        take();
      }
    }
  }
}
