package io.everheap.cache;

import static io.everheap.cache.Caches.key;
import static io.everheap.cache.Caches.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.EverheapException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A cache whose files somebody cuts off while it is open: an operation misses, or says so with an
 * exception of the library; none throws the error of the mapped memory.
 */
class CutCacheTest {
  private static final int ENTRIES = 20;

  private static final Map<String, Consumer<BlockCache>> OPERATIONS =
      Map.ofEntries(
          Map.entry("get", cache -> assertThat(cache.get(key(1))).isNull()),
          Map.entry("contains", cache -> cache.contains(key(1))),
          Map.entry("put", cache -> cache.put(key(100), value(100, 100))),
          Map.entry("put a large one", cache -> cache.put(key(100), value(100, 30_000))),
          Map.entry("replace", cache -> cache.put(key(1), value(100, 100))),
          Map.entry("put what does not fit", cache -> cache.put(key(1), value(1, 1 << 20))),
          Map.entry("allocate and insert", cache -> insert(cache, true)),
          Map.entry("allocate and give back", cache -> insert(cache, false)),
          Map.entry("invalidate", cache -> cache.invalidate(key(1))),
          Map.entry("invalidate all", BlockCache::invalidateAll),
          Map.entry("invalidate some", cache -> cache.invalidateIf(_ -> true, Long.MAX_VALUE)),
          Map.entry("read the generation", BlockCache::generation),
          Map.entry("set the generation", cache -> cache.generation(7)),
          Map.entry("sync", BlockCache::sync),
          Map.entry("expire", BlockCache::expire),
          Map.entry("stats", BlockCache::stats));

  /** What a program has from before the cut, and uses after it. */
  private static final Map<String, Function<BlockCache, Runnable>> PREPARED =
      Map.of(
          "insert",
          cache -> Objects.requireNonNull(cache.allocate(key(100), 5_000))::insert,
          "give back",
          cache -> Objects.requireNonNull(cache.allocate(key(100), 5_000))::close,
          "copy a block",
          cache -> Objects.requireNonNull(cache.get(key(1)))::toArray,
          "copy a part",
          cache -> {
            BlockHandle handle = Objects.requireNonNull(cache.get(key(1)));
            return () -> handle.copyTo(0, new byte[100], 0, 100);
          },
          "copy a key",
          cache -> Objects.requireNonNull(cache.get(key(1)))::key,
          "close a handle",
          cache -> Objects.requireNonNull(cache.get(key(1)))::close);

  @TempDir Path directory;

  private static void insert(BlockCache cache, boolean publish) {
    try (BlockInsert insert = cache.allocate(key(100), 5_000)) {
      if (insert != null && publish) {
        insert.segment().fill((byte) 1);
        insert.insert();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"false,0", "false,8192", "false,70000", "true,0", "true,8192", "true,70000"})
  void noOperationThrowsTheErrorOfMappedMemory(boolean encrypted, long length) throws IOException {
    Map<String, Function<BlockCache, Runnable>> all = new TreeMap<>(PREPARED);
    OPERATIONS.forEach((name, operation) -> all.put(name, cache -> () -> operation.accept(cache)));
    List<Throwable> errors = new ArrayList<>();
    for (String name : all.keySet()) {
      Path own = directory.resolve(name.replace(' ', '-'));
      BlockCacheBuilder builder = Caches.small(own);
      if (encrypted) {
        builder.encrypt(KeyProvider.of(new byte[32]));
      }
      BlockCache cache = builder.open();
      for (int i = 0; i < ENTRIES; i++) {
        cache.put(key(i), value(i, 1_000));
      }
      Runnable operation = all.get(name).apply(cache);
      cut(own, length);
      try {
        try (cache) {
          operation.run();
        }
      } catch (EverheapException e) {
        assertThat(e).as(name).hasMessageContaining(own.toString());
      } catch (InternalError e) {
        errors.add(new AssertionError(name, e));
      }
    }
    assertThat(errors).isEmpty();
  }

  private static void cut(Path directory, long length) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        try (var cut = new RandomAccessFile(file.toFile(), "rw")) {
          cut.setLength(Math.min(cut.length(), length));
        }
      }
    }
  }
}
