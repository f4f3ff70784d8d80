package io.everheap.spring;

import io.everheap.cache.DurableCache;
import io.everheap.stability.Stable;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.support.AbstractValueAdaptingCache;

/**
 * A cache of Spring on a durable one. Thread-safe. Each operation survives a kill when it returns.
 * Entries of earlier processes are found in the background when the cache is opened, for which the
 * opening of a small cache waits; they are misses until then.
 *
 * @since 0.9
 */
@Stable
public final class EverheapCache extends AbstractValueAdaptingCache {
  private final String name;
  private final DurableCache<Object, Object> durable;

  EverheapCache(String name, DurableCache<Object, Object> durable, boolean allowsNull) {
    super(allowsNull);
    this.name = name;
    this.durable = durable;
  }

  @Override
  public String getName() {
    return name;
  }

  @Override
  public DurableCache<Object, Object> getNativeCache() {
    return durable;
  }

  @Override
  protected @Nullable Object lookup(Object key) {
    return durable.getIfPresent(key);
  }

  /**
   * Returns the value of a key. Spring's own method says the text of a value of another type.
   *
   * @param <T> the type of the value
   * @param key its key
   * @param type what the value must be; null for any
   * @return the value, or null
   * @throws IllegalStateException if the value is of another type
   */
  @Override
  @SuppressWarnings("unchecked") // checked, or any
  public <T> @Nullable T get(Object key, @Nullable Class<T> type) {
    Object value = fromStoreValue(lookup(key));
    if (value != null && type != null && !type.isInstance(value)) {
      throw new IllegalStateException(
          "the cached value is a " + value.getClass().getName() + ", not a " + type.getName());
    }
    return (T) value;
  }

  /**
   * Returns the value of a key, loaded if it is missing. Of several threads that ask at the same
   * time one loads, and the others wait for its result.
   *
   * @param <T> the type of the value
   * @param key its key
   * @param valueLoader makes the value
   * @return the value
   * @throws ValueRetrievalException if the loader throws
   */
  @Override
  @SuppressWarnings("unchecked") // the program's cast
  public <T> @Nullable T get(Object key, Callable<T> valueLoader) {
    return (T)
        fromStoreValue(
            durable.get(
                key,
                missing -> {
                  try {
                    return toStoreValue(valueLoader.call());
                  } catch (Exception e) {
                    throw new ValueRetrievalException(missing, valueLoader, e);
                  }
                }));
  }

  @Override
  public @Nullable CompletableFuture<?> retrieve(Object key) {
    try {
      Object found = lookup(key);
      return found == null ? null : CompletableFuture.completedFuture(toValueWrapper(found));
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /**
   * Returns the value of a key to come, loaded if it is missing; once, however many ask.
   *
   * @param <T> the type of the value
   * @param key its key
   * @param valueLoader makes the value
   * @return completes with the value, or with what the loader's future failed with
   */
  @Override
  @SuppressWarnings("unchecked") // the program's cast
  public <T> CompletableFuture<T> retrieve(Object key, Supplier<CompletableFuture<T>> valueLoader) {
    return (CompletableFuture<T>)
        durable
            .getAsync(key, missing -> toStoreValue(valueLoader.get().join()))
            .thenApply(this::fromStoreValue)
            .exceptionallyCompose(
                failure ->
                    CompletableFuture.failedFuture(
                        failure instanceof CompletionException && failure.getCause() != null
                            ? failure.getCause()
                            : failure));
  }

  @Override
  public void put(Object key, @Nullable Object value) {
    durable.put(key, toStoreValue(value));
  }

  @Override
  public @Nullable ValueWrapper putIfAbsent(Object key, @Nullable Object value) {
    return toValueWrapper(durable.putIfAbsent(key, toStoreValue(value)));
  }

  @Override
  public void evict(Object key) {
    durable.invalidate(key);
  }

  @Override
  public boolean evictIfPresent(Object key) {
    return durable.asMap().remove(Objects.requireNonNull(key, "key")) != null;
  }

  @Override
  public void clear() {
    durable.invalidateAll();
  }

  @Override
  public boolean invalidate() {
    boolean held = !durable.asMap().isEmpty();
    clear();
    return held;
  }
}
