package io.everheap.infinispan.configuration;

import io.everheap.stability.Evolving;
import org.infinispan.commons.configuration.io.ConfigurationWriter;
import org.infinispan.commons.util.Version;
import org.infinispan.configuration.serializing.AbstractStoreSerializer;
import org.infinispan.configuration.serializing.ConfigurationSerializer;

/**
 * Writes what {@link EverheapStoreConfigurationParser} reads.
 *
 * @since 0.9
 */
@Evolving
public class EverheapStoreSerializer extends AbstractStoreSerializer
    implements ConfigurationSerializer<EverheapStoreConfiguration> {
  /** Made by Infinispan. */
  public EverheapStoreSerializer() {}

  @Override
  public void serialize(ConfigurationWriter writer, EverheapStoreConfiguration configuration) {
    writer.writeStartElement(EverheapStoreConfiguration.ELEMENT);
    writer.writeDefaultNamespace(
        EverheapStoreConfigurationParser.NAMESPACE + Version.getMajorMinor());
    configuration.attributes().write(writer);
    writeCommonStoreSubAttributes(writer, configuration);
    writeCommonStoreElements(writer, configuration);
    writer.writeEndElement();
  }
}
