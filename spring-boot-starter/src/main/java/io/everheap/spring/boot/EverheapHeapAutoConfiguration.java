package io.everheap.spring.boot;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.HeapBuilder;
import io.everheap.micrometer.HeapMetrics;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.TransactionManager;

/**
 * Opens the heap that {@code everheap.heap.directory} names, and closes it with the context; makes
 * it the transaction manager unless there is one, and shows its health and meters.
 */
@AutoConfiguration(
    beforeName = {
      "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration",
      "org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration"
    })
@ConditionalOnProperty("everheap.heap.directory")
@EnableConfigurationProperties(EverheapHeapProperties.class)
public class EverheapHeapAutoConfiguration {
  /** For Spring Boot. */
  public EverheapHeapAutoConfiguration() {}

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  Heap heap(EverheapHeapProperties given, ObjectProvider<HeapBuilderCustomizer> customizers) {
    HeapBuilder builder =
        Heap.builder(Objects.requireNonNull(given.getDirectory(), "everheap.heap.directory"));
    set(given.getAsyncInterval(), interval -> builder.durability(Durability.async(interval)));
    set(given.getMaxSize(), size -> builder.maxSize(size.toBytes()));
    set(given.getLogSize(), size -> builder.logSize(size.toBytes()));
    set(given.getMemoryBudget(), size -> builder.memoryBudget(size.toBytes()));
    set(given.getLockTimeout(), builder::lockTimeout);
    set(given.getArchive(), builder::archive);
    set(given.getCollectGrowth(), builder::collectAutomatically);
    customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
    return builder.open();
  }

  private static <T> void set(@Nullable T value, Consumer<T> setter) {
    if (value != null) {
      setter.accept(value);
    }
  }

  @Bean
  @ConditionalOnMissingBean(TransactionManager.class)
  HeapTransactionManager transactionManager(Heap heap) {
    return new HeapTransactionManager(heap);
  }

  /** For programs with Boot's health. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(HealthIndicator.class)
  static class HealthConfiguration {
    @Bean
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
