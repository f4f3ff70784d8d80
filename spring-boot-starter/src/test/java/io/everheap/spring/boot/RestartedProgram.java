package io.everheap.spring.boot;

import io.everheap.Heap;
import java.util.Map;
import java.util.function.Function;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * A program whose classes are loaded again for each restart; each call starts, uses and ends it.
 */
public final class RestartedProgram implements Function<String, String> {
  /** For the test. */
  public RestartedProgram() {}

  /** A value of heap and cache, of the program's own class. */
  record Price(String name, long cents) {}

  /** The program. */
  @Configuration(proxyBeanMethods = false)
  @EnableCaching
  @EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
  static class Application {}

  @Override
  public String apply(String directory) {
    try (ConfigurableApplicationContext context =
        new SpringApplicationBuilder(Application.class)
            .web(WebApplicationType.NONE)
            .properties(
                Map.of(
                    "everheap.heap.directory",
                    directory + "/heap",
                    "everheap.cache.directory",
                    directory + "/caches"))
            .run()) {
      Map<String, Price> prices =
          context.getBean(Heap.class).map("prices", String.class, Price.class);
      var cache = context.getBean(CacheManager.class).getCache("prices");
      Price stored = prices.get("a");
      Price cached = cache.get("a", Price.class);
      prices.merge("a", new Price("a", 1), (old, one) -> new Price("a", old.cents() + 1));
      cache.put("a", prices.get("a"));
      return stored + " " + cached;
    }
  }
}
