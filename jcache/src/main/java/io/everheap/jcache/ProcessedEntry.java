package io.everheap.jcache;

import javax.cache.processor.MutableEntry;
import org.jspecify.annotations.Nullable;

/** An entry while a processor has it: what it does is noted, and done when it returns. */
final class ProcessedEntry<K, V> implements MutableEntry<K, V> {
  /** What is to be done. */
  enum Outcome {
    /** Nothing. */
    NONE,

    /** It was read. */
    USED,

    /** It was missing, and was loaded. */
    LOADED,

    /** It got a value. */
    SET,

    /** It was removed. */
    REMOVED
  }

  private final Core<K, V> core;
  private final K key;
  private final boolean existed;
  private @Nullable V value;
  private Outcome outcome = Outcome.NONE;

  ProcessedEntry(Core<K, V> core, K key, @Nullable V value) {
    this.core = core;
    this.key = key;
    this.value = value;
    this.existed = value != null;
  }

  Outcome outcome() {
    return outcome;
  }

  /** The value as the processor left it. */
  @Nullable V current() {
    return value;
  }

  @Override
  public K getKey() {
    return key;
  }

  @Override
  public boolean exists() {
    return value != null;
  }

  @Override
  public @Nullable V getValue() {
    if (outcome == Outcome.NONE) {
      if (existed) {
        outcome = Outcome.USED;
      } else if (value == null && core.sources().readsThrough()) {
        V loaded = core.sources().load(key);
        if (loaded != null) {
          value = core.value(loaded);
          outcome = Outcome.LOADED;
        }
      }
    }
    return value;
  }

  @Override
  public void setValue(V given) {
    value = core.value(given);
    outcome = Outcome.SET;
  }

  @Override
  public void remove() {
    // An entry that the processor made itself was never there.
    boolean isOwn = !existed && (outcome == Outcome.SET || outcome == Outcome.LOADED);
    value = null;
    outcome = isOwn ? Outcome.NONE : Outcome.REMOVED;
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    throw new IllegalArgumentException("an entry is no " + type.getName());
  }
}
