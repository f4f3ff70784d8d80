package io.everheap.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.encryption.KeyProvider;
import io.everheap.support.release.Release;
import io.everheap.support.release.ReleasedCache;
import io.everheap.support.release.ReleasedKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Caches of JCache that a release made have all that was put into them. */
class ReleasedJCachesTest {
  private final EverheapCachingProvider provider = new EverheapCachingProvider();
  @TempDir Path dir;
  private CacheManager manager;
  private KeyProvider key;

  private static Stream<Arguments> caches() {
    return Release.all().stream()
        .flatMap(
            r ->
                Stream.of(
                    Arguments.of(r, ReleasedJCaches.PLAIN),
                    Arguments.of(r, ReleasedJCaches.ENCRYPTED)));
  }

  private void unzip(Release release, String name) throws IOException {
    release.unzip(name, dir);
    manager = ReleasedJCaches.manager(provider, dir);
    key = name.equals(ReleasedJCaches.ENCRYPTED) ? KeyProvider.of(release.key()) : null;
  }

  private static void awaitEntries(Cache<?, ?> cache) {
    cache.unwrap(io.everheap.cache.BlockCache.class).awaitIndexed();
  }

  @AfterEach
  void close() {
    provider.close();
  }

  @ParameterizedTest
  @MethodSource("caches")
  void keysOfEveryClassAreFoundReplacedAndRemoved(Release release, String name) throws IOException {
    unzip(release, name);
    Map<String, String> contents = release.contents(ReleasedJCaches.KEYS);
    Cache<Object, Object> any = ReleasedJCaches.any(manager, key);
    awaitEntries(any);
    ReleasedCache released = ReleasedJCaches.released(any);
    released.requireAll(contents);
    released.replaceAndRemove(contents);
    any.clear();
    assertThat(any).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("caches")
  void keysOfATypeAreFoundReplacedAndRemoved(Release release, String name) throws IOException {
    unzip(release, name);
    Cache<String, Integer> texts = ReleasedJCaches.texts(manager, key);
    Cache<ReleasedKey.Point, ReleasedKey.Shade> records = ReleasedJCaches.records(manager, key);
    awaitEntries(texts);
    awaitEntries(records);
    assertThat(texts).hasSize(ReleasedJCaches.ENTRIES);
    assertThat(records).hasSize(ReleasedJCaches.ENTRIES);
    for (int i = 0; i < ReleasedJCaches.ENTRIES; i++) {
      String text = ReleasedJCaches.text(i);
      assertThat(texts.get(text)).isEqualTo(i);
      assertThat(texts.replace(text, i, -i)).isTrue();
      assertThat(texts.getAndRemove(text)).isEqualTo(-i);
      assertThat(texts.containsKey(text)).isFalse();
      ReleasedKey.Point point = new ReleasedKey.Point(i, text);
      assertThat(records.get(point)).isEqualTo(ReleasedKey.Shade.DARK);
      assertThat(records.replace(point, ReleasedKey.Shade.LIGHT)).isTrue();
      assertThat(records.remove(point, ReleasedKey.Shade.LIGHT)).isTrue();
    }
    assertThat(texts).isEmpty();
    assertThat(records).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("caches")
  void enumsAreFoundAndRemoved(Release release, String name) throws IOException {
    unzip(release, name);
    Cache<ReleasedKey.Shade, String> enums = ReleasedJCaches.enums(manager, key);
    awaitEntries(enums);
    assertThat(enums.get(ReleasedKey.Shade.LIGHT)).isEqualTo("light");
    assertThat(enums.getAndRemove(ReleasedKey.Shade.DARK)).isEqualTo("dark");
    assertThat(enums).hasSize(1);
  }
}
