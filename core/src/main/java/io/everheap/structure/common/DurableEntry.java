package io.everheap.structure.common;

import io.everheap.codec.WordCodec;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A key and the value that it had when an iterator saw it. {@link #setValue} writes through to the
 * map; later changes of the map do not show here. A key that is a word is decoded when it is asked
 * for: many loops use the values only.
 */
public final class DurableEntry<K, V> implements Map.Entry<K, V> {
  private final TransactionalMap<K, V> map;
  private final @Nullable WordCodec<K> codec;
  private final long word;
  private @Nullable K key; // null until it is decoded
  private V value;

  public DurableEntry(TransactionalMap<K, V> map, K key, V value) {
    this.map = map;
    this.codec = null;
    this.word = 0;
    this.key = key;
    this.value = value;
  }

  /** An entry whose key is the word of a codec. */
  public DurableEntry(TransactionalMap<K, V> map, WordCodec<K> codec, long word, V value) {
    this.map = map;
    this.codec = codec;
    this.word = word;
    this.value = value;
  }

  @Override
  public K getKey() {
    K known = key;
    if (known == null) {
      known = Objects.requireNonNull(codec).fromWord(word);
      key = known;
    }
    return known;
  }

  @Override
  public V getValue() {
    return value;
  }

  @Override
  public V setValue(V newValue) {
    V old = value;
    map.set(getKey(), newValue);
    value = newValue;
    return old;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Map.Entry<?, ?> entry
        && Contents.equal(getKey(), entry.getKey())
        && Contents.equal(value, entry.getValue());
  }

  @Override
  public int hashCode() {
    return Contents.hash(getKey()) ^ Contents.hash(value);
  }

  @Override
  public String toString() {
    return Contents.text(getKey()) + '=' + Contents.text(value);
  }
}
