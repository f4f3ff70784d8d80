package io.everheap.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.release.Release;
import io.everheap.support.release.ReleasedCache;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.cache.interceptor.SimpleKey;

/** Caches of Spring that a release made have all that was put into them. */
class ReleasedSpringCachesTest {
  @TempDir Path dir;

  private static Stream<Arguments> caches() {
    return Release.all().stream()
        .flatMap(
            r ->
                Stream.of(
                    Arguments.of(r, ReleasedSpringCaches.PLAIN),
                    Arguments.of(r, ReleasedSpringCaches.ENCRYPTED)));
  }

  private EverheapCacheManager unzip(Release release) throws IOException {
    release.unzip(ReleasedSpringCaches.NAME, Files.createDirectories(dir.resolve("caches")));
    return ReleasedSpringCaches.manager(dir, release.key());
  }

  @ParameterizedTest
  @MethodSource("caches")
  void keysOfParametersAreFoundAndEvicted(Release release, String name) throws IOException {
    try (EverheapCacheManager manager = unzip(release)) {
      EverheapCache cache = ReleasedSpringCaches.cache(manager, name);
      ReleasedSpringCaches.keysOfParameters()
          .forEach(
              (key, value) -> {
                assertThat(cache.get(key).get()).as(key.toString()).isEqualTo(value);
                cache.put(key, "replaced");
                assertThat(cache.get(key, String.class)).isEqualTo("replaced");
                assertThat(cache.evictIfPresent(key)).isTrue();
                assertThat(cache.get(key)).isNull();
              });
      assertThat(cache.get("null").get()).isNull();
      assertThat(cache.evictIfPresent("null")).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("caches")
  void aListOfParametersIsFoundAndEvictedByAnEqualList(Release release, String name)
      throws IOException {
    try (EverheapCacheManager manager = unzip(release)) {
      EverheapCache cache = ReleasedSpringCaches.cache(manager, name);
      var equal = new SimpleKey(new ArrayList<>(List.of(1, 2)), "a");
      assertThat(cache.get(equal).get()).isEqualTo("a list and a text");
      cache.put(equal, "replaced");
      assertThat(cache.get(new SimpleKey(List.of(1, 2), "a")).get()).isEqualTo("replaced");
      cache.evict(new SimpleKey(Arrays.asList(1, 2), "a"));
      assertThat(cache.get(equal)).isNull();
      assertThat(cache.getNativeCache().asMap().keySet()).doesNotContain(equal);
    }
  }

  @ParameterizedTest
  @MethodSource("caches")
  void keysOfEveryClassAreFoundReplacedAndRemoved(Release release, String name) throws IOException {
    Map<String, String> contents = release.contents(ReleasedSpringCaches.KEYS);
    try (EverheapCacheManager manager = unzip(release)) {
      EverheapCache cache = ReleasedSpringCaches.cache(manager, name);
      ReleasedSpringCaches.keysOfParameters().keySet().forEach(cache::evict);
      cache.evict("null");
      ReleasedCache released = ReleasedSpringCaches.released(cache);
      released.requireAll(contents);
      released.replaceAndRemove(contents);
      cache.clear();
      assertThat(cache.getNativeCache().asMap()).isEmpty();
    }
  }
}
