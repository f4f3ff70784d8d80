package io.everheap.jcache;

import io.everheap.cache.TimedEntries;
import io.everheap.codec.Codec;
import io.everheap.codec.CodecOutput;
import io.everheap.jcache.statistics.Statistics;
import java.util.Collection;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What all operations of a cache use: its entries, locks, sources and figures. Thread-safe. */
final class Core<K, V> {
  private final String name;
  private final Class<K> keyType;
  private final Class<V> valueType;
  private final Codec<K> keys;
  private final KeyLocks locks = new KeyLocks();
  private final Entries<K, V> entries;
  private final Sources<K, V> sources;
  private final Statistics statistics;
  private volatile boolean closed;

  Core(
      String name,
      EverheapConfiguration<K, V> configuration,
      Codec<K> keys,
      Entries<K, V> entries,
      Sources<K, V> sources,
      Statistics statistics) {
    this.name = name;
    this.keyType = configuration.getKeyType();
    this.valueType = configuration.getValueType();
    this.keys = keys;
    this.entries = entries;
    this.sources = sources;
    this.statistics = statistics;
  }

  Entries<K, V> entries() {
    return entries;
  }

  Sources<K, V> sources() {
    return sources;
  }

  Statistics statistics() {
    return statistics;
  }

  boolean isClosed() {
    return closed;
  }

  void close() {
    closed = true;
  }

  void requireOpen() {
    if (closed) {
      throw new IllegalStateException(String.format(Locale.ROOT, "the cache '%s' is closed", name));
    }
  }

  /** Checks a key; a cache without types checks nothing. */
  K key(@Nullable K key) {
    return require(key, keyType, "key");
  }

  /** Checks a value; a cache without types checks nothing. */
  V value(@Nullable V value) {
    return require(value, valueType, "value");
  }

  private <T> T require(@Nullable T given, Class<T> type, String what) {
    T found = Objects.requireNonNull(given, what);
    if (!type.isInstance(found)) {
      throw new ClassCastException(
          String.format(
              Locale.ROOT,
              "a %s of the cache '%s' is a %s, not a %s",
              what,
              name,
              type.getName(),
              found.getClass().getName()));
    }
    return found;
  }

  /** Runs an operation under the lock of a key. */
  <R extends @Nullable Object> R locked(K key, Function<KeyLocks.Lock, R> operation) {
    return locks.locked(bytes(key), operation);
  }

  /** Runs an operation under the locks of keys. */
  <R extends @Nullable Object> R lockedAll(Collection<? extends K> all, Supplier<R> operation) {
    return locks.lockedAll(all.stream().map(this::bytes).toList(), operation);
  }

  private byte[] bytes(K key) {
    var out = new CodecOutput();
    keys.write(key, out);
    return out.toByteArray();
  }

  /** Looks a value up, and loads it if values are read through. */
  @Nullable V get(K key) {
    long start = statistics.start();
    V value = entries.read(key);
    statistics.got(value != null, start);
    return value == null && sources.readsThrough() ? load(key) : value;
  }

  /** Loads a value in one thread at a time. */
  private @Nullable V load(K key) {
    return locked(key, lock -> load(key, lock));
  }

  private @Nullable V load(K key, KeyLocks.Lock lock) {
    TimedEntries.Entry<V> found = entries.find(key);
    if (found != null) {
      return found.value();
    }
    if (lock.loading) { // by this thread, which has the lock
      throw new IllegalStateException("a loader asks for the key that it is called for");
    }
    V value;
    lock.loading = true;
    try {
      value = sources.load(key);
    } finally {
      lock.loading = false;
    }
    if (value != null && !entries.create(key, value(value))) {
      return null; // expired from the start
    }
    return value;
  }
}
