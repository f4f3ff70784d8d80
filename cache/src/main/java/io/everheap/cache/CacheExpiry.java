package io.everheap.cache;

import io.everheap.stability.Stable;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tells how long each entry is valid. The times that follow from that are kept with the entries and
 * hold across restarts, by the system's clock.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 * @since 0.9
 */
@Stable
public interface CacheExpiry<K, V> {
  /**
   * Tells how long a new entry is valid.
   *
   * @param key of the entry
   * @param value of the entry
   * @return from now on; {@code null} for ever
   */
  @Nullable Duration afterCreate(K key, V value);

  /**
   * Tells how long an entry is valid whose value was replaced.
   *
   * @param key of the entry
   * @param value the new value
   * @return from now on; {@code null} for ever
   */
  default @Nullable Duration afterUpdate(K key, V value) {
    return afterCreate(key, value);
  }

  /**
   * Tells how long an entry is valid that was read. A change is stored at once.
   *
   * @param key of the entry
   * @param value of the entry
   * @return from now on; empty to change nothing
   */
  default Optional<Duration> afterRead(K key, V value) {
    return Optional.empty();
  }
}
