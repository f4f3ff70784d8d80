package io.everheap.benchmarks.peers;

import org.infinispan.configuration.cache.AbstractStoreConfiguration;
import org.infinispan.configuration.cache.AbstractStoreConfigurationBuilder;
import org.infinispan.configuration.cache.PersistenceConfigurationBuilder;

/** Builds the settings of a {@link FloorStore}. */
public final class FloorStoreConfigurationBuilder
    extends AbstractStoreConfigurationBuilder<
        FloorStoreConfiguration, FloorStoreConfigurationBuilder> {
  /** Made by {@code PersistenceConfigurationBuilder.addStore}. */
  public FloorStoreConfigurationBuilder(PersistenceConfigurationBuilder builder) {
    super(builder, AbstractStoreConfiguration.attributeDefinitionSet());
  }

  @Override
  public FloorStoreConfiguration create() {
    return new FloorStoreConfiguration(attributes.protect(), async.create());
  }

  @Override
  public FloorStoreConfigurationBuilder self() {
    return this;
  }
}
