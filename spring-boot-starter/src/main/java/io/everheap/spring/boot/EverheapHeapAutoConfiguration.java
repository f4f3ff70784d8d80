package io.everheap.spring.boot;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.HeapAnchor;
import io.everheap.HeapBuilder;
import io.everheap.encryption.KeyProvider;
import io.everheap.stability.Stable;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Bean;

/**
 * Opens the heap that {@code everheap.heap.directory} names, unless the program makes one, and
 * closes it with the context.
 *
 * @since 0.9
 */
@AutoConfiguration
@ConditionalOnProperty("everheap.heap.directory")
@EnableConfigurationProperties(EverheapHeapProperties.class)
@Stable
public class EverheapHeapAutoConfiguration {
  /** For Spring Boot. */
  public EverheapHeapAutoConfiguration() {}

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  Heap heap(EverheapHeapProperties given, ObjectProvider<HeapBuilderCustomizer> customizers) {
    Path directory = given.getDirectory();
    if (directory == null || directory.toString().isEmpty()) {
      throw new InvalidConfigurationPropertyValueException(
          "everheap.heap.directory", "", "It is empty: name a directory, or remove the property.");
    }
    HeapBuilder builder = Heap.builder(directory);
    if (given.isMustExist()) {
      builder.mustExist();
    }
    set(given.getKey(), key -> builder.encrypt(KeyProvider.from(key)));
    set(given.getNotOlderThan(), anchor -> builder.notOlderThan(HeapAnchor.parse(anchor)));
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
}
