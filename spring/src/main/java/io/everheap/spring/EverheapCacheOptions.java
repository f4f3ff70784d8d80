package io.everheap.spring;

import io.everheap.cache.EvictionPolicy;
import io.everheap.stability.Stable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/**
 * What a cache of Spring has: how much it takes, which entries make room, when they expire. What is
 * not set, {@code null}, is that of all caches of the manager, or the default. A bean, so that
 * Spring Boot can bind it. Not thread-safe.
 *
 * @since 0.9
 */
@Stable
public class EverheapCacheOptions {
  static final DataSize DEFAULT_CAPACITY = DataSize.ofMegabytes(64);

  private @Nullable DataSize capacity;
  private @Nullable EvictionPolicy policy;
  private @Nullable Duration timeToLive;
  private @Nullable Duration timeToIdle;
  private @Nullable Boolean strict;
  private @Nullable String key;
  private @Nullable String serialFilter;

  /** With nothing set. */
  public EverheapCacheOptions() {}

  /**
   * Returns how much the cache takes on its medium.
   *
   * @return the most, with everything that belongs to it; 64 MB by default
   */
  public @Nullable DataSize getCapacity() {
    return capacity;
  }

  /**
   * Sets how much the cache takes on its medium, with everything that belongs to it. An entry is
   * smaller than a 32nd of that, and than 16 MB.
   *
   * @param most the most
   */
  public void setCapacity(@Nullable DataSize most) {
    capacity = most;
  }

  /**
   * Returns which entry makes room.
   *
   * @return the policy; {@link EvictionPolicy#S3_FIFO} by default
   */
  public @Nullable EvictionPolicy getPolicy() {
    return policy;
  }

  /**
   * Sets which entry makes room.
   *
   * @param which the policy
   */
  public void setPolicy(@Nullable EvictionPolicy which) {
    policy = which;
  }

  /**
   * Returns how long entries are valid after they were put.
   *
   * @return the time; for ever by default
   */
  public @Nullable Duration getTimeToLive() {
    return timeToLive;
  }

  /**
   * Sets how long entries are valid after they were put, restarts and kills included.
   *
   * @param time positive
   */
  public void setTimeToLive(@Nullable Duration time) {
    timeToLive = time;
  }

  /**
   * Returns how long entries are valid after they were read or put.
   *
   * @return the time; for ever by default
   */
  public @Nullable Duration getTimeToIdle() {
    return timeToIdle;
  }

  /**
   * Sets how long entries are valid after they were read or put, restarts and kills included.
   *
   * @param time positive
   */
  public void setTimeToIdle(@Nullable Duration time) {
    timeToIdle = time;
  }

  /**
   * Tells whether removals and replacements are durable when they return, even if the power is
   * lost.
   *
   * @return whether they are; not by default: then a power loss takes what happened since the last
   *     sync, a second at most, and a kill takes nothing
   */
  public @Nullable Boolean getStrict() {
    return strict;
  }

  /**
   * Sets whether removals and replacements are durable when they return, even if the power is lost.
   *
   * @param isStrict whether they are
   */
  public void setStrict(@Nullable Boolean isStrict) {
    strict = isStrict;
  }

  /**
   * Returns where the key of an encrypted cache comes from.
   *
   * @return {@code file:PATH}, {@code env:VARIABLE} or {@code command:PROGRAM}; not encrypted by
   *     default
   */
  public @Nullable String getKey() {
    return key;
  }

  /**
   * Encrypts the cache when it is made, and says where the key of an encrypted one comes from; see
   * {@link io.everheap.encryption.KeyProvider#from}.
   *
   * @param source {@code file:PATH}, {@code env:VARIABLE} or {@code command:PROGRAM}
   */
  public void setKey(@Nullable String source) {
    key = source;
  }

  /**
   * Returns which classes the keys and values of the cache may have besides those of the JDK.
   *
   * @return patterns as those of {@link java.io.ObjectInputFilter.Config#createFilter}
   */
  public @Nullable String getSerialFilter() {
    return serialFilter;
  }

  /**
   * Sets which classes the keys and values of the cache may have, such as {@code
   * com.example.shop.**}. Values and collections of the JDK are allowed, and in a program of Spring
   * Boot the classes of its packages. Others are refused, as {@link
   * io.everheap.cache.codec.CacheCodecs} says.
   *
   * @param patterns as those of {@link java.io.ObjectInputFilter.Config#createFilter}, separated by
   *     semicolons; {@code !} before one rejects its classes
   */
  public void setSerialFilter(@Nullable String patterns) {
    serialFilter = patterns;
  }

  /** These, and of the others what is not set here. */
  EverheapCacheOptions or(EverheapCacheOptions others) {
    var both = new EverheapCacheOptions();
    both.capacity = capacity != null ? capacity : others.capacity;
    both.policy = policy != null ? policy : others.policy;
    both.timeToLive = timeToLive != null ? timeToLive : others.timeToLive;
    both.timeToIdle = timeToIdle != null ? timeToIdle : others.timeToIdle;
    both.strict = strict != null ? strict : others.strict;
    both.key = key != null ? key : others.key;
    both.serialFilter = serialFilter != null ? serialFilter : others.serialFilter;
    return both;
  }
}
