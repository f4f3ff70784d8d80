package io.everheap.cache;

import io.everheap.error.CorruptValueException;
import java.lang.foreign.MemorySegment;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a cache as objects: looks them up without a lock, and changes them under the locks
 * of their keys. A change grounds the load of its key that is under way. Thread-safe.
 */
final class ObjectEntries<K, V> {
  private final BlockCache blocks;
  private final Coding<K, V> coding;
  private final FormerKeys<K> former;
  private final EntryTimes<K, V> times;
  private final StripedLocks locks;
  private final Flights<V> flights = new Flights<>();

  ObjectEntries(
      BlockCache blocks, Coding<K, V> coding, FormerKeys<K> former, EntryTimes<K, V> times) {
    this.blocks = blocks;
    this.coding = coding;
    this.former = former;
    this.times = times;
    this.locks = new StripedLocks(blocks.store()::hash);
  }

  BlockCache blocks() {
    return blocks;
  }

  Coding<K, V> coding() {
    return coding;
  }

  /** The stored bytes of a key; what earlier builds stored under others has these then. */
  byte[] key(K key) {
    byte[] bytes = coding.key(key);
    former.await(bytes);
    return bytes;
  }

  /** The entries whose keys an earlier build wrote. */
  FormerKeys<K> former() {
    return former;
  }

  EntryTimes<K, V> times() {
    return times;
  }

  StripedLocks locks() {
    return locks;
  }

  /** The loads that are under way. */
  Flights<V> flights() {
    return flights;
  }

  /** How many there are, as far as those of earlier openings are known. */
  long size() {
    return blocks.stats().entries();
  }

  /** The value of a key, whose bytes are given with it. */
  @Nullable V find(K key, byte[] bytes) {
    try (BlockHandle handle = blocks.get(bytes)) {
      if (handle == null) {
        return null;
      }
      V value;
      try {
        value = coding.value(handle.toArray());
      } catch (CorruptValueException e) {
        // The codec changed, and not its name, or a class is missing now. A later program may read
        // the value, so it stays until it is replaced, removed or evicted.
        return null;
      }
      times.read(blocks.store(), handle.slot(), key, value);
      return value;
    }
  }

  /** The value without counting that as a use. */
  @Nullable V peek(byte[] bytes) {
    try (BlockHandle handle = blocks.peek(bytes)) {
      return handle == null ? null : coding.value(handle.toArray());
    } catch (CorruptValueException e) {
      return null;
    }
  }

  /** Puts a value that expires as the cache's options say. */
  void put(K key, V value) {
    put(key, key(key), value);
  }

  /** Puts a value for a key whose stored bytes are given with it. */
  void put(K key, byte[] bytes, V value) {
    synchronized (locks.toChange(bytes)) {
      flights.ground(bytes);
      store(key, bytes, value, isNew(bytes));
    }
  }

  private boolean isNew(byte[] bytes) {
    return times.distinguishesUpdates() && !blocks.contains(bytes);
  }

  /** Puts a value; under the lock of the key. */
  void store(K key, byte[] bytes, V value, boolean isNew) {
    byte[] encoded = coding.value(value);
    boolean _ = blocks.put(bytes, MemorySegment.ofArray(encoded), times.written(key, value, isNew));
  }

  /** Puts a value that expires at a time, in milliseconds since 1970. */
  void put(K key, V value, long expiry) {
    byte[] bytes = key(key);
    byte[] encoded = coding.value(value);
    synchronized (locks.toChange(bytes)) {
      flights.ground(bytes);
      boolean _ = blocks.put(bytes, MemorySegment.ofArray(encoded), expiry);
    }
  }

  /**
   * Changes a value under its key's lock: puts what the function makes of it, and removes it if
   * that is null. A function of this library keeps the value by returning the same object; one of
   * the program may have changed the object, which is a copy.
   *
   * @param returnsNew whether the new value is returned, else the old one; so it is for functions
   *     of the program
   * @param removes whether null also removes an entry that recovery did not find yet, or whose
   *     value the codec does not accept
   */
  @SuppressWarnings("ReferenceEquality") // a function that keeps the value returns the same one
  @Nullable V change(
      K key,
      Function<? super @Nullable V, ? extends @Nullable V> function,
      boolean returnsNew,
      boolean removes) {
    byte[] bytes = key(key);
    synchronized (locks.toChange(bytes)) {
      V old = peek(bytes);
      V next = function.apply(old);
      if (next == null) {
        if (old != null || removes) {
          flights.ground(bytes);
        }
        if (old != null || (removes && (!blocks.isIndexed() || blocks.contains(bytes)))) {
          boolean _ = blocks.invalidate(bytes);
        }
      } else if (next != old || returnsNew) {
        flights.ground(bytes);
        store(key, bytes, next, old == null);
      }
      return returnsNew ? next : old;
    }
  }

  /** Puts a value unless there is one, which is returned then. */
  @Nullable V putIfAbsent(K key, V value) {
    return change(key, old -> old == null ? value : old, false, false);
  }

  /** Removes the entry of a key. */
  void invalidate(K key) {
    invalidate(key(key));
  }

  /**
   * Removes the entry of a key by its stored bytes. A key that was decoded may have other bytes
   * when it is encoded again.
   */
  void invalidate(byte[] bytes) {
    synchronized (locks.toChange(bytes)) {
      flights.ground(bytes);
      boolean _ = blocks.invalidate(bytes);
    }
  }

  /** Removes all entries. */
  void invalidateAll() {
    locks.withAll(
        () -> {
          flights.groundAll();
          blocks.invalidateAll();
        });
  }
}
