package io.everheap.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.beans.IntrospectionException;
import java.beans.Introspector;
import java.beans.PropertyDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The metadata that editors read are those of the properties. */
class HeapMetadataTest {
  @Test
  void eachPropertyIsDescribedWithItsType() throws IOException, IntrospectionException {
    Map<String, String> described = new TreeMap<>();
    Path file = Path.of("src/main/resources/META-INF/spring-configuration-metadata.json");
    try (InputStream in = Files.newInputStream(file)) {
      for (JsonNode each : new ObjectMapper().readTree(in).get("properties")) {
        assertThat(each.get("description").asText()).endsWith(".");
        described.put(each.get("name").asText(), each.get("type").asText().replaceAll("<.*", ""));
      }
    }
    Map<String, String> properties = new TreeMap<>();
    for (PropertyDescriptor each :
        Introspector.getBeanInfo(EverheapHeapProperties.class, Object.class)
            .getPropertyDescriptors()) {
      String type = each.getPropertyType().getName();
      properties.put(
          "everheap.heap." + each.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT),
          type);
    }
    assertThat(described).isEqualTo(properties);
  }
}
