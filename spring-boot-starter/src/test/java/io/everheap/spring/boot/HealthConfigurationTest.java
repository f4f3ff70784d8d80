package io.everheap.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.replication.Primary;
import io.everheap.spring.EverheapCacheManager;
import io.everheap.support.tier.Campaign;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Heap, caches and replication of a program are shown by the indicators of Spring Boot. */
@Campaign
class HealthConfigurationTest {
  @TempDir private Path directory;

  /** The program. */
  @Configuration
  @EnableCaching
  @EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
  static class Application {
    @Bean
    Primary primary(Heap heap) {
      return Primary.of(heap).open();
    }
  }

  private ConfigurableApplicationContext start(Map<String, Object> more) {
    return new SpringApplicationBuilder(Application.class)
        .web(WebApplicationType.NONE)
        .properties(
            Map.of(
                "everheap.heap.directory", directory.resolve("heap").toString(),
                "everheap.cache.directory", directory.resolve("caches").toString()))
        .properties(more)
        .run();
  }

  @Test
  void eachPartHasAnIndicatorThatCanBeTurnedOff() {
    try (var context = start(Map.of())) {
      assertThat(context.getBean(EverheapCacheManager.class)).isNotNull();
      Map<String, HealthIndicator> indicators = indicators(context);
      assertThat(indicators)
          .containsOnlyKeys(
              "everheapHealthIndicator",
              "everheapCacheHealthIndicator",
              "everheapReplicationHealthIndicator");
      assertThat(indicators.values())
          .allSatisfy(each -> assertThat(each.health().getStatus()).isEqualTo(Status.UP));
    }
    try (var context =
        start(
            Map.of(
                "management.health.everheap.enabled", "false",
                "management.health.everheap-cache.enabled", "false",
                "management.health.everheap-replication.enabled", "false"))) {
      assertThat(indicators(context)).isEmpty();
    }
  }

  /** Those of this library. */
  private static Map<String, HealthIndicator> indicators(ConfigurableApplicationContext context) {
    Map<String, HealthIndicator> all = new TreeMap<>(context.getBeansOfType(HealthIndicator.class));
    all.keySet().removeIf(name -> !name.startsWith("everheap"));
    return all;
  }
}
