package io.everheap.spring.boot;

import io.everheap.Heap;
import io.everheap.micrometer.HeapMetrics;
import io.everheap.stability.Stable;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Shows the health and the meters of the program's heap, whoever made that.
 *
 * @since 0.9
 */
@AutoConfiguration(after = EverheapHeapAutoConfiguration.class)
@ConditionalOnSingleCandidate(Heap.class)
@Stable
public class HeapMonitoringAutoConfiguration {
  /** For Spring Boot. */
  public HeapMonitoringAutoConfiguration() {}

  /** For programs with Boot's health. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(HealthIndicator.class)
  static class HealthConfiguration {
    @Bean
    @ConditionalOnEnabledHealthIndicator("everheap")
    @ConditionalOnMissingBean(name = "everheapHealthIndicator")
    HealthIndicator everheapHealthIndicator(Heap heap) {
      return new HeapHealthIndicator(heap);
    }
  }

  /** For programs with Micrometer: Boot binds it to its registries. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(MeterBinder.class)
  static class MetricsConfiguration {
    @Bean
    @ConditionalOnMissingBean
    HeapMetrics heapMetrics(Heap heap) {
      return new HeapMetrics(heap, heap.stats().location(), Tags.empty());
    }
  }
}
