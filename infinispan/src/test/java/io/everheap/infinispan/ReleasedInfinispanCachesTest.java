package io.everheap.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.release.Release;
import io.everheap.support.release.ReleasedCache;
import io.everheap.support.release.ReleasedKey;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.infinispan.Cache;
import org.infinispan.manager.DefaultCacheManager;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Caches of Infinispan that a release stored have all that was put into them. */
@Campaign
class ReleasedInfinispanCachesTest {
  @TempDir Path dir;

  private static Stream<Arguments> caches() {
    return Release.all().stream()
        .flatMap(
            r ->
                Stream.of(
                    Arguments.of(r, ReleasedInfinispanCaches.SEGMENTED),
                    Arguments.of(r, ReleasedInfinispanCaches.UNSEGMENTED)));
  }

  /** A key finds its own entry if its bytes are always the same. */
  private static void requireRecords(ReleasedCache released) {
    for (ReleasedKey key : ReleasedKey.all()) {
      if (key.key() instanceof Record && key.form() == ReleasedKey.Form.STABLE) {
        assertThat(released.get().apply(key.key())).isEqualTo(key.value());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("caches")
  void keysOfEveryClassAreFoundReplacedAndRemoved(Release release, String name) throws IOException {
    release.unzip(name, dir);
    Map<String, String> contents = release.contents(ReleasedInfinispanCaches.KEYS);
    try (DefaultCacheManager manager = ReleasedInfinispanCaches.manager()) {
      ReleasedCache released =
          ReleasedInfinispanCaches.released(ReleasedInfinispanCaches.cache(manager, dir, name));
      released.requireAll(contents);
      requireRecords(released);
      released.replaceAndRemove(contents);
    }
    try (DefaultCacheManager manager = ReleasedInfinispanCaches.manager()) {
      Cache<Object, Object> cache = ReleasedInfinispanCaches.cache(manager, dir, name);
      cache.clear();
      assertThat(cache).isEmpty();
    }
  }
}
