package io.everheap.samples.session;

import org.infinispan.spring.embedded.provider.SpringEmbeddedCacheManagerFactoryBean;
import org.infinispan.spring.embedded.session.configuration.EnableInfinispanEmbeddedHttpSession;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.ClassPathResource;

/**
 * A shop's baskets, kept in HTTP sessions. The sessions are in a cache of Infinispan, and the cache
 * in a heap: who comes back after a kill, or after a new version was deployed, finds the basket.
 */
@SpringBootApplication
@EnableInfinispanEmbeddedHttpSession
public class BasketApplication {
  /** Made by Spring. */
  public BasketApplication() {}

  /** Starts the server. */
  public static void main(String[] args) {
    SpringApplication.run(BasketApplication.class, args);
  }

  /** The caches, as infinispan.xml says. */
  @Bean
  SpringEmbeddedCacheManagerFactoryBean caches() {
    var caches = new SpringEmbeddedCacheManagerFactoryBean();
    caches.setConfigurationFileLocation(new ClassPathResource("infinispan.xml"));
    return caches;
  }
}
