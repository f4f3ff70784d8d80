package io.everheap.spring;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.Limit;
import io.everheap.support.tier.Processes;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A program of Spring Boot is killed, and the next one is warm. */
@Processes
class KilledApplicationTest {
  private static final int KEYS = 100;

  @TempDir Path directory;

  /** The program. */
  @Configuration
  @EnableCaching
  @EnableAutoConfiguration
  static class Application {
    @Bean
    Squares squares() {
      return new Squares();
    }
  }

  /** Something slow. */
  static class Squares {
    final AtomicInteger computed = new AtomicInteger();

    /** Cached; one computation for each number, however many ask. */
    @Cacheable(cacheNames = "squares", sync = true)
    public Long square(long number) {
      computed.incrementAndGet();
      return number < 0 ? null : number * number;
    }

    /** Cached; of two parameters. */
    @Cacheable("products")
    public long product(long number, int factor) {
      computed.incrementAndGet();
      return number * factor;
    }

    /** Forgets one. */
    @CacheEvict("squares")
    public void forget(long number) {}

    /** What a proxy does not pass on. */
    public int computed() {
      return computed.get();
    }
  }

  @Test
  void anApplicationIsWarmAfterAKill() throws Exception {
    assertThat(run()).containsExactly("io.everheap.spring.EverheapCacheManager", "202");
    assertThat(run()).containsExactly("io.everheap.spring.EverheapCacheManager", "1");
  }

  /** Runs the program until it has computed all, and kills it. */
  private List<String> run() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                KilledApplicationTest.class.getName(),
                directory.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    Limit.guard(process, Duration.ofMinutes(10));
    List<String> said = new ArrayList<>();
    try (BufferedReader lines = process.inputReader(US_ASCII)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("> ")) {
          said.add(line.substring(2));
        }
        if (said.size() == 2) {
          process.toHandle().destroyForcibly();
        }
      }
    } finally {
      process.destroyForcibly();
      Limit.waitFor(process);
    }
    return said;
  }

  /** The process that is killed. */
  public static void main(String[] arguments) throws Exception {
    ConfigurableApplicationContext context =
        start(Map.of("everheap.cache.directory", arguments[0], "everheap.cache.capacity", "2MB"));
    CacheManager manager = context.getBean(CacheManager.class);
    System.out.println("> " + manager.getClass().getName());
    for (String name : List.of("squares", "products")) {
      ((EverheapCache) manager.getCache(name)).getNativeCache().blocks().awaitIndexed();
    }
    Squares squares = context.getBean(Squares.class);
    for (long number = -1; number < KEYS; number++) {
      Long expected = number < 0 ? null : (Long) (number * number);
      assertThat(squares.square(number)).isEqualTo(expected);
    }
    for (long number = 0; number < KEYS; number++) {
      assertThat(squares.product(number, 3)).isEqualTo(number * 3);
    }
    squares.forget(7);
    if (squares.computed() > 1) {
      assertThat(squares.square(7)).isEqualTo(49);
      squares.forget(7);
    }
    System.out.println("> " + squares.computed());
    Thread.currentThread().join(); // until it is killed
  }

  static ConfigurableApplicationContext start(Map<String, Object> properties) {
    return new SpringApplicationBuilder(Application.class)
        .web(WebApplicationType.NONE)
        .properties(properties)
        .run();
  }

  @Test
  void propertiesOfCachesAreBound() {
    try (ConfigurableApplicationContext context =
        start(
            Map.of(
                "everheap.cache.directory", directory.toString(),
                "everheap.cache.capacity", "2MB",
                "everheap.cache.names", "squares",
                "everheap.cache.policy", "tiny-lfu",
                "everheap.cache.caches.products.capacity", "4MB",
                "everheap.cache.caches.products.time-to-live", "10m"))) {
      CacheManager manager = context.getBean(CacheManager.class);
      assertThat(manager.getCacheNames()).containsExactly("products", "squares");
      assertThat(manager.getCache("others")).isNull();
      var products = (EverheapCache) manager.getCache("products");
      assertThat(products.getNativeCache().stats().capacityBytes()).isGreaterThan(3 << 20);
      products.put("a", 1);
      assertThat(products.getNativeCache().timed().peek("a").expiresAt())
          .isBeforeOrEqualTo(java.time.Instant.now().plusSeconds(600));
    }
  }

  @Test
  void otherCacheManagersGoBefore() {
    try (ConfigurableApplicationContext context = start(Map.of())) {
      assertThat(context.getBean(CacheManager.class)).isNotInstanceOf(EverheapCacheManager.class);
    }
    try (ConfigurableApplicationContext context =
        start(
            Map.of(
                "everheap.cache.directory", directory.toString(), "spring.cache.type", "none"))) {
      assertThat(context.getBean(CacheManager.class)).isNotInstanceOf(EverheapCacheManager.class);
    }
    assertThat(directory).isEmptyDirectory();
  }
}
