package io.everheap.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.cache.DurableCache;
import io.everheap.cache.EvictionPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.Caching;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.Duration;
import javax.cache.spi.CachingProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/jcache.md quotes is code that is compiled and run. */
class TutorialTest {
  private static final Pattern QUOTE = Pattern.compile("(?s)```java\n(.*?)```");
  private static final Pattern PART = Pattern.compile("(?s)  // An? \\w+ \\[\n(.*?)  // \\]");

  /** A value. */
  record Person(String name, int age) {}

  @TempDir Path directory;

  private CachingProvider provider() {
    return Caching.getCachingProvider(EverheapCachingProvider.class.getName());
  }

  @Test
  void aCacheIsWarmWhenItIsOpenedAgain() {
    try {
      // A cache [
      Properties properties = new Properties();
      properties.setProperty("everheap.directory", directory.toString());
      CacheManager manager = provider().getCacheManager(null, null, properties);
      Cache<String, Person> people =
          manager.createCache(
              "people",
              new MutableConfiguration<String, Person>()
                  .setTypes(String.class, Person.class)
                  .setExpiryPolicyFactory(CreatedExpiryPolicy.factoryOf(Duration.ONE_HOUR)));
      people.put("ann", new Person("Ann", 30)); // survives a kill from here on
      // ]
      people.close();
      // An option [
      people =
          manager.createCache(
              "people",
              EverheapConfiguration.of(
                      new MutableConfiguration<String, Person>()
                          .setTypes(String.class, Person.class))
                  .withCapacity(1L << 30)
                  .withPolicy(EvictionPolicy.TINY_LFU));
      DurableCache<?, ?> below = people.unwrap(DurableCache.class);
      below.blocks().awaitIndexed(); // all entries of earlier processes are found
      // ]
      assertThat(people.get("ann")).isEqualTo(new Person("Ann", 30));
    } finally {
      provider().close();
    }
  }

  @Test
  void theDocumentQuotesThis() throws Exception {
    Path at = Path.of("").toAbsolutePath();
    while (!Files.exists(at.resolve("docs/jcache.md"))) {
      at = at.getParent(); // the module's directory, or the project's
    }
    String document = Files.readString(at.resolve("docs/jcache.md"));
    String code =
        Files.readString(at.resolve("jcache/src/test/java/io/everheap/jcache/TutorialTest.java"));
    assertThat(parts(QUOTE, document)).isEqualTo(parts(PART, code)).isNotEmpty();
  }

  private static List<String> parts(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map((MatchResult found) -> found.group(1).stripTrailing().stripIndent())
        .toList();
  }
}
