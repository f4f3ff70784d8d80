package io.everheap.infinispan;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.HOURS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.infinispan.Cache;
import org.infinispan.commons.util.Version;
import org.infinispan.manager.DefaultCacheManager;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The store with a version of Infinispan that the build names: it runs with several. */
class SmokeTest {
  @TempDir Path directory;

  /**
   * Infinispan looks up elements with toUpperCase of the default locale: its own files fail too.
   */
  @BeforeAll
  static void infinispanReadsFilesInThisLocale() {
    assumeTrue(
        "i".toUpperCase(Locale.getDefault()).equals("I"),
        "Infinispan cannot read configuration files in a Turkish locale");
  }

  @Test
  void entriesOutliveTheCacheManager() throws Exception {
    assertThat(Version.getVersion()).isEqualTo(System.getProperty("everheap.infinispan.version"));
    try (DefaultCacheManager manager = manager()) {
      Cache<String, String> cache = manager.getCache("orders");
      cache.put("mortal", "value", 1, HOURS);
      cache.put("removed", "value");
      cache.remove("removed");
      for (int i = 0; i < 100; i++) {
        cache.put("key-" + i, "value");
      }
      cache.putAll(Map.of("key-1", "one", "key-2", "two"));
      assertThat(cache).hasSize(101);
    }
    try (DefaultCacheManager manager = manager()) {
      Cache<String, String> cache = manager.getCache("orders");
      assertThat(cache).hasSize(101).containsEntry("key-2", "two").doesNotContainKey("removed");
      assertThat(cache.getAdvancedCache().getCacheEntry("mortal").getLifespan())
          .isEqualTo(HOURS.toMillis(1));
      cache.clear();
      assertThat(cache).isEmpty();
    }
  }

  private DefaultCacheManager manager() throws Exception {
    String file =
        String.format(
            Locale.ROOT,
            """
      <infinispan>
        <cache-container>
          <global-state><persistent-location path="%s"/></global-state>
          <local-cache name="orders" statistics="true">
            <memory max-count="10"/>
            <persistence>
              <everheap-store xmlns="urn:everheap:infinispan:16.0" durability="async"/>
            </persistence>
          </local-cache>
        </cache-container>
      </infinispan>
      """,
            directory);
    return new DefaultCacheManager(new ByteArrayInputStream(file.getBytes(UTF_8)));
  }
}
