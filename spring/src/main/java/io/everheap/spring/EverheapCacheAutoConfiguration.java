package io.everheap.spring;

import io.everheap.stability.Stable;
import java.util.Objects;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.cache.CacheManager;
import org.springframework.cache.interceptor.CacheAspectSupport;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * Makes Everheap the cache manager of a program of Spring Boot that enables caching, names a
 * directory by {@code everheap.cache.directory}, and has no cache manager of its own. A {@code
 * spring.cache.type}, such as {@code none} in tests, goes before.
 *
 * @since 0.9
 */
@AutoConfiguration(
    beforeName = "org.springframework.boot.cache.autoconfigure.CacheAutoConfiguration")
@ConditionalOnBean(CacheAspectSupport.class)
@ConditionalOnMissingBean(value = CacheManager.class, name = "cacheResolver")
@ConditionalOnProperty("everheap.cache.directory")
@ConditionalOnProperty(name = "spring.cache.type", havingValue = "everheap", matchIfMissing = true)
@EnableConfigurationProperties(EverheapCacheProperties.class)
@Stable
public class EverheapCacheAutoConfiguration {
  /** For Spring Boot. */
  public EverheapCacheAutoConfiguration() {}

  @Bean
  EverheapCacheManager cacheManager(
      EverheapCacheProperties properties, Environment environment, BeanFactory beans) {
    CachePropertyNames.requireBound(environment);
    EverheapCacheManager.Builder builder =
        EverheapCacheManager.builder(
                Objects.requireNonNull(properties.getDirectory(), "everheap.cache.directory"))
            .defaults(properties)
            .allowNullValues(properties.isAllowNullValues());
    if (!properties.getNames().isEmpty()) {
      builder.fixed();
    }
    if (AutoConfigurationPackages.has(beans)) {
      builder.packages(
          AutoConfigurationPackages.get(beans).stream().filter(name -> !name.isEmpty()).toList());
    }
    properties.getNames().forEach(name -> builder.cache(name, options -> {}));
    properties.getCaches().forEach(builder::cache);
    return builder.build();
  }
}
