package io.everheap.infinispan.configuration;

import io.everheap.infinispan.EverheapStore;
import io.everheap.stability.Evolving;
import org.infinispan.commons.configuration.BuiltBy;
import org.infinispan.commons.configuration.ConfigurationFor;
import org.infinispan.commons.configuration.attributes.AttributeDefinition;
import org.infinispan.commons.configuration.attributes.AttributeSet;
import org.infinispan.configuration.cache.AbstractStoreConfiguration;
import org.infinispan.configuration.cache.AsyncStoreConfiguration;
import org.infinispan.configuration.serializing.SerializedWith;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an {@link EverheapStore}.
 *
 * @since 0.9
 */
@BuiltBy(EverheapStoreConfigurationBuilder.class)
@ConfigurationFor(EverheapStore.class)
@SerializedWith(EverheapStoreSerializer.class)
@Evolving
public class EverheapStoreConfiguration
    extends AbstractStoreConfiguration<EverheapStoreConfiguration> {
  static final String ELEMENT = "everheap-store";

  /** See {@link #path}. */
  public static final AttributeDefinition<@Nullable String> PATH =
      AttributeDefinition.builder("path", null, String.class).immutable().build();

  /** See {@link #durability}. */
  public static final AttributeDefinition<StoreDurability> DURABILITY =
      AttributeDefinition.builder("durability", StoreDurability.SYNC).immutable().build();

  /** See {@link #syncInterval}. */
  public static final AttributeDefinition<Long> SYNC_INTERVAL =
      AttributeDefinition.builder("sync-interval", 1000L).immutable().build();

  /** See {@link #maxSize}. */
  public static final AttributeDefinition<Long> MAX_SIZE =
      AttributeDefinition.builder("max-size", 1L << 40).immutable().build();

  /** See {@link #logSize}. */
  public static final AttributeDefinition<Long> LOG_SIZE =
      AttributeDefinition.builder("log-size", 0L).immutable().build();

  /** Made by {@link EverheapStoreConfigurationBuilder#create}. */
  public EverheapStoreConfiguration(AttributeSet attributes, AsyncStoreConfiguration async) {
    super(Element.EVERHEAP_STORE, attributes, async);
  }

  /** The element of files, as Infinispan wants it. */
  enum Element {
    /** Its only one. */
    EVERHEAP_STORE;

    @Override
    public String toString() {
      return ELEMENT;
    }
  }

  /** The attributes of this store, with those that all stores have. */
  public static AttributeSet attributeDefinitionSet() {
    return new AttributeSet(
        EverheapStoreConfiguration.class,
        AbstractStoreConfiguration.attributeDefinitionSet(),
        PATH,
        DURABILITY,
        SYNC_INTERVAL,
        MAX_SIZE,
        LOG_SIZE);
  }

  /**
   * The directory of the heap, absolute or below the persistent location of the cache manager. All
   * caches that name the same one share the heap. If it is null, the cache has a heap of its own in
   * the directory {@code everheap} of the persistent location.
   */
  public @Nullable String path() {
    return attributes.attribute(PATH).get();
  }

  /** When a write is acknowledged. */
  public StoreDurability durability() {
    return attributes.attribute(DURABILITY).get();
  }

  /** The milliseconds between two syncs with {@link StoreDurability#ASYNC}. */
  public long syncInterval() {
    return attributes.attribute(SYNC_INTERVAL).get();
  }

  /** The most bytes that the heap takes, without its log. */
  public long maxSize() {
    return attributes.attribute(MAX_SIZE).get();
  }

  /** The bytes of the heap's log, or 0: see {@code HeapBuilder.logSize} and its default. */
  public long logSize() {
    return attributes.attribute(LOG_SIZE).get();
  }
}
