package io.everheap.cache;

import io.everheap.error.CorruptValueException;
import io.everheap.stability.Stable;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a cache with the times at which they expire, for programs that decide these
 * themselves. Times are those of the system's clock, in milliseconds; {@link Instant#MAX} is never.
 * Durable and thread-safe as the cache is; a call is atomic, several of them are not.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 * @since 0.9
 */
@Stable
public final class TimedEntries<K, V> {
  private final ObjectEntries<K, V> entries;

  TimedEntries(ObjectEntries<K, V> entries) {
    this.entries = entries;
  }

  /**
   * An entry as it was when it was looked up.
   *
   * @param <V> the type of the values
   * @param value the value
   * @param expiresAt when lookups stop finding it; {@link Instant#MAX} for never
   */
  public record Entry<V>(V value, Instant expiresAt) {}

  /**
   * Returns the time by the clock that decides whether entries are expired.
   *
   * @return now
   */
  public Instant now() {
    return Instant.ofEpochMilli(entries.times().now());
  }

  /**
   * Looks an entry up without counting that as a use or a lookup, and without putting its expiry
   * off.
   *
   * @param key its key
   * @return the entry; {@code null} if there is none
   */
  public @Nullable Entry<V> peek(K key) {
    try (BlockHandle handle = entries.blocks().peek(entries.key(key))) {
      return handle == null
          ? null
          : new Entry<>(
              entries.coding().value(handle.toArray()), handle.expiresAt().orElse(Instant.MAX));
    } catch (CorruptValueException e) {
      return null; // the codec changed, and not its name
    }
  }

  /**
   * Tells whether there is an entry that can be decoded, without counting that as a use or a
   * lookup.
   *
   * @param key its key
   * @return whether a lookup would find it
   */
  public boolean contains(K key) {
    return entries.peek(entries.key(key)) != null;
  }

  /**
   * Puts a value that expires at a time, whatever the cache's options say.
   *
   * @param key its key
   * @param value the value
   * @param expiresAt when lookups stop finding it; {@link Instant#MAX} for never
   */
  public void put(K key, V value, Instant expiresAt) {
    entries.put(key, value, EntryTimes.millis(expiresAt));
  }

  /**
   * Lets an entry expire at another time. Survives a kill when this returns.
   *
   * @param key its key
   * @param expiresAt when lookups stop finding it; {@link Instant#MAX} for never
   * @return whether there was an entry
   */
  public boolean expireAt(K key, Instant expiresAt) {
    try (BlockHandle handle = entries.blocks().peek(entries.key(key))) {
      if (handle == null) {
        return false;
      }
      entries.blocks().store().expiry(handle.slot(), EntryTimes.millis(expiresAt));
      return true;
    }
  }
}
