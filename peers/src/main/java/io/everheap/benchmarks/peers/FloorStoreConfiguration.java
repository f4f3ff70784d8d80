package io.everheap.benchmarks.peers;

import org.infinispan.commons.configuration.BuiltBy;
import org.infinispan.commons.configuration.ConfigurationFor;
import org.infinispan.commons.configuration.attributes.AttributeSet;
import org.infinispan.configuration.cache.AbstractStoreConfiguration;
import org.infinispan.configuration.cache.AsyncStoreConfiguration;

/** The settings of a {@link FloorStore}: none of its own. */
@BuiltBy(FloorStoreConfigurationBuilder.class)
@ConfigurationFor(FloorStore.class)
public final class FloorStoreConfiguration
    extends AbstractStoreConfiguration<FloorStoreConfiguration> {
  FloorStoreConfiguration(AttributeSet attributes, AsyncStoreConfiguration async) {
    super(Element.FLOOR_STORE, attributes, async);
  }

  /** The element of files, as Infinispan wants it. */
  private enum Element {
    /** Its only one. */
    FLOOR_STORE;

    @Override
    public String toString() {
      return "floor-store";
    }
  }
}
