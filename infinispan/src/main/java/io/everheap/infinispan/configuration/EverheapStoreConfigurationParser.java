package io.everheap.infinispan.configuration;

import io.everheap.stability.Evolving;
import java.time.Duration;
import org.infinispan.commons.configuration.io.ConfigurationReader;
import org.infinispan.configuration.parsing.CacheParser;
import org.infinispan.configuration.parsing.ConfigurationBuilderHolder;
import org.infinispan.configuration.parsing.ConfigurationParser;
import org.infinispan.configuration.parsing.Namespace;
import org.infinispan.configuration.parsing.ParseUtils;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code everheap-store} elements of XML files, and their likes in JSON and YAML.
 *
 * @since 0.9
 */
@Namespace(root = EverheapStoreConfiguration.ELEMENT)
@Namespace(
    uri = EverheapStoreConfigurationParser.NAMESPACE + "*",
    root = EverheapStoreConfiguration.ELEMENT,
    since = "16.0")
@Evolving
public class EverheapStoreConfigurationParser implements ConfigurationParser {
  static final String NAMESPACE = "urn:everheap:infinispan:";

  /** Made by the service loader. */
  public EverheapStoreConfigurationParser() {}

  @Override
  public void readElement(ConfigurationReader reader, ConfigurationBuilderHolder holder) {
    if (!reader.getLocalName().equals(EverheapStoreConfiguration.ELEMENT)) {
      throw ParseUtils.unexpectedElement(reader);
    }
    var builder =
        holder
            .getCurrentConfigurationBuilder()
            .persistence()
            .addStore(EverheapStoreConfigurationBuilder.class);
    String path = null;
    String relativeTo = null;
    for (int i = 0; i < reader.getAttributeCount(); i++) {
      ParseUtils.requireNoNamespaceAttribute(reader, i);
      switch (reader.getAttributeName(i)) {
        case "path" -> path = reader.getAttributeValue(i);
        case "relative-to" -> relativeTo = ParseUtils.requireAttributeProperty(reader, i);
        default -> readAttribute(reader, i, builder);
      }
    }
    String resolved = resolve(path, relativeTo);
    if (resolved != null) {
      builder.path(resolved);
    }
    while (reader.inTag()) {
      CacheParser.parseStoreElement(reader, builder);
    }
  }

  private static @Nullable String resolve(@Nullable String path, @Nullable String relativeTo) {
    return path == null ? relativeTo : ParseUtils.resolvePath(path, relativeTo);
  }

  private static void readAttribute(
      ConfigurationReader reader, int index, EverheapStoreConfigurationBuilder builder) {
    String value = reader.getAttributeValue(index);
    try {
      switch (reader.getAttributeName(index)) {
        case "durability" -> builder.durability(StoreDurability.named(value));
        case "sync-interval" -> builder.syncInterval(Duration.ofMillis(Long.parseLong(value)));
        case "max-size" -> builder.maxSize(Long.parseLong(value));
        case "log-size" -> builder.logSize(Long.parseLong(value));
        default -> CacheParser.parseStoreAttribute(reader, index, builder);
      }
    } catch (IllegalArgumentException e) {
      throw ParseUtils.invalidAttributeValue(reader, index);
    }
  }

  @Override
  public Namespace[] getNamespaces() {
    return ParseUtils.getNamespaceAnnotations(getClass());
  }
}
