package io.everheap.jcache;

import io.everheap.cache.CacheExpiry;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ExpiryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * When entries expire, as a policy of the program tells. A policy that throws is one that tells
 * nothing: a new entry does not expire then, and another one when it would have.
 */
final class Expiry<K, V> implements CacheExpiry<K, V> {
  private static final System.Logger LOG = System.getLogger(Expiry.class.getName());

  private final ExpiryPolicy policy;

  Expiry(ExpiryPolicy policy) {
    this.policy = policy;
  }

  ExpiryPolicy policy() {
    return policy;
  }

  /** When an entry expires that is made now; now or earlier if it is not to be made. */
  Instant afterCreation(Instant now) {
    Duration time = ask(policy::getExpiryForCreation);
    return time == null ? Instant.MAX : after(time, now);
  }

  /** When an entry expires that is changed now; null if as before. */
  @Nullable Instant afterUpdate(Instant now) {
    Duration time = ask(policy::getExpiryForUpdate);
    return time == null ? null : after(time, now);
  }

  /** When an entry expires that is read now; null if as before. */
  @Nullable Instant afterAccess(Instant now) {
    Duration time = ask(policy::getExpiryForAccess);
    return time == null ? null : after(time, now);
  }

  private static @Nullable Duration ask(Supplier<@Nullable Duration> question) {
    try {
      return question.get();
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "an expiry policy failed", e);
      return null;
    }
  }

  private static Instant after(Duration time, Instant now) {
    if (time.isEternal()) {
      return Instant.MAX;
    }
    try {
      return now.plusMillis(millis(time));
    } catch (ArithmeticException | java.time.DateTimeException e) {
      return Instant.MAX;
    }
  }

  @Override
  public java.time.@Nullable Duration afterCreate(K key, V value) {
    throw new UnsupportedOperationException("entries are put with their times");
  }

  @Override
  public Optional<java.time.Duration> afterRead(K key, V value) {
    Duration time = ask(policy::getExpiryForAccess);
    if (time == null) {
      return Optional.empty();
    }
    return Optional.of(
        java.time.Duration.ofMillis(time.isEternal() ? Long.MAX_VALUE : millis(time)));
  }

  private static long millis(Duration time) {
    return time.getTimeUnit().toMillis(time.getDurationAmount());
  }
}
