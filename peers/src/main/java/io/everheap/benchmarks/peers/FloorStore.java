package io.everheap.benchmarks.peers;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.infinispan.commons.configuration.ConfiguredBy;
import org.infinispan.commons.util.IntSet;
import org.infinispan.commons.util.concurrent.CompletableFutures;
import org.infinispan.persistence.spi.InitializationContext;
import org.infinispan.persistence.spi.MarshallableEntry;
import org.infinispan.persistence.spi.MarshallableEntryFactory;
import org.infinispan.persistence.spi.MarshalledValue;
import org.infinispan.persistence.spi.NonBlockingStore;
import org.jspecify.annotations.Nullable;

/**
 * The least that a store of Infinispan does: it marshals values and keeps the bytes in a map of the
 * Java heap. Nothing survives the process. What a cache on it takes is the share of Infinispan.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
@ConfiguredBy(FloorStoreConfiguration.class)
public final class FloorStore<K, V> implements NonBlockingStore<K, V> {
  private final Map<Object, MarshalledValue> values = new ConcurrentHashMap<>();
  private @Nullable MarshallableEntryFactory<K, V> factory;

  /** Made by Infinispan. */
  public FloorStore() {}

  @Override
  public CompletionStage<Void> start(InitializationContext context) {
    factory = context.getMarshallableEntryFactory();
    return CompletableFutures.completedNull();
  }

  @Override
  public CompletionStage<Void> stop() {
    return CompletableFutures.completedNull();
  }

  @Override
  public Set<Characteristic> characteristics() {
    return EnumSet.of(Characteristic.SEGMENTABLE);
  }

  @Override
  public CompletionStage<Void> addSegments(IntSet segments) {
    return CompletableFutures.completedNull();
  }

  @Override
  public CompletionStage<Void> removeSegments(IntSet segments) {
    return CompletableFutures.completedNull();
  }

  @Override
  public CompletionStage<@Nullable MarshallableEntry<K, V>> load(int segment, Object key) {
    MarshalledValue value = values.get(key);
    MarshallableEntryFactory<K, V> made = factory;
    return value == null || made == null
        ? CompletableFutures.completedNull()
        : CompletableFuture.completedFuture(made.create(key, value));
  }

  @Override
  public CompletionStage<Void> write(
      int segment, MarshallableEntry<? extends K, ? extends V> entry) {
    values.put(entry.getKey(), entry.getMarshalledValue());
    return CompletableFutures.completedNull();
  }

  @Override
  public CompletionStage<Boolean> delete(int segment, Object key) {
    return CompletableFutures.booleanStage(values.remove(key) != null);
  }

  @Override
  public CompletionStage<Void> clear() {
    values.clear();
    return CompletableFutures.completedNull();
  }
}
