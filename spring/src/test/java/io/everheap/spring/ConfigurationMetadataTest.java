package io.everheap.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.beans.IntrospectionException;
import java.beans.Introspector;
import java.beans.PropertyDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The metadata that editors read are those of the properties. */
class ConfigurationMetadataTest {
  @Test
  void eachPropertyIsDescribedWithItsType() throws IOException, IntrospectionException {
    Map<String, String> described = new TreeMap<>();
    try (InputStream in =
        getClass().getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
      for (JsonNode each : new ObjectMapper().readTree(in).get("properties")) {
        assertThat(each.get("description").asText()).endsWith(".");
        described.put(each.get("name").asText(), each.get("type").asText().replaceAll("<.*", ""));
      }
    }
    Map<String, String> properties = new TreeMap<>();
    for (PropertyDescriptor each :
        Introspector.getBeanInfo(EverheapCacheProperties.class, Object.class)
            .getPropertyDescriptors()) {
      String type = each.getPropertyType().getName();
      properties.put(
          "everheap.cache." + each.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT),
          type.equals("boolean") ? "java.lang.Boolean" : type);
    }
    assertThat(described).isEqualTo(properties);
  }

  @Test
  void defaultsAreThoseOfACache() throws IOException {
    Map<String, String> stated = new TreeMap<>();
    try (InputStream in =
        getClass().getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
      for (JsonNode each : new ObjectMapper().readTree(in).get("properties")) {
        if (each.has("defaultValue")) {
          stated.put(
              each.get("name").asText().replace("everheap.cache.", ""),
              each.get("defaultValue").asText());
        }
      }
    }
    assertThat(stated)
        .containsOnly(
            Map.entry("allow-null-values", "true"),
            Map.entry("capacity", EverheapCacheOptions.DEFAULT_CAPACITY.toMegabytes() + "MB"),
            Map.entry("policy", "s3-fifo"),
            Map.entry("strict", "false"));
    assertThat(new EverheapCacheProperties().isAllowNullValues()).isTrue();
  }
}
