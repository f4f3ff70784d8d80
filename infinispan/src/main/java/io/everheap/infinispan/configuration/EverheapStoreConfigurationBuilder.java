package io.everheap.infinispan.configuration;

import static io.everheap.infinispan.configuration.EverheapStoreConfiguration.DURABILITY;
import static io.everheap.infinispan.configuration.EverheapStoreConfiguration.LOG_SIZE;
import static io.everheap.infinispan.configuration.EverheapStoreConfiguration.MAX_SIZE;
import static io.everheap.infinispan.configuration.EverheapStoreConfiguration.PATH;
import static io.everheap.infinispan.configuration.EverheapStoreConfiguration.SYNC_INTERVAL;

import io.everheap.stability.Evolving;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.infinispan.commons.CacheConfigurationException;
import org.infinispan.configuration.cache.AbstractStoreConfiguration;
import org.infinispan.configuration.cache.AbstractStoreConfigurationBuilder;
import org.infinispan.configuration.cache.PersistenceConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfiguration;
import org.infinispan.persistence.PersistenceUtil;

/**
 * Settings of the store in a program:
 *
 * <pre>{@code
 * new ConfigurationBuilder()
 *     .persistence()
 *     .addStore(EverheapStoreConfigurationBuilder.class)
 *     .path("orders");
 * }</pre>
 *
 * @since 0.9
 */
@Evolving
public class EverheapStoreConfigurationBuilder
    extends AbstractStoreConfigurationBuilder<
        EverheapStoreConfiguration, EverheapStoreConfigurationBuilder> {
  private static final long LEAST_MAX_SIZE = 2L << 20;
  private static final long MOST_MAX_SIZE = 16L << 40;
  private static final long LEAST_LOG_SIZE = 16L << 20;

  /** Made by {@code PersistenceConfigurationBuilder.addStore}. */
  public EverheapStoreConfigurationBuilder(PersistenceConfigurationBuilder builder) {
    super(builder, EverheapStoreConfiguration.attributeDefinitionSet());
  }

  /**
   * The directory of the heap, which all caches that name it share; see {@link
   * EverheapStoreConfiguration#path}.
   */
  public EverheapStoreConfigurationBuilder path(String path) {
    attributes.attribute(PATH).set(path);
    return this;
  }

  /** When a write is acknowledged; {@link StoreDurability#SYNC} by default. */
  public EverheapStoreConfigurationBuilder durability(StoreDurability durability) {
    attributes.attribute(DURABILITY).set(durability);
    return this;
  }

  /** The time between two syncs with {@link StoreDurability#ASYNC}; a second by default. */
  public EverheapStoreConfigurationBuilder syncInterval(Duration interval) {
    attributes.attribute(SYNC_INTERVAL).set(TimeUnit.MILLISECONDS.convert(interval));
    return this;
  }

  /** The most bytes that the heap takes, 2 MiB to 16 TiB; 1 TiB by default. */
  public EverheapStoreConfigurationBuilder maxSize(long bytes) {
    attributes.attribute(MAX_SIZE).set(bytes);
    return this;
  }

  /**
   * The bytes of the heap's log, at least 16 MiB; or 0, the default: half of the heap's size, but
   * 64 MiB at least and 512 MiB at most.
   */
  public EverheapStoreConfigurationBuilder logSize(long bytes) {
    attributes.attribute(LOG_SIZE).set(bytes);
    return this;
  }

  @Override
  public void validate() {
    if (attributes.attribute(AbstractStoreConfiguration.SHARED).get()) {
      throw refused(
          "shared=\"true\" is not possible: a heap belongs to one process, so each node has its"
              + " own store; remove the attribute");
    }
    super.validate();
    if (attributes.attribute(AbstractStoreConfiguration.TRANSACTIONAL).get()
        && getBuilder().clustering().cacheMode().isClustered()) {
      throw refused(
          "transactional=\"true\" is not possible in a clustered cache: Infinispan prepares a"
              + " transaction in the store of its own node only, which has to be shared for that;"
              + " without the attribute each node stores a transaction as one batch");
    }
    long interval = attributes.attribute(SYNC_INTERVAL).get();
    if (interval < 1 || interval > Duration.ofHours(1).toMillis()) {
      throw refused("sync-interval is 1 to 3600000 milliseconds, not " + interval);
    }
    long maxSize = attributes.attribute(MAX_SIZE).get();
    if (maxSize < LEAST_MAX_SIZE || maxSize > MOST_MAX_SIZE) {
      throw refused("max-size is 2 MiB to 16 TiB, not " + maxSize + " bytes");
    }
    long logSize = attributes.attribute(LOG_SIZE).get();
    if (logSize != 0 && logSize < LEAST_LOG_SIZE) {
      throw refused("log-size is at least 16 MiB, not " + logSize + " bytes");
    }
  }

  @Override
  public void validate(GlobalConfiguration global) {
    PersistenceUtil.validateGlobalStateStoreLocation(
        global, EverheapStoreConfiguration.ELEMENT, attributes.attribute(PATH));
    super.validate(global);
  }

  private static CacheConfigurationException refused(String reason) {
    return new CacheConfigurationException(EverheapStoreConfiguration.ELEMENT + ": " + reason);
  }

  @Override
  public EverheapStoreConfiguration create() {
    return new EverheapStoreConfiguration(attributes.protect(), async.create());
  }

  @Override
  public EverheapStoreConfigurationBuilder self() {
    return this;
  }
}
