package io.everheap.infinispan;

import io.everheap.collection.Undecodable;
import io.everheap.error.CorruptValueException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.infinispan.commons.io.ByteBuffer;
import org.infinispan.commons.util.Util;
import org.infinispan.persistence.spi.MarshallableEntry;
import org.infinispan.persistence.spi.MarshallableEntryFactory;
import org.infinispan.persistence.spi.PersistenceException;
import org.jspecify.annotations.Nullable;

/**
 * Makes entries of Infinispan from stored ones and unmarshals them at once. Infinispan would do so
 * later, where the key is not known and where one failure ends an iteration, a preload or a state
 * transfer. An entry cannot be unmarshalled if the class of its key or value is missing or refuses
 * the bytes.
 *
 * <p>Thread-safe.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
final class Unmarshalling<K, V> {
  private static final Logger LOGGER = System.getLogger(Unmarshalling.class.getName());

  private final KeyForms.Entries cache;
  private final KeyForms keys;
  private final MarshallableEntryFactory<K, V> factory;
  private final String type;

  /** Whether a warning said that entries are left out. */
  private final AtomicBoolean warned = new AtomicBoolean();

  /**
   * Creates a reader of the entries of a cache.
   *
   * @param type of the marshalled bytes, for messages
   */
  Unmarshalling(
      KeyForms.Entries cache, KeyForms keys, MarshallableEntryFactory<K, V> factory, String type) {
    this.cache = cache;
    this.keys = keys;
    this.factory = factory;
    this.type = type;
  }

  /**
   * Loads the entry of a key.
   *
   * @return null if there is none, or if it is expired
   * @throws PersistenceException if it cannot be read; it names the key and the cache
   */
  @Nullable MarshallableEntry<K, V> load(Segment segment, Object key, long now) {
    ByteBuffer bytes = keys.key(key);
    StoredEntry stored;
    try {
      stored = segment.get(bytes);
    } catch (CorruptValueException e) {
      throw new PersistenceException(place(key) + " cannot be read", e);
    }
    if (stored == null || stored.isExpired(now)) {
      return null;
    }
    MarshallableEntry<K, V> entry =
        factory.create(
            key,
            stored.value(),
            stored.metadata(),
            stored.internalMetadata(),
            stored.created(),
            stored.lastUsed());
    Throwable failure = failure(entry);
    if (failure != null) {
      throw new PersistenceException(place(key) + " cannot be read", failure);
    }
    return entry;
  }

  /**
   * Returns an entry for an iteration; empty if it cannot be read.
   *
   * @param withValue whether the value is wanted
   */
  Optional<MarshallableEntry<K, V>> readable(Segment.Keyed keyed, boolean withValue) {
    MarshallableEntry<K, V> entry = entry(keyed.key(), keyed.entry(), withValue);
    Throwable failure = failure(entry);
    if (failure != null) {
      leaveOut(
          () ->
              place(position(keyed.key()))
                  + " cannot be read. Iterations leave out such entries, which stay in the store"
                  + " until they expire: EverheapStore.undecodable() lists them",
          failure);
      return Optional.empty();
    }
    return Optional.of(entry);
  }

  /** An entry of a marshalled key. */
  private MarshallableEntry<K, V> entry(ByteBuffer key, StoredEntry stored, boolean withValue) {
    return factory.create(
        key,
        withValue ? stored.value() : null,
        stored.metadata(),
        stored.internalMetadata(),
        stored.created(),
        stored.lastUsed());
  }

  /** Unmarshals an entry, which keeps the objects; returns why that fails, or null. */
  private static @Nullable Throwable failure(MarshallableEntry<?, ?> entry) {
    try {
      Object _ = entry.getKey();
      Object _ = entry.getValue();
      Object _ = entry.getMetadata();
      Object _ = entry.getInternalMetadata();
      return null;
    } catch (RuntimeException | LinkageError e) {
      return e;
    }
  }

  /** Warns of an entry whose stored form does not decode, and which an iteration leaves out. */
  void leaveOut(CorruptValueException failure) {
    leaveOut(
        () ->
            "the stored form of an entry of the cache '"
                + cache.name()
                + "' does not decode. Iterations and EverheapStore.undecodable() leave it out",
        failure);
  }

  /** Logs a warning for the first entry that an iteration leaves out. */
  private void leaveOut(Supplier<String> warning, Throwable failure) {
    if (!warned.getAndSet(true)) {
      LOGGER.log(Level.WARNING, warning.get(), failure);
    }
  }

  /** A key as an object, or as its bytes if it cannot be unmarshalled. */
  private Object position(ByteBuffer key) {
    Object known = keys.unmarshal(key);
    return known == null ? bytes(key) : known;
  }

  private String place(Object position) {
    String key =
        position instanceof byte[] bytes
            ? "with the bytes " + HexFormat.of().formatHex(bytes)
            : Util.toStr(position);
    return "the entry of the key "
        + key
        + " of the cache '"
        + cache.name()
        + "' in "
        + cache.heap();
  }

  private static byte[] bytes(ByteBuffer buffer) {
    int from = buffer.getOffset();
    return Arrays.copyOfRange(buffer.getBuf(), from, from + buffer.getLength());
  }

  /** The entries that cannot be read; see {@link EverheapStore#undecodable}. */
  Iterator<Undecodable> undecodable() {
    return new Unreadable(cache.segments().iterator());
  }

  private @Nullable Undecodable undecodable(Segment.Keyed keyed) {
    Throwable failure = failure(entry(keyed.key(), keyed.entry(), true));
    if (failure == null) {
      return null;
    }
    Object position = position(keyed.key());
    String message = place(position) + " cannot be read as " + type;
    CorruptValueException reason = new CorruptValueException(message, failure);
    ByteBuffer stored = keyed.entry().value();
    byte[] value = stored == null ? new byte[0] : bytes(stored);
    return position instanceof byte[] key
        ? new Undecodable(key, type, key, value, reason)
        : new Undecodable(position, type, value, reason);
  }

  /** Goes through the segments. Used by one thread. */
  private final class Unreadable implements Iterator<Undecodable> {
    private final Iterator<Segment> segments;
    private @Nullable Segment segment;
    private @Nullable Iterator<Segment.Keyed> entries;
    private @Nullable Undecodable next;
    private @Nullable Runnable removalOfNext;
    private @Nullable Runnable removal;

    Unreadable(Iterator<Segment> segments) {
      this.segments = segments;
    }

    @Override
    public boolean hasNext() {
      while (next == null) {
        if (entries != null && entries.hasNext()) {
          Segment.Keyed keyed = entries.next();
          Segment in = Objects.requireNonNull(segment);
          next = undecodable(keyed);
          removalOfNext = () -> remove(in, keyed);
        } else if (segments.hasNext()) {
          segment = segments.next();
          entries = segment.iterator(Unmarshalling.this::leaveOut);
        } else {
          return false;
        }
      }
      return true;
    }

    @Override
    public Undecodable next() {
      Undecodable found = hasNext() ? next : null;
      if (found == null) {
        throw new NoSuchElementException();
      }
      removal = removalOfNext;
      next = null;
      return found;
    }

    /** Removes an entry, unless a writer replaced it since it was found. */
    private void remove(Segment in, Segment.Keyed found) {
      boolean _ =
          cache
              .heap()
              .transact(
                  () ->
                      found.entry().equals(in.get(found.key()))
                          && in.remove(found.key(), Long.MAX_VALUE));
    }

    @Override
    public void remove() {
      Runnable last = removal;
      if (last == null) {
        throw new IllegalStateException("no entry to remove: call next first");
      }
      removal = null;
      last.run();
    }
  }
}
