package io.everheap.store;

import io.everheap.codec.Codec;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurableSortedMap;
import io.everheap.collection.Undecodable;
import io.everheap.error.CorruptValueException;
import io.everheap.error.EverheapException;
import io.everheap.stability.Stable;
import io.everheap.store.ValueCodec.Raw;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A map whose entries are spread over the shards of a store. Keys and values are copied in and out
 * by their codecs; two keys are the same if their encoded forms are. Neither can be null.
 *
 * <p><b>Writes</b> of one key are atomic, and durable when the method returns, or when the stage
 * completes, as the store's durability says. Writers of one shard that wait together commit
 * together. Functions given to {@link #compute} and its like run once, in the caller's thread,
 * while other writers of the shard wait; they must not write to the store, nor call {@link
 * ShardedStore#read}: both are refused.
 *
 * <p><b>Asynchronous writes</b> encode the value at once, and are made in the order in which one
 * thread calls them for one key, also relative to its blocking writes. A stage completes in the
 * thread of some writer, or in one of the library that waits for disks; what depends on it should
 * be short, or use another executor. If too many wait for a shard, the call waits like a blocking
 * one, see {@link ShardedStoreBuilder#queue}.
 *
 * <p><b>Reads</b> take no lock and see the newest commit, which its own caller may still be waiting
 * for to become durable. Iterators are weakly consistent: they see each entry that stays once; if
 * the number of shards changes meanwhile, those of a map without an order see it at least once.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 * @since 0.9
 */
@SuppressWarnings("ReferenceEquality") // of placements, and of the mark of a repetition
@Stable
public sealed class ShardedMap<K, V> permits ShardedSortedMap {
  /** Bytes of a key that a message shows. */
  private static final int MAX_SHOWN = 64;

  private final ShardedStore store;
  private final String name;
  final KeyCodec<K> keys;
  private final Codec<V> values;
  private final ValueCodec codec;
  private final boolean sorted;

  /** By shard; replaced, not changed. */
  private volatile List<ConcurrentMap<byte[], Object>> parts = List.of();

  /** The same with values as {@link Raw} bytes, so that iterators decode what they return. */
  volatile List<ConcurrentMap<byte[], Object>> rawParts = List.of(); // tests watch their calls

  /** What a write returns if keys were placed differently in the meantime. */
  private static final Object AGAIN = new Object();

  ShardedMap(ShardedStore store, String name, KeyCodec<K> keys, Codec<V> values, boolean sorted) {
    this.store = store;
    this.name = name;
    this.keys = keys;
    this.values = values;
    this.codec = new ValueCodec(values);
    this.sorted = sorted;
  }

  /** The name of the map. */
  public final String name() {
    return name;
  }

  final ShardedStore store() {
    return store;
  }

  final boolean isSorted() {
    return sorted;
  }

  final Raw encode(V value) {
    return ValueCodec.encode(values, value);
  }

  final byte[] encodeKey(K key) {
    return keys.encode(Objects.requireNonNull(key, "key"));
  }

  /** The part in a shard. */
  final ConcurrentMap<byte[], Object> part(int shard) {
    List<ConcurrentMap<byte[], Object>> known = parts;
    return shard < known.size() ? known.get(shard) : attach(shard);
  }

  private synchronized ConcurrentMap<byte[], Object> attach(int shard) {
    parts = attach(parts, shard, codec);
    return parts.get(shard);
  }

  /** The part in a shard, with values as {@link Raw} bytes. */
  final ConcurrentMap<byte[], Object> rawPart(int shard) {
    List<ConcurrentMap<byte[], Object>> known = rawParts;
    return shard < known.size() ? known.get(shard) : attachRaw(shard);
  }

  private synchronized ConcurrentMap<byte[], Object> attachRaw(int shard) {
    rawParts = attach(rawParts, shard, ValueCodec.RAW);
    return rawParts.get(shard);
  }

  private List<ConcurrentMap<byte[], Object>> attach(
      List<ConcurrentMap<byte[], Object>> known, int shard, ValueCodec read) {
    List<ConcurrentMap<byte[], Object>> all = new ArrayList<>(known);
    for (int i = all.size(); i <= shard; i++) {
      all.add(Catalog.part(store.shard(i), name, sorted, read));
    }
    return List.copyOf(all);
  }

  /** The value of a key, or null. */
  public @Nullable V get(K key) {
    return find(encodeKey(key));
  }

  @SuppressWarnings("unchecked") // the codec reads such values
  private @Nullable V find(byte[] key) {
    int slot = Placement.slot(key);
    while (true) {
      Placement placement = store.placement();
      int to = placement.target(slot);
      int from = placement.source(slot);
      Object value;
      try {
        value = part(to).get(key);
        if (value == null && from != to) {
          value = part(from).get(key);
          if (value == null) {
            value = part(to).get(key); // it may have moved since the first attempt
          }
        }
      } catch (CorruptValueException e) {
        throw named(key, e);
      }
      if (store.placement() == placement) {
        return (V) value;
      }
    }
  }

  /** The value of a key, or another one if there is none. */
  public V getOrDefault(K key, V otherwise) {
    V value = get(key);
    return value == null ? otherwise : value;
  }

  /** Whether there is an entry. */
  public boolean containsKey(K key) {
    byte[] bytes = encodeKey(key);
    int slot = Placement.slot(bytes);
    while (true) {
      Placement placement = store.placement();
      int to = placement.target(slot);
      int from = placement.source(slot);
      boolean found =
          part(to).containsKey(bytes)
              || (from != to && (part(from).containsKey(bytes) || part(to).containsKey(bytes)));
      if (store.placement() == placement) {
        return found;
      }
    }
  }

  /** What a write does in the part that has, or is to get, the key. */
  private interface Write extends Function<ConcurrentMap<byte[], Object>, @Nullable Object> {}

  /** A write whose part has values as {@link Raw} bytes. */
  private interface RawWrite extends Write {}

  @SuppressWarnings({"unchecked", "NullAway", "TypeParameterUnusedInFormals"}) // of the write
  private <R extends @Nullable Object> R write(byte[] key, boolean here, Write write) {
    store.requireWritable();
    int slot = Placement.slot(key);
    while (true) {
      Placement placement = store.placement();
      int to = placement.target(slot);
      int from = placement.source(slot);
      Object result;
      if (from != to) {
        result = writeMoving(placement, key, naming(key, write));
      } else if (here) {
        result = writeHere(placement, to, naming(key, write));
      } else {
        Supplier<@Nullable Object> inPlace = inPlace(placement, to, naming(key, write));
        result = store.shard(to).<@Nullable Object>execute(inPlace);
      }
      if (result != AGAIN) {
        return (R) result;
      }
    }
  }

  /** A write whose failure to decode the old value names map, key and codec. */
  private Write naming(byte[] key, Write write) {
    if (write instanceof RawWrite) {
      return write; // decodes nothing
    }
    return part -> {
      try {
        return write.apply(part);
      } catch (CorruptValueException e) {
        throw named(key, e);
      }
    };
  }

  private Supplier<@Nullable Object> inPlace(Placement placement, int shard, Write write) {
    ConcurrentMap<byte[], Object> part = write instanceof RawWrite ? rawPart(shard) : part(shard);
    return () -> store.placement() == placement ? write.apply(part) : AGAIN;
  }

  /** Runs a write in this thread. */
  private @Nullable Object writeHere(Placement placement, int index, Write write) {
    Shard shard = store.shard(index);
    Supplier<@Nullable Object> inPlace = inPlace(placement, index, write);
    Object result =
        Shard.<@Nullable Object>inTurns(
            List.of(shard), () -> shard.<@Nullable Object>commit(inPlace));
    shard.awaitDurable();
    return result;
  }

  /** Runs a write of a key that moves; see {@link Moves}. */
  private @Nullable Object writeMoving(Placement placement, byte[] key, Write write) {
    int slot = Placement.slot(key);
    Shard from = store.shard(placement.source(slot));
    Shard to = store.shard(placement.target(slot));
    return Moves.<@Nullable Object>inTurns(
        from,
        to,
        () -> {
          if (store.placement() != placement) {
            return AGAIN;
          }
          Shard place = store.shard(Moves.place(from, to, name, sorted, key));
          Object done = place.<@Nullable Object>commit(inPlace(placement, place.index, write));
          // In the turns: a removal must be durable before the key is put into the other shard.
          place.awaitDurable();
          return done;
        });
  }

  /** Puts an entry; returns the value that it replaces, or null. */
  public @Nullable V put(K key, V value) {
    Objects.requireNonNull(value, "value");
    byte[] bytes = encodeKey(key);
    return this.<@Nullable V>write(bytes, false, part -> part.put(bytes, value));
  }

  /** Puts an entry, without reading the value that it replaces. */
  public void set(K key, V value) {
    Objects.requireNonNull(value, "value");
    byte[] bytes = encodeKey(key);
    this.<@Nullable Object>write(bytes, false, part -> set(part, bytes, value));
  }

  private static @Nullable Object set(
      ConcurrentMap<byte[], Object> part, byte[] key, Object value) {
    if (part instanceof DurableMap<byte[], Object> map) {
      map.set(key, value);
    } else {
      ((DurableSortedMap<byte[], Object>) part).set(key, value);
    }
    return null;
  }

  /** Removes an entry, without reading its value; returns whether there was one. */
  public boolean delete(K key) {
    return deleteEncoded(encodeKey(key));
  }

  /** Removes an entry by the stored bytes of its key, without decoding anything. */
  final boolean deleteEncoded(byte[] key) {
    return this.<Boolean>write(key, true, part -> delete(part, key));
  }

  /** Removes an entry if its value still has these bytes; returns whether it did. */
  final boolean deleteEncoded(byte[] key, Raw value) {
    RawWrite delete =
        part ->
            part.get(key) instanceof Raw now
                && Arrays.equals(now.bytes(), value.bytes())
                && delete(part, key);
    return this.<Boolean>write(key, true, delete);
  }

  private static boolean delete(ConcurrentMap<byte[], Object> part, byte[] key) {
    return part instanceof DurableMap<byte[], Object> map
        ? map.delete(key)
        : ((DurableSortedMap<byte[], Object>) part).delete(key);
  }

  /** Puts an entry if the key has none; returns the value that the key has, or null. */
  public @Nullable V putIfAbsent(K key, V value) {
    Objects.requireNonNull(value, "value");
    byte[] bytes = encodeKey(key);
    return this.<@Nullable V>write(bytes, false, part -> part.putIfAbsent(bytes, value));
  }

  /** Removes an entry; returns its value, or null. */
  public @Nullable V remove(K key) {
    byte[] bytes = encodeKey(key);
    return this.<@Nullable V>write(bytes, false, part -> part.remove(bytes));
  }

  /** Removes an entry if it has this value; returns whether it had. */
  public boolean remove(K key, V value) {
    Objects.requireNonNull(value, "value");
    byte[] bytes = encodeKey(key);
    return this.<Boolean>write(bytes, true, part -> part.remove(bytes, value));
  }

  /** Replaces the value of a key that has one; returns the old one, or null. */
  public @Nullable V replace(K key, V value) {
    Objects.requireNonNull(value, "value");
    byte[] bytes = encodeKey(key);
    return this.<@Nullable V>write(bytes, false, part -> part.replace(bytes, value));
  }

  /** Replaces a value if it is the expected one; returns whether it was. */
  public boolean replace(K key, V expected, V value) {
    Objects.requireNonNull(expected, "expected");
    Objects.requireNonNull(value, "value");
    byte[] bytes = encodeKey(key);
    return this.<Boolean>write(bytes, true, part -> part.replace(bytes, expected, value));
  }

  /** Computes the value of a key from that which it has, or null; a result of null removes it. */
  @SuppressWarnings({"unchecked", "NullAway"}) // the codec reads such values
  public @Nullable V compute(
      K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> function) {
    Objects.requireNonNull(function, "function");
    byte[] bytes = encodeKey(key);
    BiFunction<byte[], Object, @Nullable Object> guarded =
        (k, v) ->
            store
                .caller()
                .<@Nullable Object>run(Caller.Inside.FUNCTION, () -> function.apply(key, (V) v));
    return this.<@Nullable V>write(bytes, true, part -> part.compute(bytes, guarded));
  }

  /** Computes the value of a key that has none; returns the value that it has then, or null. */
  public @Nullable V computeIfAbsent(K key, Function<? super K, ? extends @Nullable V> function) {
    Objects.requireNonNull(function, "function");
    V found = get(key);
    return found != null ? found : compute(key, (k, v) -> v != null ? v : function.apply(k));
  }

  /** Computes the value of a key that has one; a result of null removes it. */
  public @Nullable V computeIfPresent(
      K key, BiFunction<? super K, ? super V, ? extends @Nullable V> function) {
    Objects.requireNonNull(function, "function");
    return compute(key, (k, v) -> v == null ? null : function.apply(k, v));
  }

  /** Puts a value, or merges it with the one that is there; a result of null removes the entry. */
  public @Nullable V merge(
      K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> function) {
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(function, "function");
    return compute(key, (k, v) -> v == null ? value : function.apply(v, value));
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // the result of the write
  private <R extends @Nullable Object> CompletionStage<R> submit(byte[] key, Write write) {
    store.requireWritable();
    int slot = Placement.slot(key);
    Placement placement = store.placement();
    int to = placement.target(slot);
    if (placement.source(slot) != to) { // rare: while keys move
      return CompletableFuture.completedStage(this.<R>write(key, false, write));
    }
    CompletableFuture<@Nullable Object> done =
        store.shard(to).<@Nullable Object>submit(inPlace(placement, to, naming(key, write)));
    if (!done.isDone() && store.isLeft(placement)) {
      // If it has to be repeated, that comes before this thread's next write of the key.
      done.handle((result, failure) -> "").join();
    }
    if (done.isDone() && !done.isCompletedExceptionally()) {
      Object result = done.join();
      return CompletableFuture.completedStage(
          result == AGAIN ? this.<R>write(key, false, write) : (R) result);
    }
    return (CompletionStage<R>)
        done.<@Nullable Object>thenApply(
                result ->
                    result == AGAIN ? this.<@Nullable Object>write(key, false, write) : result)
            .minimalCompletionStage();
  }

  /** Puts an entry; the stage completes when that is durable. */
  public CompletionStage<@Nullable Void> setAsync(K key, V value) {
    byte[] bytes = encodeKey(key);
    Raw raw = encode(Objects.requireNonNull(value, "value"));
    return this.<@Nullable Void>submit(bytes, part -> set(part, bytes, raw));
  }

  /** Puts an entry; the stage completes with the value that it replaces, or null. */
  public CompletionStage<@Nullable V> putAsync(K key, V value) {
    byte[] bytes = encodeKey(key);
    Raw raw = encode(Objects.requireNonNull(value, "value"));
    return this.<@Nullable V>submit(bytes, part -> part.put(bytes, raw));
  }

  /** Puts an entry if the key has none; completes with the value that the key has, or null. */
  public CompletionStage<@Nullable V> putIfAbsentAsync(K key, V value) {
    byte[] bytes = encodeKey(key);
    Raw raw = encode(Objects.requireNonNull(value, "value"));
    return this.<@Nullable V>submit(bytes, part -> part.putIfAbsent(bytes, raw));
  }

  /** Removes an entry; the stage completes with its value, or null. */
  public CompletionStage<@Nullable V> removeAsync(K key) {
    byte[] bytes = encodeKey(key);
    return this.<@Nullable V>submit(bytes, part -> part.remove(bytes));
  }

  /** The number of entries; while keys move, those that are in two shards may count twice. */
  public long sizeLong() {
    Placement placement = store.placement();
    long size = 0;
    for (int i = 0; i < placement.shards(); i++) {
      size += Catalog.size(part(i));
    }
    return size;
  }

  /** Whether there is no entry. */
  public boolean isEmpty() {
    return sizeLong() == 0;
  }

  /** Removes all entries, shard by shard: each shard's at once. */
  public void clear() {
    store.requireWritable();
    while (!tryClear(store.placement())) {
      // the number of shards changed
    }
  }

  private boolean tryClear(Placement placement) {
    for (int i = 0; i < placement.shards(); i++) {
      Write clear =
          part -> {
            part.clear();
            return true;
          };
      if (writeHere(placement, i, clear) == AGAIN) {
        return false;
      }
    }
    return !placement.moving() || isEmpty();
  }

  /** Calls {@code action} for each entry. */
  public void forEach(BiConsumer<? super K, ? super V> action) {
    Iterator<Map.Entry<K, V>> all = entries();
    while (all.hasNext()) {
      Map.Entry<K, V> entry = all.next();
      action.accept(entry.getKey(), entry.getValue());
    }
  }

  /**
   * An iterator of all entries, as copies; without removal. It throws for an entry that this
   * program cannot decode, and the next call returns the entry after it.
   */
  public Iterator<Map.Entry<K, V>> entries() {
    return new Decoded(stored());
  }

  /** The entries as they are stored. */
  Iterator<Map.Entry<byte[], Object>> stored() {
    return new OverShards<>(part -> part.entrySet().iterator());
  }

  /** The keys as they are stored. */
  Iterator<byte[]> storedKeys() {
    return new OverShards<>(part -> part.keySet().iterator());
  }

  /**
   * Iterates over the entries whose keys or values this program cannot decode. It decodes all
   * others too, so it takes as long as an iteration. Positions are keys, or the stored bytes of a
   * key that does not decode. {@code remove} of the iterator removes the entry without decoding it,
   * unless a writer replaced the value since {@code next}. {@link #set} replaces it.
   *
   * @return weakly consistent, as {@link #entries} is
   */
  public final Iterator<Undecodable> undecodable() {
    return new Refused();
  }

  /** A view of this map: writes go through. */
  public ConcurrentMap<K, V> asMap() {
    return new MapView<>(this);
  }

  @Override
  public String toString() {
    return name + " in " + store;
  }

  final Map.Entry<K, V> decode(Map.Entry<byte[], Object> entry) {
    K key = decodeKey(entry.getKey());
    return Map.entry(key, decodeValue((Raw) entry.getValue(), () -> "key " + key));
  }

  /**
   * Decodes a stored key.
   *
   * @throws CorruptValueException if the codec does not; it names map, bytes and codec
   */
  final K decodeKey(byte[] key) {
    try {
      return Objects.requireNonNull(keys.decode(key));
    } catch (RuntimeException | LinkageError e) {
      throw undecodable(bytes(key), keys.name, e);
    }
  }

  /** Decodes the value of a stored entry, without its key. */
  final V decodeValue(Map.Entry<byte[], Object> entry) {
    return decodeValue((Raw) entry.getValue(), () -> place(entry.getKey()));
  }

  /**
   * Decodes a stored value.
   *
   * @param place says where it is, for messages
   * @throws CorruptValueException if the codec does not; it names map, place and codec
   */
  private V decodeValue(Raw value, Supplier<String> place) {
    try {
      return ValueCodec.decode(values, value);
    } catch (RuntimeException | LinkageError e) {
      throw undecodable(place.get(), values.name(), e);
    }
  }

  /** A key for messages: decoded, or its bytes if it does not decode. */
  private String place(byte[] key) {
    try {
      return "key " + decodeKey(key);
    } catch (CorruptValueException e) {
      return bytes(key);
    }
  }

  private static String bytes(byte[] key) {
    int shown = Math.min(key.length, MAX_SHOWN);
    String more = shown < key.length ? "..." : "";
    return "the key with the bytes " + HexFormat.of().formatHex(key, 0, shown) + more;
  }

  /** The exception for a value that a part did not decode, with map, key and codec. */
  private EverheapException named(byte[] key, CorruptValueException e) {
    Throwable cause = e;
    while (cause instanceof CorruptValueException) {
      cause = cause.getCause();
    }
    return cause instanceof ValueCodec.Refused refused
        ? undecodable(place(key), values.name(), refused.reason)
        : e; // of another map, which a function of the caller read
  }

  private EverheapException undecodable(String place, String type, Throwable e) {
    if (e instanceof EverheapException other && !(e instanceof CorruptValueException)) {
      return other; // of a heap that the codec reads
    }
    String reason =
        e instanceof CorruptValueException
            ? String.valueOf(e.getMessage())
            : "it throws " + e.getClass().getName();
    return new CorruptValueException(
        "Of "
            + place
            + ": What map "
            + this
            + " holds cannot be read by the codec "
            + type
            + ": "
            + reason,
        e);
  }

  /** Goes through shards, first those that keys move away from. */
  private final class OverShards<T> implements Iterator<T> {
    private final Function<ConcurrentMap<byte[], Object>, Iterator<T>> ofPart;
    private Placement placement = store.placement();
    private int visited;
    private Iterator<T> current;

    OverShards(Function<ConcurrentMap<byte[], Object>, Iterator<T>> ofPart) {
      this.ofPart = ofPart;
      this.current = ofPart.apply(rawPart(index(0)));
    }

    private int index(int number) {
      boolean shrinks = placement.from() > placement.to();
      return shrinks ? placement.shards() - 1 - number : number;
    }

    @Override
    public boolean hasNext() {
      while (!current.hasNext()) {
        Placement now = store.placement();
        if (now != placement) { // entries may have moved to where this was already
          placement = now;
          visited = -1;
        }
        if (visited + 1 >= placement.shards()) {
          return false;
        }
        visited++;
        current = ofPart.apply(rawPart(index(visited)));
      }
      return true;
    }

    @Override
    public T next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return current.next();
    }
  }

  /** Stored entries, decoded one by one. */
  final class Decoded implements Iterator<Map.Entry<K, V>> {
    private final Iterator<Map.Entry<byte[], Object>> all;

    Decoded(Iterator<Map.Entry<byte[], Object>> all) {
      this.all = all;
    }

    @Override
    public boolean hasNext() {
      return all.hasNext();
    }

    @Override
    public Map.Entry<K, V> next() {
      return decode(all.next());
    }
  }

  /** The entries of all shards whose keys or values do not decode. */
  private final class Refused implements Iterator<Undecodable> {
    private final Iterator<Map.Entry<byte[], Object>> all = ShardedMap.this.stored();
    private @Nullable Undecodable next;
    private Map.@Nullable Entry<byte[], Object> storedNext;
    private Map.@Nullable Entry<byte[], Object> last;

    @Override
    public boolean hasNext() {
      while (next == null && all.hasNext()) {
        Map.Entry<byte[], Object> entry = all.next();
        storedNext = entry;
        next = failure(entry.getKey(), (Raw) entry.getValue());
      }
      return next != null;
    }

    private @Nullable Undecodable failure(byte[] bytes, Raw value) {
      K key;
      try {
        key = decodeKey(bytes);
      } catch (CorruptValueException e) {
        return new Undecodable(bytes, keys.name, bytes, value.bytes(), e);
      }
      try {
        V _ = decodeValue(value, () -> "key " + key);
        return null;
      } catch (CorruptValueException e) {
        return new Undecodable(key, values.name(), value.bytes(), e);
      }
    }

    @Override
    public Undecodable next() {
      Undecodable found = hasNext() ? next : null;
      if (found == null) {
        throw new NoSuchElementException();
      }
      last = storedNext;
      next = null;
      return found;
    }

    @Override
    public void remove() {
      Map.Entry<byte[], Object> entry = last;
      if (entry == null) {
        throw new IllegalStateException("no entry to remove: call next first");
      }
      last = null;
      boolean _ = deleteEncoded(entry.getKey(), (Raw) entry.getValue());
    }
  }
}
