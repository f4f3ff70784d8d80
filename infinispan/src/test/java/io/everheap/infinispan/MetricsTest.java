package io.everheap.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.infinispan.Cache;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.health.HealthStatus;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.metrics.config.MicrometerMeterRegisterConfigurationBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Infinispan itself tells of the store: meters of Micrometer, and the health of caches. */
class MetricsTest {
  @TempDir Path directory;

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private DefaultCacheManager manager() {
    var global = new GlobalConfigurationBuilder().nonClusteredDefault();
    global.globalState().enable().persistentLocation(directory.toString());
    global.cacheContainer().statistics(true);
    global.metrics().gauges(true);
    global.addModule(MicrometerMeterRegisterConfigurationBuilder.class).meterRegistry(registry);
    return new DefaultCacheManager(global.build());
  }

  private static ConfigurationBuilder configuration() {
    ConfigurationBuilder configuration = Managers.cache(store -> {});
    configuration.statistics().enable();
    configuration.memory().maxCount(10);
    return configuration;
  }

  private double meter(String part) {
    String all =
        registry.getMeters().stream()
            .map(Meter::getId)
            .map(Meter.Id::getName)
            .sorted()
            .collect(Collectors.joining(" "));
    Meter found =
        registry.getMeters().stream()
            .filter(meter -> meter.getId().getName().endsWith(part))
            .findFirst()
            .orElseThrow(() -> new AssertionError("no meter " + part + " in " + all));
    return found instanceof FunctionCounter counter
        ? counter.count()
        : found.measure().iterator().next().getValue();
  }

  @Test
  void metersCountWhatTheStoreLoadsAndStores() throws Exception {
    try (var manager = manager()) {
      Cache<Integer, String> cache = Managers.define(manager, "orders", configuration().build());
      for (int i = 0; i < 100; i++) {
        cache.put(i, "value");
      }
      for (int i = 0; i < 100; i++) {
        assertThat(cache.get(i)).isEqualTo("value");
      }
      assertThat(meter("cache_store_writes_to_the_stores")).isEqualTo(100);
      assertThat(meter("cache_loader_cache_loader_loads")).isGreaterThanOrEqualTo(80);
    }
  }

  @Test
  void aHeapThatIsNotUsableMakesTheStoreUnavailable() throws Exception {
    try (var manager = manager()) {
      Cache<Integer, String> cache = Managers.define(manager, "orders", configuration().build());
      cache.put(1, "value");
      assertThat(manager.getHealth().getClusterHealth().getHealthStatus())
          .isEqualTo(HealthStatus.HEALTHY);
      assertThat(Managers.store(cache).isAvailable().toCompletableFuture().get()).isTrue();
      Managers.store(cache).heap().close();
      assertThat(Managers.store(cache).isAvailable().toCompletableFuture().get()).isFalse();
    }
  }
}
