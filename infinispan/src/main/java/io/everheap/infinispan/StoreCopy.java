package io.everheap.infinispan;

import io.everheap.stability.Evolving;
import io.reactivex.rxjava3.core.Flowable;
import java.util.List;
import org.infinispan.Cache;
import org.infinispan.context.Flag;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.persistence.manager.PersistenceManager;
import org.infinispan.persistence.manager.PersistenceManager.AccessMode;
import org.infinispan.persistence.spi.MarshallableEntry;
import org.infinispan.persistence.spi.MarshallableEntryFactory;

/**
 * Copies what the stores of one cache hold to those of another one, whatever kinds of stores they
 * are, with the times at which entries expire. Infinispan's own migrator knows its own stores only,
 * and copies no times.
 *
 * @since 0.9
 */
@Evolving
public final class StoreCopy {
  private static final int AT_ONCE = 100;

  private StoreCopy() {}

  /**
   * Copies the entries of this process: of a cluster, run it on each node. Entries that are in the
   * memory of the first cache alone, as passivation leaves them there, are not copied. Nor are
   * those that {@link EverheapStore#undecodable} lists.
   *
   * @param from nothing changes it meanwhile
   * @param to is empty in this process, and its stores are neither transactional nor read-only:
   *     Infinispan would not write to them
   * @return the number of entries
   * @throws IllegalArgumentException if the second cache is not so
   */
  public static <K, V> long copy(Cache<K, V> from, Cache<K, V> to) {
    if (to.getCacheConfiguration().persistence().stores().stream()
        .anyMatch(store -> store.transactional() || store.ignoreModifications())) {
      throw new IllegalArgumentException(
          "a store of the cache '"
              + to.getName()
              + "' is transactional or read-only, so nothing would be copied: configure it without"
              + " that for the time of copying");
    }
    if (!to.getAdvancedCache().withFlags(Flag.CACHE_MODE_LOCAL).isEmpty()) {
      throw new IllegalArgumentException(
          "the cache '" + to.getName() + "' is not empty: its entries would be mixed with others");
    }
    PersistenceManager source = ComponentRegistry.componentOf(from, PersistenceManager.class);
    PersistenceManager target = ComponentRegistry.componentOf(to, PersistenceManager.class);
    MarshallableEntryFactory<K, V> factory = factory(to);
    return Flowable.fromPublisher(source.<K, V>publishEntries(true, true))
        .map(entry -> copy(entry, factory))
        .buffer(AT_ONCE)
        .map(entries -> write(entries, target))
        .blockingStream()
        .mapToLong(count -> count)
        .sum();
  }

  @SuppressWarnings("unchecked") // a cache has one factory, of its own types
  private static <K, V> MarshallableEntryFactory<K, V> factory(Cache<K, V> cache) {
    return ComponentRegistry.componentOf(cache, MarshallableEntryFactory.class);
  }

  private static <K, V> MarshallableEntry<K, V> copy(
      MarshallableEntry<K, V> entry, MarshallableEntryFactory<K, V> factory) {
    return factory.create(
        entry.getKey(),
        entry.getValue(),
        entry.getMetadata(),
        entry.getInternalMetadata(),
        entry.created(),
        entry.lastUsed());
  }

  private static <K, V> long write(List<MarshallableEntry<K, V>> entries, PersistenceManager to) {
    to.writeEntries(entries, AccessMode.BOTH).toCompletableFuture().join();
    return entries.size();
  }
}
