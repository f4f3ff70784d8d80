package io.everheap.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.everheap.cache.codec.CacheCodecs;
import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.codec.Codecs;
import io.everheap.support.Limit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cache of objects. */
class DurableCacheTest {
  /** Texts that are equal whatever their case, as a program might have it. */
  static final class Loose implements Codec<String> {
    @Override
    public String name() {
      return "loose";
    }

    @Override
    public void write(String value, CodecOutput out) {
      Codecs.STRING.write(value, out);
    }

    @Override
    public String read(CodecInput in) {
      return Codecs.STRING.read(in);
    }
  }

  /** Texts, of which one cannot be read any more. */
  record Changed(String unreadable) implements Codec<String> {
    @Override
    public String name() {
      return "changed";
    }

    @Override
    public void write(String value, CodecOutput out) {
      Codecs.STRING.write(value, out);
    }

    @Override
    public String read(CodecInput in) {
      String value = Codecs.STRING.read(in);
      if (value.equals(unreadable)) {
        throw in.corrupt("found " + value);
      }
      return value;
    }

    @Override
    public boolean canonical() {
      return true;
    }
  }

  /** A value. */
  record Person(String name, int age) {}

  private static final Executor THREADS = task -> Thread.ofPlatform().daemon().start(task);

  @TempDir Path directory;
  private final AtomicLong now = new AtomicLong(1_000_000);

  private DurableCacheBuilder<String, Person> builder() {
    return DurableCache.builder(directory, Caches.SMALL, String.class, Person.class)
        .blocks(b -> b.segmentSize(Caches.SEGMENT).onFile().background(false).clock(now::get));
  }

  @Test
  void valuesAreThereAfterARestart() {
    try (DurableCache<String, Person> cache = builder().open()) {
      cache.put("ann", new Person("Ann", 30));
      cache.put("bob", new Person("Bob", 40));
      cache.invalidate("bob");
    }
    try (DurableCache<String, Person> cache = builder().open()) {
      cache.blocks().awaitIndexed();
      assertThat(cache.getIfPresent("ann")).isEqualTo(new Person("Ann", 30));
      assertThat(cache.getIfPresent("bob")).isNull();
    }
  }

  @Test
  void whatIsRemovedBeforeItWasFoundAgainStaysAway() {
    try (DurableCache<String, Person> cache = builder().open()) {
      for (String key : List.of("a", "b", "c", "d")) {
        cache.put(key, new Person(key, 1));
      }
    }
    try (DurableCache<String, Person> cache = builder().open()) {
      assertThat(cache.asMap().remove("a")).isNull();
      assertThat(cache.compute("b", (key, old) -> null)).isNull();
      cache.invalidate("c");
      assertThat(cache.asMap().remove("d", new Person("d", 1))).isFalse();
      cache.blocks().awaitIndexed();
      assertThat(cache.asMap()).containsOnlyKeys("d");
    }
  }

  @Test
  void whatIsLoadedWinsOverWhatIsFoundLater() {
    try (DurableCache<String, Person> cache = builder().open()) {
      cache.put("ann", new Person("Ann", 1));
      cache.put("bob", new Person("Bob", 1));
    }
    try (DurableCache<String, Person> cache = builder().open()) {
      assertThat(cache.get("ann", name -> new Person("Ann", 2))).isEqualTo(new Person("Ann", 2));
      cache.blocks().awaitIndexed();
      assertThat(cache.getIfPresent("ann")).isEqualTo(new Person("Ann", 2));
      assertThat(cache.getIfPresent("bob")).isEqualTo(new Person("Bob", 1));
    }
  }

  @Test
  void entriesOfOtherCodecsAreDropped() {
    try (DurableCache<String, Person> cache = builder().open()) {
      cache.put("ann", new Person("Ann", 30));
    }
    try (DurableCache<String, Long> cache =
        DurableCache.builder(directory, Caches.SMALL, String.class, Long.class)
            .blocks(b -> b.onFile().background(false))
            .open()) {
      cache.blocks().awaitIndexed();
      assertThat(cache.getIfPresent("ann")).isNull();
    }
  }

  @Test
  void anEntryThatTheCodecDoesNotAcceptAnyMoreIsAMiss() {
    try (DurableCache<String, String> cache = changed("none")) {
      cache.put("a", "1");
      cache.put("b", "2");
      cache.put("c", "b");
    }
    try (DurableCache<String, String> cache = changed("b")) {
      cache.blocks().awaitIndexed();
      assertThat(cache.asMap()).containsOnlyKeys("a");
      assertThat(cache.timed().peek("c")).isNull();
      assertThat(cache.getIfPresent("c")).isNull();
      assertThat(cache.asMap().containsKey("c")).isFalse();
    }
  }

  @Test
  void anEntryThatOneProgramCannotReadIsKeptForTheNextOne() {
    try (DurableCache<String, String> cache = changed("none")) {
      cache.put("a", "1");
      cache.put("b", "2");
      cache.put("c", "2");
    }
    try (DurableCache<String, String> cache = changed("2")) {
      cache.blocks().awaitIndexed();
      assertThat(cache.getIfPresent("b")).isNull();
      cache.asMap().entrySet().removeIf(entry -> false);
      assertThat(cache.get("c", key -> "3")).isEqualTo("3");
    }
    try (DurableCache<String, String> cache = changed("none")) {
      cache.blocks().awaitIndexed();
      assertThat(cache.asMap()).containsOnly(entry("a", "1"), entry("b", "2"), entry("c", "3"));
    }
  }

  /** Keys whose bytes are others after they were decoded and encoded again. */
  @Test
  void whatAnIteratorReturnedIsChangedAndRemovedByItsStoredKey() {
    ClassLoader loader = getClass().getClassLoader();
    try (DurableCache<Object, String> cache =
        DurableCache.builder(
                directory,
                Caches.SMALL,
                CacheCodecs.keys(Object.class, loader, Caches.OWN),
                Codecs.STRING)
            .open()) {
      for (int i = 0; i < 4; i++) {
        Set<Object> key = new HashSet<>(1000); // the capacity is serialized, and not kept
        key.add("key " + i);
        cache.put(key, "value " + i);
      }
      Map<Object, String> map = cache.asMap();
      assertThat(map).hasSize(4);
      for (Map.Entry<Object, String> entry : map.entrySet()) {
        entry.setValue("new");
      }
      assertThat(map.values()).containsExactly("new", "new", "new", "new");
      Iterator<Object> keys = map.keySet().iterator();
      keys.next();
      keys.remove();
      assertThat(map.entrySet()).hasSize(3);
      assertThat(map.entrySet().removeIf(entry -> true)).isTrue();
      assertThat(map.entrySet()).isEmpty();
      assertThat(cache.blocks().stats().entries()).isZero();
    }
  }

  @Test
  void aRemovalCoversAValueThatTheCodecDoesNotAccept() {
    try (DurableCache<String, String> cache = changed("none")) {
      cache.put("a", "1");
      cache.put("b", "1");
    }
    try (DurableCache<String, String> cache = changed("1")) {
      cache.blocks().awaitIndexed();
      assertThat(cache.asMap().remove("a")).isNull();
      assertThat(cache.compute("b", (key, old) -> null)).isNull();
    }
    try (DurableCache<String, String> cache = changed("none")) {
      cache.blocks().awaitIndexed();
      assertThat(cache.asMap()).isEmpty();
    }
  }

  private DurableCache<String, String> changed(String unreadable) {
    Codec<String> codec = new Changed(unreadable);
    return DurableCache.builder(directory, Caches.SMALL, codec, codec)
        .blocks(b -> b.segmentSize(Caches.SEGMENT).onFile().background(false))
        .open();
  }

  @Test
  void keysMustBeFoundByTheirBytes() {
    assertThatThrownBy(
            () -> DurableCache.builder(directory, Caches.SMALL, new Loose(), Codecs.LONG))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aMissingValueIsLoadedOnce() {
    AtomicInteger loads = new AtomicInteger();
    try (DurableCache<String, Person> cache =
        builder().loader(key -> new Person(key, loads.incrementAndGet())).open()) {
      assertThat(cache.get("ann")).isEqualTo(new Person("ann", 1));
      assertThat(cache.get("ann")).isEqualTo(new Person("ann", 1));
      assertThat(cache.get("bob", key -> null)).isNull();
      assertThat(cache.getIfPresent("bob")).isNull();
      assertThatThrownBy(
              () ->
                  cache.get(
                      "eve",
                      key -> {
                        throw new UnsupportedOperationException(key);
                      }))
          .isInstanceOf(UnsupportedOperationException.class);
      assertThat(cache.stats().loads()).isEqualTo(2);
      assertThat(cache.stats().loadFailures()).isEqualTo(1);
      assertThat(cache.getAll(List.of("ann", "cid"))).containsOnlyKeys("ann", "cid");
    }
  }

  @RepeatedTest(50) // whether threads wait for the load or for its lock differs
  void allThatAskGetTheResultOfOneLoad() throws Exception {
    AtomicInteger loads = new AtomicInteger();
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    try (DurableCache<String, Person> cache = builder().open();
        ExecutorService threads = Executors.newCachedThreadPool()) {
      List<CompletableFuture<Person>> all = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        all.add(
            CompletableFuture.supplyAsync(
                () ->
                    cache.get(
                        "ann",
                        key -> {
                          asked.countDown();
                          await(answer);
                          return new Person(key, loads.incrementAndGet());
                        }),
                threads));
      }
      await(asked);
      answer.countDown();
      for (CompletableFuture<Person> each : all) {
        assertThat(Limit.get(each)).isEqualTo(new Person("ann", 1));
      }
    }
  }

  @Test
  void aLoadDoesNotUndoAChange() throws Exception {
    List<Change> changes =
        List.of(
            cache -> cache.invalidate("ann"),
            cache -> cache.put("ann", new Person("new", 2)),
            DurableCache::invalidateAll,
            cache -> cache.asMap().remove("ann"),
            cache -> cache.asMap().merge("ann", new Person("new", 2), (a, b) -> b));
    try (DurableCache<String, Person> cache = builder().open();
        ExecutorService threads = Executors.newCachedThreadPool()) {
      for (Change change : changes) {
        cache.invalidate("ann");
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        CompletableFuture<Person> loaded =
            CompletableFuture.supplyAsync(
                () ->
                    cache.get(
                        "ann",
                        key -> {
                          asked.countDown();
                          await(answer);
                          return new Person("old", 1);
                        }),
                threads);
        await(asked);
        change.make(cache);
        answer.countDown();
        assertThat(Limit.get(loaded)).isEqualTo(new Person("old", 1));
        assertThat(cache.getIfPresent("ann")).isNotEqualTo(new Person("old", 1));
      }
    }
  }

  private interface Change {
    void make(DurableCache<String, Person> cache);
  }

  private static void await(CountDownLatch latch) {
    try {
      Limit.await(latch);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aLoaderThatAsksForItsKeyIsRefused() {
    try (DurableCache<String, Person> cache = builder().open()) {
      assertThatThrownBy(
              () -> cache.get("ann", key -> cache.get(key, other -> new Person(other, 1))))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(
              () ->
                  cache.compute(
                      "ann",
                      (key, old) -> {
                        cache.put(key, new Person("x", 1));
                        return null;
                      }))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void valuesAreLoadedTogether() {
    List<Set<? extends String>> asked = new ArrayList<>();
    try (DurableCache<String, Person> cache = builder().open()) {
      cache.put("a", new Person("a", 0));
      Map<String, Person> all =
          cache.getAll(
              List.of("c", "a", "b", "d"),
              keys -> {
                asked.add(keys);
                return Map.of(
                    "b", new Person("b", 1), "c", new Person("c", 1), "z", new Person("z", 1));
              });
      assertThat(all).containsOnlyKeys("c", "a", "b");
      assertThat(asked).isEqualTo(List.of(Set.of("b", "c", "d")));
      assertThat(cache.getAllPresent(List.of("b", "z", "d"))).containsOnlyKeys("b", "z");
    }
  }

  @Test
  void valuesAreLoadedByTheExecutor() throws Exception {
    List<Runnable> tasks = new ArrayList<>();
    try (DurableCache<String, Person> cache = builder().executor(tasks::add).open()) {
      CompletableFuture<Person> loading = cache.getAsync("ann", key -> new Person(key, 1));
      assertThat(loading).isNotDone();
      tasks.removeFirst().run();
      assertThat(loading.get()).isEqualTo(new Person("ann", 1));
      assertThat(cache.getAsync("ann", key -> null)).isCompletedWithValue(new Person("ann", 1));
    }
  }

  @Test
  void aKeyThatCannotBeWrittenFailsInTheFuture() {
    try (DurableCache<String, String> cache =
        DurableCache.builder(directory, 1 << 20, new Refusing("bad"), Codecs.STRING)
            .executor(
                task -> {
                  throw new RejectedExecutionException("of the test");
                })
            .open()) {
      assertThat(cache.getAsync("bad", key -> "1"))
          .isCompletedExceptionally()
          .isNotCancelled()
          .failsWithin(Duration.ZERO)
          .withThrowableThat()
          .withCauseInstanceOf(IllegalArgumentException.class);
      assertThat(cache.getAsync("good", key -> "1"))
          .failsWithin(Duration.ZERO)
          .withThrowableThat()
          .withCauseInstanceOf(RejectedExecutionException.class);
      assertThatThrownBy(() -> cache.getAsync(null, key -> "1"))
          .isInstanceOf(NullPointerException.class);
    }
  }

  @Test
  void entriesExpireAfterTheyWereWrittenAlsoAcrossARestart() {
    var options = builder().expireAfterWrite(Duration.ofMillis(100));
    try (DurableCache<String, Person> cache = options.open()) {
      cache.put("ann", new Person("ann", 1));
      now.addAndGet(60);
      cache.put("bob", new Person("bob", 1));
    }
    now.addAndGet(40);
    try (DurableCache<String, Person> cache = options.open()) {
      cache.blocks().awaitIndexed();
      assertThat(cache.getIfPresent("ann")).isNull();
      assertThat(cache.getIfPresent("bob")).isNotNull();
      now.addAndGet(60);
      assertThat(cache.asMap()).doesNotContainKey("bob").isEmpty();
    }
  }

  @Test
  void entriesExpireWhenTheyAreIdleAlsoAcrossARestart() {
    var options = builder().expireAfterAccess(Duration.ofMillis(100));
    try (DurableCache<String, Person> cache = options.open()) {
      cache.put("ann", new Person("ann", 1));
      cache.put("bob", new Person("bob", 1));
      now.addAndGet(60);
      assertThat(cache.getIfPresent("ann")).isNotNull();
    }
    now.addAndGet(60);
    try (DurableCache<String, Person> cache = options.open()) {
      cache.blocks().awaitIndexed();
      assertThat(cache.getIfPresent("ann")).isNotNull();
      assertThat(cache.getIfPresent("bob")).isNull();
      now.addAndGet(100);
      assertThat(cache.getIfPresent("ann")).isNull();
    }
  }

  @Test
  void eachEntryMayHaveATimeOfItsOwn() {
    CacheExpiry<String, Person> ages =
        new CacheExpiry<>() {
          @Override
          public Duration afterCreate(String key, Person value) {
            return value.age() == 0 ? null : Duration.ofMillis(value.age());
          }

          @Override
          public Duration afterUpdate(String key, Person value) {
            return Duration.ofMillis(5);
          }
        };
    try (DurableCache<String, Person> cache = builder().expireAfter(ages).open()) {
      cache.put("ten", new Person("ten", 10));
      cache.put("twenty", new Person("twenty", 20));
      cache.put("ever", new Person("ever", 0));
      cache.put("changed", new Person("changed", 50));
      cache.put("changed", new Person("changed", 50));
      cache.put("given", new Person("given", 10), Duration.ofMillis(30));
      now.addAndGet(10);
      assertThat(cache.getAllPresent(List.of("ten", "twenty", "ever", "changed", "given")))
          .containsOnlyKeys("twenty", "ever", "given");
      now.addAndGet(1000);
      assertThat(cache.getAllPresent(List.of("twenty", "ever", "given"))).containsOnlyKeys("ever");
    }
  }

  @Test
  void theMapIsAViewOfTheCache() {
    try (DurableCache<String, Person> cache = builder().open()) {
      Map<String, Person> map = cache.asMap();
      Person one = new Person("one", 1);
      Person two = new Person("two", 2);
      assertThat(map.put("a", one)).isNull();
      assertThat(map.put("a", two)).isEqualTo(one);
      assertThat(map.putIfAbsent("a", one)).isEqualTo(two);
      assertThat(map.putIfAbsent("b", one)).isNull();
      assertThat(map.replace("c", one)).isNull();
      assertThat(map.replace("b", two)).isEqualTo(one);
      assertThat(map.replace("b", one, two)).isFalse();
      assertThat(map.replace("b", two, one)).isTrue();
      assertThat(map.remove("b", two)).isFalse();
      assertThat(map).containsOnly(entry("a", two), entry("b", one)).hasSize(2);
      assertThat(map.remove("b", one)).isTrue();
      assertThat(map.computeIfAbsent("b", key -> new Person(key, 3))).isEqualTo(new Person("b", 3));
      assertThat(map.computeIfPresent("b", (key, old) -> null)).isNull();
      assertThat(map.compute("b", (key, old) -> old == null ? one : two)).isEqualTo(one);
      assertThat(map.merge("b", two, (old, add) -> new Person("both", old.age() + add.age())))
          .isEqualTo(new Person("both", 3));
      assertThat(map.remove("b")).isEqualTo(new Person("both", 3));
      map.keySet().remove("a");
      assertThat(map).isEmpty();
      map.put("z", one);
      map.values().removeIf(person -> person.age() == 1);
      assertThat(map).isEmpty();
      map.put("z", one);
      map.clear();
      assertThat(cache.estimatedSize()).isZero();
    }
  }

  @Test
  void removalsAreTold() {
    List<String> told = new ArrayList<>();
    try (DurableCache<String, Person> cache =
        builder()
            .executor(Runnable::run)
            .removalListener((key, value, cause) -> told.add(key + " " + value.age() + " " + cause))
            .open()) {
      cache.put("a", new Person("a", 1));
      cache.put("a", new Person("a", 2));
      cache.put("a", new Person("a", 3), Duration.ofMillis(5));
      now.addAndGet(5);
      assertThat(cache.getIfPresent("a")).isNull();
      cache.put("b", new Person("b", 1));
      cache.invalidate("b");
      assertThat(told)
          .containsExactly("a 1 REPLACED", "a 2 REPLACED", "a 3 EXPIRED", "b 1 EXPLICIT");
    }
  }

  @Test
  void removalsAreToldForTheCausesThatWereAskedFor() {
    List<String> told = new ArrayList<>();
    try (DurableCache<String, Person> cache =
        builder()
            .executor(Runnable::run)
            .removalListener(
                (key, value, cause) -> told.add(key + " " + cause), Set.of(RemovalCause.EXPIRED))
            .open()) {
      cache.put("a", new Person("a", 1), Duration.ofMillis(5));
      cache.put("b", new Person("b", 1));
      cache.put("b", new Person("b", 2));
      cache.invalidate("b");
      now.addAndGet(5);
      assertThat(cache.getIfPresent("a")).isNull();
      assertThat(told).containsExactly("a EXPIRED");
    }
  }

  @Test
  void aValueThatDoesNotFitIsCountedAndTheOldOneIsGone() {
    try (DurableCache<String, String> cache =
        DurableCache.builder(directory, Caches.SMALL, String.class, String.class)
            .blocks(b -> b.segmentSize(Caches.SEGMENT).onFile().background(false))
            .open()) {
      cache.put("a", "small");
      cache.put("a", "x".repeat(Caches.SEGMENT));
      assertThat(cache.getIfPresent("a")).isNull();
      assertThat(cache.stats().rejects()).isEqualTo(1);
      assertThat(cache.get("b", key -> "x".repeat(Caches.SEGMENT))).hasSize(Caches.SEGMENT);
      assertThat(cache.getIfPresent("b")).isNull();
    }
  }

  @Test
  void nullsAreRefused() {
    try (DurableCache<String, Person> cache = builder().open()) {
      assertThatThrownBy(() -> cache.put(null, new Person("a", 1)))
          .isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> cache.put("a", null)).isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> cache.getIfPresent(null)).isInstanceOf(NullPointerException.class);
    }
  }

  /** Texts, of which one cannot be written. */
  record Refusing(String unwritable) implements Codec<String> {
    @Override
    public String name() {
      return "refusing";
    }

    @Override
    public boolean canonical() {
      return true;
    }

    @Override
    public void write(String value, CodecOutput out) {
      if (value.equals(unwritable)) {
        throw new IllegalArgumentException("refused " + value);
      }
      Codecs.STRING.write(value, out);
    }

    @Override
    public String read(CodecInput in) {
      return Codecs.STRING.read(in);
    }
  }

  @Test
  void aValueThatCannotBePutKeepsNoOtherLoadWaiting() {
    try (DurableCache<String, String> cache =
        DurableCache.builder(directory, 1 << 20, Codecs.STRING, new Refusing("bad")).open()) {
      assertThatThrownBy(
              () ->
                  cache.getAll(
                      List.of("a", "b", "c"), keys -> Map.of("a", "bad", "b", "1", "c", "bad")))
          .isInstanceOf(IllegalArgumentException.class);
      for (String key : List.of("a", "b", "c")) {
        CompletableFuture<String> later =
            CompletableFuture.supplyAsync(() -> cache.get(key, k -> "2"), THREADS);
        assertThat(later).succeedsWithin(Limit.limit()).isEqualTo(key.equals("b") ? "1" : "2");
      }
    }
  }

  @Test
  void anErrorOfACodecKeepsNoOtherLoadWaiting() {
    Codec<String> codec =
        new Codec<>() {
          @Override
          public String name() {
            return "deep";
          }

          @Override
          public void write(String value, CodecOutput out) {
            if (value.equals("deep")) {
              throw new StackOverflowError("of the test");
            }
            Codecs.STRING.write(value, out);
          }

          @Override
          public String read(CodecInput in) {
            return Codecs.STRING.read(in);
          }
        };
    try (DurableCache<String, String> cache =
        DurableCache.builder(directory, 1 << 20, Codecs.STRING, codec).open()) {
      assertThatThrownBy(
              () -> cache.getAll(List.of("a", "b"), keys -> Map.of("a", "deep", "b", "1")))
          .isInstanceOf(StackOverflowError.class);
      CompletableFuture<String> later =
          CompletableFuture.supplyAsync(() -> cache.get("b", k -> "2"), THREADS);
      assertThat(later).succeedsWithin(Limit.limit()).isEqualTo("1");
    }
  }

  @Test
  void aLoaderThatAwaitsItsOwnKeyIsRefused() {
    try (DurableCache<String, Person> cache = builder().open()) {
      CompletableFuture<Person> loaded =
          CompletableFuture.supplyAsync(
              () -> cache.get("ann", key -> cache.getAsync(key, k -> null).join()), THREADS);
      assertThat(loaded)
          .failsWithin(Limit.limit())
          .withThrowableThat()
          .withCauseInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void aBulkLoadThatIsRefusedKeepsNoOtherLoadWaiting() {
    try (DurableCache<String, String> cache =
        DurableCache.builder(directory, 1 << 20, String.class, String.class).open()) {
      assertThatThrownBy(
              () ->
                  cache.compute(
                      "a",
                      (key, old) -> {
                        Map<String, String> _ = cache.getAll(List.of("b", "a"), keys -> Map.of());
                        return "never";
                      }))
          .isInstanceOf(IllegalStateException.class);
      CompletableFuture<String> later =
          CompletableFuture.supplyAsync(() -> cache.get("b", k -> "2"), THREADS);
      assertThat(later).succeedsWithin(Limit.limit()).isEqualTo("2");
    }
  }

  @Test
  void aMapThatFailsKeepsNoOtherLoadWaiting() {
    Map<String, String> failing =
        new HashMap<>(Map.of("a", "1", "b", "1", "c", "1")) {
          private static final long serialVersionUID = 1L;

          @Override
          public String get(Object key) {
            if (key.equals("b")) {
              throw new IllegalStateException("of the test");
            }
            return super.get(key);
          }
        };
    try (DurableCache<String, String> cache =
        DurableCache.builder(directory, 1 << 20, String.class, String.class).open()) {
      assertThatThrownBy(() -> cache.getAll(List.of("a", "b", "c"), keys -> failing))
          .hasMessage("of the test");
      for (String key : List.of("a", "b", "c")) {
        CompletableFuture<String> later =
            CompletableFuture.supplyAsync(() -> cache.get(key, k -> "2"), THREADS);
        assertThat(later).succeedsWithin(Limit.limit()).isEqualTo(key.equals("b") ? "2" : "1");
      }
    }
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> String sneak(Throwable checked) throws E {
    throw (E) checked;
  }

  @Test
  void aCheckedExceptionOfALoaderIsAFailure() {
    try (DurableCache<String, String> cache =
        DurableCache.builder(directory, 1 << 20, String.class, String.class).open()) {
      assertThatThrownBy(
              () ->
                  cache.get(
                      "a",
                      key -> DurableCacheTest.<RuntimeException>sneak(new Exception("checked"))))
          .hasMessage("checked");
      assertThat(cache.stats().loadFailures()).isEqualTo(1);
    }
  }

  @Test
  void aFunctionMayChangeTheOldValueAndReturnIt() {
    try (DurableCache<String, byte[]> cache =
        DurableCache.builder(directory, 1 << 20, String.class, byte[].class).open()) {
      cache.put("a", new byte[1]);
      cache.compute("a", (key, old) -> incremented(old));
      cache.asMap().computeIfPresent("a", (key, old) -> incremented(old));
      cache.asMap().merge("a", new byte[1], (old, other) -> incremented(old));
      assertThat(cache.getIfPresent("a")).containsExactly(3);
    }
  }

  private static byte[] incremented(byte[] bytes) {
    bytes[0]++;
    return bytes;
  }

  @Test
  void aTimeThatIsTooLongIsForEver() {
    Duration longest = Duration.ofMillis(Long.MAX_VALUE);
    for (Duration time : List.of(longest, Duration.ofSeconds(Long.MAX_VALUE))) {
      try (DurableCache<String, String> cache =
          DurableCache.builder(directory, 1 << 20, String.class, String.class)
              .expireAfterWrite(time)
              .expireAfterAccess(time)
              .open()) {
        cache.put("a", "1");
        cache.put("b", "2", time);
        assertThat(cache.getIfPresent("a")).isEqualTo("1");
        assertThat(cache.getIfPresent("a")).isEqualTo("1");
        assertThat(cache.getIfPresent("b")).isEqualTo("2");
      }
    }
  }

  @Test
  void whatIsPutWhileAnUnreadableValueIsReadStays() {
    AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
    Codec<String> values =
        new Codec<>() {
          @Override
          public String name() {
            return "put meanwhile";
          }

          @Override
          public void write(String value, CodecOutput out) {
            Codecs.STRING.write(value, out);
          }

          @Override
          public String read(CodecInput in) {
            String value = Codecs.STRING.read(in);
            meanwhile.getAndSet(() -> {}).run();
            if (value.equals("unreadable")) {
              throw in.corrupt("found " + value);
            }
            return value;
          }
        };
    try (DurableCache<String, String> cache =
        DurableCache.builder(directory, 1 << 20, Codecs.STRING, values).open()) {
      cache.put("a", "unreadable");
      meanwhile.set(() -> cache.put("a", "new"));
      assertThat(cache.getIfPresent("a")).isNull();
      assertThat(cache.getIfPresent("a")).isEqualTo("new");
      cache.put("b", "unreadable");
      assertThat(cache.getIfPresent("b")).isNull();
      assertThat(cache.blocks().stats().entries()).isEqualTo(2);
    }
  }
}
