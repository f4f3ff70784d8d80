package io.everheap.spring.boot;

import io.everheap.spring.EverheapCacheManager;
import java.util.List;
import java.util.Map;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Up while all open caches accept changes; down with the reason of each that does not. Thread-safe.
 */
final class CacheHealthIndicator extends AbstractHealthIndicator {
  private final List<EverheapCacheManager> managers;

  CacheHealthIndicator(List<EverheapCacheManager> managers) {
    super("the state of the caches cannot be read");
    this.managers = managers;
  }

  @Override
  protected void doHealthCheck(Health.Builder health) {
    health.up();
    for (EverheapCacheManager manager : managers) {
      for (Map.Entry<String, RuntimeException> each : manager.writeRefusals().entrySet()) {
        health.down().withDetail(each.getKey(), each.getValue().toString());
      }
    }
  }
}
