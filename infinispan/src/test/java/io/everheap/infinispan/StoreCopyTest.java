package io.everheap.infinispan;

import static io.everheap.infinispan.Managers.cache;
import static io.everheap.infinispan.Managers.define;
import static io.everheap.infinispan.Managers.local;
import static java.util.concurrent.TimeUnit.HOURS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.infinispan.Cache;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.container.entries.CacheEntry;
import org.infinispan.manager.DefaultCacheManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreCopyTest {
  private static final int ENTRIES = 2500;

  @TempDir Path directory;

  private static Configuration files() {
    var configuration = new ConfigurationBuilder();
    configuration.persistence().addSoftIndexFileStore();
    return configuration.build();
  }

  @Test
  void entriesGoFromInfinispansStoreToThisOneAndBack() throws Exception {
    try (DefaultCacheManager manager = local(directory)) {
      Cache<Integer, String> before = define(manager, "before", files());
      for (int i = 0; i < ENTRIES; i++) {
        before.put(i, "value " + i, i % 2 == 0 ? -1 : i, HOURS);
      }
      Cache<Integer, String> here = define(manager, "here", cache(store -> {}).build());
      assertThat(StoreCopy.copy(before, here)).isEqualTo(ENTRIES);
      assertSame(before, here);
      assertThatThrownBy(() -> StoreCopy.copy(before, here)).hasMessageContaining("not empty");

      Cache<Integer, String> after = define(manager, "after", files());
      assertThat(StoreCopy.copy(here, after)).isEqualTo(ENTRIES);
      assertSame(before, after);
    }
    try (DefaultCacheManager manager = local(directory)) {
      Cache<Integer, String> here = define(manager, "here", cache(store -> {}).build());
      Cache<Integer, String> before = define(manager, "before", files());
      assertSame(before, here);
      assertThat(created(here)).isEqualTo(created(before));
    }
  }

  private static long created(Cache<Integer, String> cache) {
    return cache.getAdvancedCache().getCacheEntry(ENTRIES - 1).getCreated();
  }

  private static void assertSame(Cache<Integer, String> expected, Cache<Integer, String> found) {
    assertThat(found).hasSize(ENTRIES);
    for (int i = 0; i < ENTRIES; i++) {
      CacheEntry<Integer, String> one = expected.getAdvancedCache().getCacheEntry(i);
      CacheEntry<Integer, String> other = found.getAdvancedCache().getCacheEntry(i);
      assertThat(other.getValue()).isEqualTo(one.getValue());
      assertThat(other.getLifespan()).isEqualTo(one.getLifespan());
    }
  }
}
