package io.everheap.structure.common;

import java.util.AbstractMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The methods of a map that decide what to store, each one transaction: a function of the caller
 * runs inside of it, once, and may use the map.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public abstract class TransactionalMap<K, V> extends AbstractMap<K, V>
    implements ConcurrentMap<K, V> {
  private final EntryStore<V> store;

  /** A map of what is in a store. */
  protected TransactionalMap(EntryStore<V> store) {
    this.store = store;
  }

  /**
   * Encodes a key that may be added.
   *
   * @throws IllegalArgumentException if this map cannot have it
   */
  protected abstract Encoded added(K key);

  /** Encodes what may be a key; null if this map cannot have it. */
  protected abstract @Nullable Encoded found(@Nullable Object key);

  @Override
  public V getOrDefault(@Nullable Object key, V defaultValue) {
    V value = get(key);
    return value == null ? defaultValue : value;
  }

  /** Does what {@link #put} does, but does not decode the value that was there. */
  public void set(K key, V value) {
    if (store.mustBegin()) {
      store.inTransaction(
          () -> {
            set(key, value);
            return true;
          });
      return;
    }
    Encoded k = added(key);
    Encoded v = store.encodeValue(value);
    store.inTransaction(
        () -> {
          store.set(k, v);
          return true;
        });
  }

  @Override
  public @Nullable V putIfAbsent(K key, V value) {
    if (store.mustBegin()) {
      return store.inTransaction(() -> putIfAbsent(key, value));
    }
    Encoded k = added(key);
    Encoded v = store.encodeValue(value);
    V found = store.getEncoded(k);
    if (found != null) {
      store.awaitWhatWasSeen();
      return found;
    }
    return store.inTransaction(() -> store.add(k, v));
  }

  @Override
  public @Nullable V computeIfAbsent(
      K key, Function<? super K, ? extends @Nullable V> mappingFunction) {
    Objects.requireNonNull(mappingFunction, "mappingFunction");
    if (store.mustBegin()) {
      return store.inTransaction(() -> computeIfAbsent(key, mappingFunction));
    }
    Encoded k = added(key);
    V found = store.getEncoded(k);
    if (found != null) {
      store.awaitWhatWasSeen();
      return found;
    }
    return store.inTransaction(
        () -> {
          V present = store.present(k);
          if (present != null) {
            return present;
          }
          V value = mappingFunction.apply(key);
          if (value == null) {
            return null;
          }
          present = store.add(k, store.encodeValue(value)); // the function may have used this map
          return present == null ? value : present;
        });
  }

  @Override
  public @Nullable V computeIfPresent(
      K key, BiFunction<? super K, ? super V, ? extends @Nullable V> remappingFunction) {
    Objects.requireNonNull(remappingFunction, "remappingFunction");
    if (store.mustBegin()) {
      return store.inTransaction(() -> computeIfPresent(key, remappingFunction));
    }
    Encoded k = found(key);
    return k == null
        ? null
        : store.inTransaction(
            () -> {
              V old = store.present(k);
              return old == null ? null : setOrRemove(k, remappingFunction.apply(key, old));
            });
  }

  @Override
  public @Nullable V compute(
      K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> remappingFunction) {
    Objects.requireNonNull(remappingFunction, "remappingFunction");
    if (store.mustBegin()) {
      return store.inTransaction(() -> compute(key, remappingFunction));
    }
    Encoded k = added(key);
    return store.inTransaction(
        () -> setOrRemove(k, remappingFunction.apply(key, store.present(k))));
  }

  @Override
  public @Nullable V merge(
      K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> remappingFunction) {
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(remappingFunction, "remappingFunction");
    if (store.mustBegin()) {
      return store.inTransaction(() -> merge(key, value, remappingFunction));
    }
    Encoded k = added(key);
    return store.inTransaction(
        () -> {
          V old = store.present(k);
          return setOrRemove(k, old == null ? value : remappingFunction.apply(old, value));
        });
  }

  /** Ends a computation; the function may have used this map. */
  private @Nullable V setOrRemove(Encoded key, @Nullable V value) {
    if (value == null) {
      store.remove(key);
    } else {
      store.set(key, store.encodeValue(value));
    }
    return value;
  }

  @Override
  public boolean remove(@Nullable Object key, @Nullable Object value) {
    Encoded k = found(key);
    return k != null
        && value != null
        && store.inTransaction(
            () -> Contents.isSame(value, () -> store.present(k)) && store.remove(k));
  }

  @Override
  public @Nullable V replace(K key, V value) {
    if (store.mustBegin()) {
      return store.inTransaction(() -> replace(key, value));
    }
    Encoded v = store.encodeValue(value);
    Encoded k = found(key);
    return k == null
        ? null
        : store.inTransaction(
            () -> {
              V old = store.present(k);
              if (old != null) {
                store.set(k, v);
              }
              return old;
            });
  }

  @Override
  public boolean replace(K key, V oldValue, V newValue) {
    Objects.requireNonNull(oldValue, "oldValue");
    if (store.mustBegin()) {
      return store.inTransaction(() -> replace(key, oldValue, newValue));
    }
    Encoded v = store.encodeValue(newValue);
    Encoded k = found(key);
    return k != null
        && store.inTransaction(
            () -> {
              boolean same = Contents.isSame(oldValue, () -> store.present(k));
              if (same) {
                store.set(k, v);
              }
              return same;
            });
  }

  @Override
  public void putAll(Map<? extends K, ? extends V> entries) {
    store.inTransaction(
        () -> {
          entries.forEach((key, value) -> store.set(added(key), store.encodeValue(value)));
          return true;
        });
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return Contents.sameEntries(this, other);
  }

  @Override
  public int hashCode() {
    return Contents.hashOfAll(entrySet());
  }

  @Override
  public String toString() {
    return Contents.entries(this);
  }
}
