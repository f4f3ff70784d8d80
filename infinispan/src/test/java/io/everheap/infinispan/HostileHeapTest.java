package io.everheap.infinispan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.error.EverheapException;
import io.everheap.support.tier.Campaign;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.infinispan.Cache;
import org.infinispan.commons.io.ByteBuffer;
import org.infinispan.commons.io.ByteBufferImpl;
import org.infinispan.manager.DefaultCacheManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers and keys in a heap that no store wrote, in pages with the right checksums. */
@Campaign
class HostileHeapTest {
  private static final String NAME = "any";

  @TempDir private Path directory;

  private Cache<String, String> cache(DefaultCacheManager manager) {
    return Managers.define(
        manager, NAME, Managers.cache(store -> store.path("shared").logSize(16 << 20)).build());
  }

  private Heap heap() {
    return Heap.builder(directory.resolve("shared")).logSize(16 << 20).open();
  }

  private void fill() throws Exception {
    try (DefaultCacheManager manager = Managers.local(directory)) {
      cache(manager).put("key", "value");
    }
  }

  private static void assertDamage(ThrowingCallable action) {
    assertThatThrownBy(action)
        .satisfies(
            e -> {
              Throwable cause = e;
              while (!(cause instanceof EverheapException) && cause.getCause() != null) {
                cause = cause.getCause();
              }
              assertThat(cause).isInstanceOf(EverheapException.class);
            });
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 257})
  void aNumberOfSegmentsThatAreNotThereIsDamage(int segments) throws Exception {
    fill();
    try (Heap heap = heap()) {
      heap.map(Locations.settings(NAME), String.class, Integer.class).put("segments", segments);
    }
    try (DefaultCacheManager manager = Managers.local(directory)) {
      assertDamage(() -> cache(manager));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 256, Integer.MAX_VALUE})
  void aPreparedChangeOfASegmentThatIsNotThereIsDamage(int segment) throws Exception {
    fill();
    ByteBuffer key = ByteBufferImpl.create(new byte[3]);
    byte[] prepared = Change.encode(List.of(new Change(segment, key, null)));
    try (Heap heap = heap()) {
      heap.map(Locations.prepared(NAME), String.class, byte[].class).put("odd", prepared);
    }
    try (DefaultCacheManager manager = Managers.local(directory)) {
      EverheapStore<?, ?> store = Managers.store(cache(manager));
      assertDamage(
          () -> {
            try {
              store.commit("odd").toCompletableFuture().get();
            } catch (ExecutionException e) {
              throw e.getCause();
            }
          });
      assertThat(store.prepared()).hasSize(1);
      store.rollback("odd").toCompletableFuture().get();
    }
  }

  @Test
  void aDeadlineThatIsCutOffIsDamage() {
    try (Heap heap = Heap.inMemory()) {
      Segment segment = Segment.open(heap, "segment");
      segment.put(ByteBufferImpl.create(new byte[3]), new StoredEntry(-1, 1, 1, null, null, null));
      heap.sortedSet("segment/expiring", byte[].class).add(new byte[7]);
      assertDamage(() -> segment.hasExpired(1));
      assertDamage(() -> segment.size(1));
      assertDamage(() -> heap.transact(() -> segment.purge(Long.MAX_VALUE, 10, 10)));
    }
  }

  @Test
  void aDestroyedCacheTakesNoOtherFileWithIt() throws Exception {
    Path own = directory.resolve("everheap").resolve("own");
    try (DefaultCacheManager manager = Managers.local(directory)) {
      var configuration = Managers.cache(store -> {}).build();
      Cache<String, String> cache = Managers.define(manager, "own", configuration);
      cache.put("key", "value");
      Path other = Files.writeString(own.resolve("notes"), "not of the cache");
      Path nested = own.resolve("nested");
      Heap.open(nested).close();
      Managers.store(cache).destroy().toCompletableFuture().get();
      assertThat(other).hasContent("not of the cache");
      assertThat(nested.resolve("heap")).exists();
      assertThat(own.resolve("heap")).doesNotExist();
    }
  }
}
