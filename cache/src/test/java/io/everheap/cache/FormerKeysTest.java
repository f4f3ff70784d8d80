package io.everheap.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.everheap.cache.codec.CacheCodecs;
import io.everheap.cache.codec.ReformedCodec;
import io.everheap.cache.format.State;
import io.everheap.cache.format.Superblock;
import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.error.CorruptValueException;
import io.everheap.support.Limit;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Entries that a build before the one form stored are found, replaced and removed. */
@SuppressWarnings("JdkObsolete") // a LinkedList is a key like others
class FormerKeysTest {
  private static final ClassLoader LOADER = FormerKeysTest.class.getClassLoader();

  /** A key with a list. */
  record Route(List<Integer> points) implements Serializable {}

  /** Writes keys as the builds before the one form did: serialized, with their classes. */
  private static final class Earlier implements Codec<Object> {
    private final Codec<Object> codec = CacheCodecs.values(Object.class, LOADER, Caches.OWN);

    @Override
    public String name() {
      return codec.name();
    }

    @Override
    public void write(Object key, CodecOutput out) {
      codec.write(key, out);
    }

    @Override
    public Object read(CodecInput in) {
      return codec.read(in);
    }

    @Override
    public boolean canonical() {
      return true;
    }
  }

  /** Lets a test see each key that is read. */
  private record Watched(ReformedCodec<Object> codec, Consumer<Object> onRead)
      implements ReformedCodec<Object> {
    @Override
    public String name() {
      return codec.name();
    }

    @Override
    public void write(Object key, CodecOutput out) {
      codec.write(key, out);
    }

    @Override
    public Object read(CodecInput in) {
      Object key = codec.read(in);
      onRead.accept(key);
      return key;
    }

    @Override
    public boolean canonical() {
      return true;
    }

    @Override
    public boolean isReformed(byte[] key) {
      return codec.isReformed(key);
    }

    @Override
    public boolean mayBeFormer(byte[] stored) {
      return codec.mayBeFormer(stored);
    }
  }

  @TempDir Path directory;
  private final List<String> removals = new CopyOnWriteArrayList<>();
  private final AtomicLong clock = new AtomicLong(1_000_000);

  private DurableCacheBuilder<Object, Object> builder(Codec<Object> keys) {
    return DurableCache.builder(
            directory, Caches.SMALL, keys, CacheCodecs.values(Object.class, LOADER, Caches.OWN))
        .executor(Runnable::run)
        .blocks(
            blocks ->
                blocks.segmentSize(Caches.SEGMENT).onFile().background(false).clock(clock::get));
  }

  private static ReformedCodec<Object> present() {
    return (ReformedCodec<Object>) CacheCodecs.keys(Object.class, LOADER, Caches.OWN);
  }

  private DurableCache<Object, Object> open() {
    return builder(present())
        .removalListener((key, value, cause) -> removals.add(key + " " + cause))
        .open();
  }

  /** Fills a cache as an earlier build does. */
  private void earlier(Object... keysAndValues) throws IOException {
    earlier(
        cache -> {
          for (int i = 0; i < keysAndValues.length; i += 2) {
            cache.put(keysAndValues[i], keysAndValues[i + 1]);
          }
        });
  }

  private void earlier(Consumer<DurableCache<Object, Object>> program) throws IOException {
    try (DurableCache<Object, Object> cache = builder(new Earlier()).open()) {
      cache.blocks().awaitIndexed();
      program.accept(cache);
    }
    change(state -> state.formed(0)); // it knows of no forms, and keeps all flags
  }

  private void change(UnaryOperator<State> change) throws IOException {
    Path file = directory.resolve("cache");
    byte[] bytes = Files.readAllBytes(file);
    for (int at = 0; at < 2 * Superblock.SIZE; at += Superblock.SIZE) {
      ByteBuffer block = ByteBuffer.wrap(bytes, at, Superblock.SIZE).slice();
      Superblock its = Superblock.read(block, null);
      assertThat(its).isNotNull();
      new Superblock(
              its.cache(),
              its.device(),
              its.fileSize(),
              its.segmentSize(),
              its.removalBytes(),
              its.hashSeed(),
              change.apply(its.state()))
          .write(block, null);
    }
    Files.write(file, bytes);
  }

  private static boolean isReformed(DurableCache<?, ?> cache) {
    return cache.blocks().store().isReformed();
  }

  @Test
  void formerEntriesAreFoundByEqualKeysOfAnyClass() throws IOException {
    earlier(List.of(1, 2), "list", Set.of("a", "b", "c"), "set", new Route(List.of(1)), "route");
    try (DurableCache<Object, Object> cache = open()) {
      assertThat(cache.getIfPresent(new LinkedList<>(List.of(1, 2)))).isEqualTo("list");
      assertThat(cache.getIfPresent(new TreeSet<>(Set.of("a", "b", "c")))).isEqualTo("set");
      assertThat(cache.getIfPresent(new Route(Arrays.asList(1)))).isEqualTo("route");
      assertThat(cache.asMap()).hasSize(3);
    }
  }

  @Test
  void theFirstChangeAfterAnUpgradeReplacesOrRemovesTheFormerEntry() throws IOException {
    earlier(List.of(1), "old", List.of(2), "old", List.of(3), "old");
    try (DurableCache<Object, Object> cache = open()) {
      cache.put(Arrays.asList(1), "new");
      cache.invalidate(Arrays.asList(2));
      assertThat(cache.putIfAbsent(Arrays.asList(3), "new")).isEqualTo("old");
      assertThat(cache.asMap()).containsOnly(entry(List.of(1), "new"), entry(List.of(3), "old"));
      assertThat(cache.stats().replacements()).isEqualTo(1);
      assertThat(cache.stats().invalidations()).isEqualTo(1);
      assertThat(removals).containsExactly("[1] REPLACED", "[2] EXPLICIT");
    }
    try (DurableCache<Object, Object> cache = open()) {
      cache.blocks().awaitIndexed();
      assertThat(cache.asMap()).containsOnly(entry(List.of(1), "new"), entry(List.of(3), "old"));
    }
  }

  @Test
  void theNewestOfEqualFormerKeysCounts() throws IOException {
    earlier(
        cache -> {
          cache.put(List.of(1, 2), "first");
          cache.put(Arrays.asList(1, 2), "second");
          cache.put(new LinkedList<>(List.of(1, 2)), "third");
          cache.put(Arrays.asList(1, 2), "last");
          cache.put(new LinkedHashSet<>(List.of(2, 1)), "first");
          cache.put(new LinkedHashSet<>(List.of(1, 2)), "last");
          assertThat(cache.estimatedSize()).isEqualTo(5);
        });
    try (DurableCache<Object, Object> cache = open()) {
      assertThat(cache.getIfPresent(new ArrayList<>(List.of(1, 2)))).isEqualTo("last");
      assertThat(cache.getIfPresent(Set.of(1, 2))).isEqualTo("last");
      assertThat(cache.estimatedSize()).isEqualTo(2);
    }
  }

  @Test
  void anotherFormIsNoChangeForListenersAndFigures() throws IOException {
    earlier(List.of(1), "1", List.of(2), "2", "text", "3");
    try (DurableCache<Object, Object> cache = open()) {
      assertThat(cache.getIfPresent(List.of(1))).isEqualTo("1");
      assertThat(removals).isEmpty();
      CacheStats stats = cache.stats();
      assertThat(stats.hits()).isEqualTo(1);
      assertThat(stats.misses()).isZero();
      assertThat(stats.inserts()).isZero();
      assertThat(stats.invalidations()).isZero();
      assertThat(stats.replacements()).isZero();
      assertThat(stats.recovered()).isEqualTo(3);
      assertThat(stats.entries()).isEqualTo(3);
    }
  }

  @Test
  void anEntryKeepsItsTimes() throws IOException {
    Instant at = Instant.ofEpochMilli(2_000_000);
    earlier(cache -> cache.timed().put(List.of(1), "1", at));
    clock.set(1_500_000);
    try (DurableCache<Object, Object> cache =
        builder(present())
            .expireAfterAccess(Duration.ofSeconds(900))
            .expireAfterWrite(Duration.ofSeconds(1100))
            .open()) {
      assertThat(cache.timed().peek(List.of(1)).expiresAt()).isEqualTo(at);
      assertThat(cache.getIfPresent(List.of(1))).isEqualTo("1");
      assertThat(cache.timed().peek(List.of(1)).expiresAt())
          .as("no later than so long after it was written")
          .isEqualTo(Instant.ofEpochMilli(2_100_000));
      clock.set(2_100_000);
      assertThat(cache.getIfPresent(Arrays.asList(1))).isNull();
    }
  }

  @Test
  void itIsDoneOnceAndOnlyIfItIsNeeded() throws IOException {
    earlier(List.of(1), "1", "text", "2", 3L, "3");
    try (DurableCache<Object, Object> cache = open()) {
      cache.blocks().awaitIndexed();
      assertThat(cache.getIfPresent("text")).isEqualTo("2");
      cache.put(3L, "4");
      cache.invalidate(4);
      assertThat(isReformed(cache)).isFalse();
      assertThat(cache.getIfPresent(List.of(2))).isNull();
      assertThat(isReformed(cache)).isTrue();
    }
    try (DurableCache<Object, Object> cache = open()) {
      assertThat(isReformed(cache)).isTrue();
      cache.blocks().awaitIndexed();
      assertThat(cache.getIfPresent(Arrays.asList(1))).isEqualTo("1");
    }
  }

  @Test
  void aCacheThatThisBuildMadeOrEmptiedHasNoFormerKeys() throws IOException {
    try (DurableCache<Object, Object> cache = open()) {
      assertThat(isReformed(cache)).isTrue();
    }
    earlier(List.of(1), "1");
    try (DurableCache<Object, Object> cache = open()) {
      assertThat(isReformed(cache)).isFalse();
      cache.invalidateAll();
      assertThat(isReformed(cache)).isTrue();
      assertThat(cache.getIfPresent(List.of(1))).isNull();
    }
    earlier(List.of(1), "1");
    try (DurableCache<Object, Object> cache = builder(present()).generation(7).open()) {
      assertThat(isReformed(cache)).isTrue();
      assertThat(cache.getIfPresent(List.of(1))).isNull();
    }
  }

  /** It can neither replace nor remove what it does not find. */
  @Test
  void whatWasStoredBeforeAnEarlierBuildOpenedTheFileIsNotServed() throws IOException {
    try (DurableCache<Object, Object> cache = open()) {
      cache.put(List.of(1), "of this build");
      cache.put(List.of(2), "of this build");
      cache.put("text", "of this build");
    }
    earlier(
        cache -> {
          cache.put(Arrays.asList(1), "of the earlier build");
          cache.invalidate(Arrays.asList(2));
          assertThat(cache.getIfPresent("text")).isEqualTo("of this build");
        });
    try (DurableCache<Object, Object> cache = open()) {
      assertThat(cache.getIfPresent(List.of(1))).isEqualTo("of the earlier build");
      assertThat(cache.getIfPresent(List.of(2))).isNull();
      assertThat(cache.getIfPresent("text")).isEqualTo("of this build");
      assertThat(cache.asMap()).hasSize(2);
      cache.put(List.of(2), "again");
    }
    try (DurableCache<Object, Object> cache = open()) {
      cache.blocks().awaitIndexed();
      assertThat(cache.getIfPresent(Arrays.asList(2))).isEqualTo("again");
    }
  }

  /** As a crash leaves it between the store of the new entry and the end of the former one. */
  @Test
  void anEntryInThePresentFormIsNewerThanAnyFormerOne() throws IOException {
    earlier(List.of(1), "former", List.of(2), "former");
    byte[] present = bytes(present(), List.of(1));
    try (BlockCache blocks = Caches.small(directory).open()) { // which notes that forms are known
      blocks.awaitIndexed();
      blocks.put(present, bytes(CacheCodecs.values(Object.class, LOADER, Caches.OWN), "present"));
    }
    try (DurableCache<Object, Object> cache = open()) {
      assertThat(isReformed(cache)).isFalse();
      assertThat(cache.getIfPresent(List.of(1))).isEqualTo("present");
      assertThat(cache.getIfPresent(List.of(2))).isEqualTo("former");
      assertThat(cache.estimatedSize()).isEqualTo(2);
      assertThat(removals).isEmpty();
    }
  }

  /** A process that is killed leaves what it has stored into the mapped file. */
  @Test
  void aKillAtAnyTimeLeavesEachEntryOnce() throws IOException {
    earlier(
        cache -> {
          for (int i = 0; i < 6; i++) {
            cache.put(List.of(i), "older");
            cache.put(Arrays.asList(i), "newest");
          }
        });
    List<Path> killed = new ArrayList<>();
    try (DurableCache<Object, Object> cache =
        builder(new Watched(present(), key -> killed.add(copy(killed.size())))).open()) {
      assertThat(cache.getIfPresent(List.of(0))).isEqualTo("newest");
    }
    assertThat(killed).hasSizeGreaterThan(12);
    for (Path copy : killed) {
      Files.move(copy, directory.resolve("cache"), StandardCopyOption.REPLACE_EXISTING);
      try (DurableCache<Object, Object> cache = open()) {
        for (int i = 0; i < 6; i++) {
          assertThat(cache.getIfPresent(new LinkedList<>(List.of(i)))).isEqualTo("newest");
        }
        assertThat(cache.estimatedSize()).isEqualTo(6);
        cache.invalidate(List.of(5));
        assertThat(cache.asMap()).hasSize(5);
      }
    }
  }

  private Path copy(int number) {
    try {
      return Files.copy(directory.resolve("cache"), directory.resolve("copy " + number));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] bytes(Codec<Object> codec, Object value) {
    var out = new CodecOutput();
    codec.write(value, out);
    return out.toByteArray();
  }

  @Test
  void aKeyThatCannotBeReadIsTriedAgainAtTheNextOpening() throws IOException {
    earlier(List.of(1), "1", List.of(2), "2");
    Codec<Object> codec =
        new Watched(
            present(),
            key -> {
              if (key.equals(List.of(1))) {
                throw new CorruptValueException("a class is missing");
              }
            });
    try (DurableCache<Object, Object> cache = builder(codec).open()) {
      assertThat(cache.getIfPresent(List.of(2))).isEqualTo("2");
      assertThat(isReformed(cache)).isFalse();
      cache.put(Arrays.asList(2), "3");
    }
    try (DurableCache<Object, Object> cache = open()) {
      assertThat(cache.getIfPresent(Arrays.asList(1))).isEqualTo("1");
      assertThat(cache.getIfPresent(List.of(2))).isEqualTo("3");
      assertThat(isReformed(cache)).isTrue();
    }
  }

  @Test
  void aKeyThatIsRefusedIsDropped() throws IOException {
    Set<String> loose = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    loose.add("a");
    earlier(loose, "1", List.of(loose), "2", List.of(1), "3");
    try (DurableCache<Object, Object> cache = open()) {
      assertThat(cache.asMap()).containsExactly(entry(List.of(1), "3"));
      assertThat(isReformed(cache)).isTrue();
    }
  }

  @Test
  void aFullCacheGivesItsEntriesOtherKeysAsFarAsThereIsRoom() throws IOException {
    int length = 20_000;
    earlier(
        cache -> {
          for (int i = 0; i < 100; i++) {
            cache.put(List.of(i), Caches.value(i, length));
          }
        });
    try (DurableCache<Object, Object> cache = open()) {
      int found = 0;
      for (int i = 0; i < 100; i++) {
        Object value = cache.getIfPresent(Arrays.asList(i));
        if (value != null) {
          assertThat((byte[]) value).isEqualTo(Caches.value(i, length));
          found++;
        }
      }
      assertThat(found).isPositive().isEqualTo((int) cache.estimatedSize());
      assertThat(cache.asMap()).hasSize(found);
    }
  }

  @Test
  void allThreadsWaitForTheOneThatDoesIt() throws Exception {
    earlier(
        cache -> {
          for (int i = 0; i < 200; i++) {
            cache.put(List.of(i), i);
          }
        });
    try (DurableCache<Object, Object> cache = open();
        ExecutorService threads = Executors.newFixedThreadPool(8)) {
      List<Future<Object>> found = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        List<Integer> key = Arrays.asList(i);
        found.add(threads.submit(() -> cache.getIfPresent(key)));
      }
      for (int i = 0; i < 200; i++) {
        assertThat(Limit.get(found.get(i))).isEqualTo(i);
      }
    }
  }

  @Test
  void aFunctionForOneKeyMayBeTheFirstThatUsesAnother() throws Exception {
    earlier(List.of(1), "1", "text", "2");
    try (DurableCache<Object, Object> cache = open()) {
      assertThat(cache.compute("text", (key, old) -> cache.getIfPresent(Arrays.asList(1))))
          .isEqualTo("1");
    }
  }

  @Test
  void aListenerMayUseTheCacheWhileKeysGetAnotherForm() throws Exception {
    earlier(
        cache -> {
          for (int i = 0; i < 100; i++) {
            cache.put(List.of(i), Caches.value(i, 20_000));
          }
        });
    AtomicReference<DurableCache<Object, Object>> cache = new AtomicReference<>();
    try (DurableCache<Object, Object> opened =
        builder(present())
            .removalListener(
                (key, value, cause) -> {
                  Object _ = cache.get().getIfPresent(List.of("other"));
                })
            .open()) {
      cache.set(opened);
      assertThat(opened.getIfPresent(List.of(-1))).isNull();
      assertThat(isReformed(opened)).isTrue();
    }
  }
}
