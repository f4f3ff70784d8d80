package io.everheap.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.EncryptionException;
import io.everheap.report.VerifyProgress;
import io.everheap.support.release.Release;
import io.everheap.support.release.ReleasedCache;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Caches of a release, closed and killed, plain and encrypted, have all that was put into them. */
class ReleasedCachesTest {
  @TempDir Path dir;

  private static List<Arguments> caches() {
    List<Arguments> caches = new ArrayList<>();
    for (Release release : Release.all()) {
      for (String kind : List.of("plain", "encrypted")) {
        caches.add(Arguments.of(release, kind, "closed"));
        caches.add(Arguments.of(release, kind, "killed"));
      }
    }
    return caches;
  }

  private KeyProvider unzip(Release release, String kind, String state) throws IOException {
    release.unzip(kind + "-" + state, dir);
    return kind.equals("encrypted") ? KeyProvider.of(release.key()) : null;
  }

  private static void requireBlocks(BlockCache cache) {
    cache.awaitIndexed();
    for (int i = 0; i < ReleasedCaches.BLOCKS; i++) {
      byte[] value = i == ReleasedCaches.REPLACED ? Caches.value(-1, 100) : Caches.value(i, i * 50);
      assertThat(Caches.holds(cache, i, value))
          .as("block %s", i)
          .isEqualTo(i != ReleasedCaches.REMOVED);
    }
    assertThat(cache.contains(Caches.key(ReleasedCaches.REMOVED))).isFalse();
    assertThat(cache.stats().damaged()).isZero();
  }

  @ParameterizedTest
  @MethodSource("caches")
  void blocksAreServedReplacedAndInvalidated(Release release, String kind, String state)
      throws IOException {
    KeyProvider key = unzip(release, kind, state);
    try (BlockCache cache = ReleasedCaches.blocks(dir, key)) {
      assertThat(cache.generation()).isEqualTo(ReleasedCaches.GENERATION);
      requireBlocks(cache);
      for (int i = 0; i < ReleasedCaches.BLOCKS; i++) {
        cache.put(Caches.key(i), Caches.value(100 + i, 70));
      }
      cache.invalidate(Caches.key(1));
    }
    try (BlockCache cache = ReleasedCaches.blocks(dir, key)) {
      cache.awaitIndexed();
      assertThat(Caches.get(cache, 1)).isNull();
      for (int i = 2; i < ReleasedCaches.BLOCKS; i++) {
        assertThat(Caches.holds(cache, i, Caches.value(100 + i, 70))).isTrue();
      }
    }
    assertThat(CacheCheck.verify(dir.resolve("blocks"), key, VerifyProgress.NONE).problems())
        .isEmpty();
  }

  @ParameterizedTest
  @MethodSource("caches")
  void keysOfEveryClassAreFoundReplacedAndRemoved(Release release, String kind, String state)
      throws IOException {
    KeyProvider key = unzip(release, kind, state);
    Map<String, String> contents = release.contents(ReleasedCaches.KEYS);
    try (var any = ReleasedCaches.any(dir, key)) {
      any.blocks().awaitIndexed();
      ReleasedCache released = ReleasedCaches.released(any);
      released.requireAll(contents);
      released.replaceAndRemove(contents);
      any.invalidateAll();
      assertThat(any.asMap()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("caches")
  void listsOfEveryClassFindTheEntryOfAnEqualList(Release release, String kind, String state)
      throws IOException {
    KeyProvider key = unzip(release, kind, state);
    try (var lists = ReleasedCaches.lists(dir, key)) {
      lists.blocks().awaitIndexed();
      assertThat(lists.asMap()).hasSize(10);
      for (long i = 0; i < 10; i++) {
        assertThat(lists.getIfPresent(List.of(i, -i))).isEqualTo(ReleasedCaches.route(i));
        assertThat(lists.getIfPresent(Arrays.asList(i, -i))).isEqualTo(ReleasedCaches.route(i));
        lists.put(new ArrayList<>(List.of(i, -i)), ReleasedCaches.route(-i));
        assertThat(lists.asMap()).hasSize((int) (10 - i));
        assertThat(lists.getIfPresent(List.of(i, -i))).isEqualTo(ReleasedCaches.route(-i));
        lists.invalidate(new CopyOnWriteArrayList<>(List.of(i, -i)));
        assertThat(lists.getIfPresent(List.of(i, -i))).isNull();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("io.everheap.support.release.Release#all")
  void anotherKeyOpensNothing(Release release) throws IOException {
    unzip(release, "encrypted", "closed");
    byte[] other = release.key();
    other[0]++;
    assertThatThrownBy(() -> ReleasedCaches.blocks(dir, KeyProvider.of(other)))
        .isInstanceOf(EncryptionException.class);
  }
}
