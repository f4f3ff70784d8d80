package io.everheap.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.everheap.engine.EngineOptions;
import java.beans.IntrospectionException;
import java.beans.Introspector;
import java.beans.PropertyDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.unit.DataSize;

/** The metadata that editors read are those of the properties. */
class HeapMetadataTest {
  private static final Path FILE =
      Path.of("src/main/resources/META-INF/spring-configuration-metadata.json");

  @Test
  void eachPropertyIsDescribedWithItsType() throws IOException, IntrospectionException {
    Map<String, String> described = new TreeMap<>();
    try (InputStream in = Files.newInputStream(FILE)) {
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

  @Test
  void defaultsAreThoseOfAHeap() throws IOException {
    Map<String, String> stated = new TreeMap<>();
    String logSize = "";
    try (InputStream in = Files.newInputStream(FILE)) {
      for (JsonNode each : new ObjectMapper().readTree(in).get("properties")) {
        String name = each.get("name").asText().replace("everheap.heap.", "");
        if (each.has("defaultValue")) {
          stated.put(name, each.get("defaultValue").asText());
        }
        logSize = name.equals("log-size") ? each.get("description").asText() : logSize;
      }
    }
    EngineOptions defaults = EngineOptions.defaults();
    assertThat(stated.keySet()).containsExactlyInAnyOrder("lock-timeout", "max-size", "must-exist");
    assertThat(DurationStyle.detectAndParse(stated.get("lock-timeout")))
        .isEqualTo(Duration.ofNanos(defaults.lockTimeoutNanos()));
    assertThat(DataSize.parse(stated.get("max-size")).toBytes()).isEqualTo(defaults.maxCapacity());
    assertThat(stated.get("must-exist"))
        .isEqualTo(String.valueOf(new EverheapHeapProperties().isMustExist()));
    assertThat(logSize)
        .contains(DataSize.ofBytes(defaults.logSize()).toMegabytes() + " MB at least")
        .contains(DataSize.ofBytes(defaults.maxLogSize()).toMegabytes() + " MB at most");
  }
}
