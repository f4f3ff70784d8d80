package io.everheap.cache;

import static io.everheap.cache.Caches.key;
import static io.everheap.cache.Caches.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.cache.policy.Lru;
import io.everheap.cache.policy.Policy;
import io.everheap.cache.store.BlockStore;
import io.everheap.cache.store.Cause;
import io.everheap.cache.store.Departure;
import io.everheap.cache.store.Draft;
import io.everheap.cache.store.Place;
import io.everheap.error.MediumException;
import io.everheap.memory.FileMedium;
import io.everheap.support.Limit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parts of a cache, of its medium or of the program that fail, or take long. */
class CacheFailuresTest {
  private static final Executor THREADS = task -> Thread.ofPlatform().daemon().start(task);

  @TempDir Path directory;

  private void fill() {
    try (BlockCache cache = Caches.small(directory).open()) {
      cache.put(key(1), value(1, 100));
    }
  }

  @Test
  void aFailedWriteBackStopsTheCache() {
    var fails = new AtomicBoolean();
    BlockCacheBuilder builder =
        Caches.small(directory)
            .strict()
            .media(
                path ->
                    HookedFiles.open(
                        path,
                        call -> {},
                        region ->
                            new HookedFiles.Mapping(region) {
                              @Override
                              public void force(long offset, long length) {
                                if (fails.get()) {
                                  throw new UncheckedIOException(new IOException("lost"));
                                }
                                super.force(offset, length);
                              }
                            }));
    try (BlockCache cache = builder.open()) {
      cache.put(key(1), value(1, 100));
      fails.set(true);
      assertThatThrownBy(() -> cache.invalidate(key(1))).isInstanceOf(MediumException.class);
      fails.set(false); // the system forgets what it could not write
      assertThatThrownBy(() -> cache.invalidate(key(1))).isInstanceOf(MediumException.class);
    }
  }

  @Test
  void aCloseWaitsForWhatUsesTheMemory() {
    Path other = directory.resolve("other");
    var uses = new AtomicInteger(3);
    BlockCacheBuilder builder =
        Caches.small(directory)
            .directory(other, Caches.SMALL)
            .media(
                path ->
                    HookedFiles.open(
                        path,
                        call -> {},
                        region ->
                            new HookedFiles.Mapping(region) {
                              @Override
                              public void close() {
                                if (uses.getAndDecrement() > 0) {
                                  throw new IllegalStateException("in use");
                                }
                                super.close();
                              }
                            }));
    builder.open().close();
    assertThat(uses).hasNonPositiveValue();
    builder.open().close();
  }

  @Test
  void aCloseThatFailsClosesTheRest() {
    var fails = new AtomicBoolean(true);
    BlockCacheBuilder builder =
        Caches.small(directory)
            .directory(directory.resolve("other"), Caches.SMALL)
            .media(
                path ->
                    HookedFiles.open(
                        path,
                        call -> {},
                        region ->
                            new HookedFiles.Mapping(region) {
                              @Override
                              public void close() {
                                super.close();
                                if (fails.getAndSet(false)) {
                                  throw new OutOfMemoryError("of the test");
                                }
                              }
                            }));
    BlockCache cache = builder.open();
    assertThatThrownBy(cache::close).isInstanceOf(OutOfMemoryError.class);
    builder.open().close();
  }

  @Test
  void aSecondCloseWaitsForTheFirst() throws Exception {
    var closing = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    var isClosed = new AtomicBoolean();
    BlockCacheBuilder builder =
        Caches.small(directory)
            .media(
                path ->
                    HookedFiles.open(
                        path,
                        call -> {},
                        region ->
                            new HookedFiles.Mapping(region) {
                              @Override
                              public void close() {
                                closing.countDown();
                                await(goOn);
                                super.close();
                                isClosed.set(true);
                              }
                            }));
    BlockCache cache = builder.open();
    Thread first = Thread.ofPlatform().daemon().start(cache::close);
    await(closing);
    var wasClosed = new AtomicBoolean();
    Thread second =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  cache.close();
                  wasClosed.set(isClosed.get());
                });
    Limit.until(
        "the second close waits, or ended too early",
        () -> second.getState() != Thread.State.RUNNABLE);
    goOn.countDown();
    Limit.join(first);
    Limit.join(second);
    assertThat(wasClosed).isTrue();
  }

  @Test
  void aKeyThatCannotBeReadIsAMiss() {
    try (BlockCache cache = Caches.small(directory).open()) {
      for (int i = 1; i <= 3; i++) {
        cache.put(key(i), value(i, 100));
      }
    }
    var fails = new AtomicBoolean();
    BlockCacheBuilder builder =
        Caches.small(directory)
            .media(
                path ->
                    HookedFiles.open(
                        path,
                        call -> {},
                        region ->
                            new HookedFiles.Mapping(region) {
                              @Override
                              public long mismatch(long offset, byte[] other, int at, int length) {
                                if (fails.get()) {
                                  throw new InternalError("a sector cannot be read");
                                }
                                return super.mismatch(offset, other, at, length);
                              }
                            }));
    try (BlockCache cache = builder.open()) {
      cache.awaitIndexed();
      fails.set(true);
      assertThat(cache.get(key(1))).isNull();
      assertThat(cache.contains(key(1))).isFalse();
      assertThat(cache.stats().misses()).isEqualTo(1);
      assertThat(cache.stats().damaged()).isEqualTo(1);
      assertThat(cache.put(key(2), value(-2, 100))).isTrue();
      assertThat(cache.invalidate(key(3))).isTrue();
      fails.set(false);
      assertThat(cache.stats().pinnedBytes()).isZero();
      assertThat(cache.stats().entries()).isEqualTo(1);
      assertThat(Caches.holds(cache, 2, value(-2, 100))).isTrue();
    }
  }

  @Test
  void aSegmentThatIsFilledKeepsNoOtherChangeWaiting() throws Exception {
    var armed = new AtomicBoolean();
    var filling = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    BlockCacheBuilder builder =
        Caches.small(directory)
            .media(
                path ->
                    HookedFiles.open(
                        path,
                        call -> {
                          if (call.equals("write") && armed.getAndSet(false)) {
                            filling.countDown();
                            await(goOn);
                          }
                        },
                        region -> region));
    try (BlockCache cache = builder.open()) {
      cache.put(key(1), value(1, 40_000));
      armed.set(true);
      CompletableFuture<Boolean> large = later(() -> cache.put(key(2), value(2, 40_000)));
      await(filling);
      CompletableFuture<Boolean> others =
          later(() -> cache.put(key(3), value(3, 100)) && cache.invalidate(key(1)));
      assertThat(others).succeedsWithin(Limit.limit()).isEqualTo(true);
      goOn.countDown();
      assertThat(large).succeedsWithin(Limit.limit()).isEqualTo(true);
      assertThat(Caches.holds(cache, 2, value(2, 40_000))).isTrue();
      assertThat(Caches.holds(cache, 3, value(3, 100))).isTrue();
    }
  }

  private static <T> CompletableFuture<T> later(Supplier<T> action) {
    return CompletableFuture.supplyAsync(action, THREADS);
  }

  private static void await(CountDownLatch latch) {
    try {
      Limit.await(latch);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aRecoveryThatCannotBeCompletedIsNotWaitedFor() {
    fill();
    var fails = new AtomicBoolean(true);
    try (BlockStore store =
        open(lru -> failing(lru, "restored(int[])", fails), departure -> {}, cause -> false)) {
      assertThatThrownBy(store::awaitIndexed).isInstanceOf(OutOfMemoryError.class);
      assertThat(CompletableFuture.runAsync(store::awaitIndexed, THREADS))
          .failsWithin(Limit.limit())
          .withThrowableThat()
          .withCauseInstanceOf(MediumException.class);
    }
  }

  /** A policy of which one method has no memory. */
  private static Policy failing(Policy policy, String signature, AtomicBoolean fails) {
    return (Policy)
        Proxy.newProxyInstance(
            Policy.class.getClassLoader(),
            new Class<?>[] {Policy.class},
            (proxy, method, arguments) -> {
              if (fails.get() && method.toString().contains(signature)) {
                throw new OutOfMemoryError("of the test");
              }
              try {
                return method.invoke(policy, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** They are more than there are processors, and none of them may keep its carrier. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void threadsThatWaitForEntriesOfEarlierOpeningsAreToldAtTheBeginningOfAClose(boolean virtual)
      throws Exception {
    fill();
    BlockStore store = open(lru -> lru, departure -> {}, cause -> false);
    store.stopRecovery(); // as the close begins
    List<Throwable> told = new CopyOnWriteArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i <= 2 * Runtime.getRuntime().availableProcessors(); i++) {
      var thread = virtual ? Thread.ofVirtual() : Thread.ofPlatform().daemon();
      threads.add(
          thread.uncaughtExceptionHandler((t, e) -> told.add(e)).start(store::awaitIndexed));
    }
    for (Thread thread : threads) {
      Limit.join(thread);
    }
    assertThat(told)
        .hasSameSizeAs(threads)
        .allSatisfy(
            e ->
                assertThat(e)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the cache is closed"));
    store.close();
  }

  /** A store that asks before it tells the listener of an entry. */
  private BlockStore telling(Consumer<Departure> listener, Predicate<Cause> told) {
    BlockStore store = open(lru -> lru, listener, told);
    store.awaitIndexed();
    return store;
  }

  private BlockStore open(
      UnaryOperator<Policy> policy, Consumer<Departure> listener, Predicate<Cause> told) {
    var options =
        new BlockStore.Options(
            Caches.SEGMENT,
            false,
            null,
            null,
            () -> 1,
            (entries, granules) -> policy.apply(new Lru(entries)),
            listener,
            told,
            null);
    var place = new Place(FileMedium.open(directory, false, true), Caches.SMALL);
    return BlockStore.open(List.of(place), options);
  }

  private static void insert(BlockStore store, int key) {
    insert(store, key, value(key, 100));
  }

  private static void insert(BlockStore store, int key, byte[] value) {
    byte[] name = key(key);
    Draft draft = Objects.requireNonNull(store.allocate(name, store.hash(name), value.length));
    draft.memory().copyFrom(MemorySegment.ofArray(value));
    store.insert(draft, Long.MAX_VALUE);
  }

  private static Predicate<Cause> failingIf(AtomicBoolean fails) {
    return cause -> {
      if (fails.get()) {
        throw new OutOfMemoryError("of the test");
      }
      return true;
    };
  }

  @Test
  void anEntryStaysThatThereIsNoMemoryToTellOf() {
    var fails = new AtomicBoolean();
    try (BlockStore store = telling(departure -> {}, failingIf(fails))) {
      byte[] name = key(1);
      long hash = store.hash(name);
      insert(store, 1);
      fails.set(true);
      assertThatThrownBy(() -> store.remove(name, hash, Cause.EXPLICIT))
          .isInstanceOf(OutOfMemoryError.class);
      fails.set(false);
      assertThat(store.usage().entries()).isEqualTo(1);
      assertThat(store.remove(name, hash, Cause.EXPLICIT)).isTrue();
      assertThat(store.usage().free()).isEqualTo(Caches.SEGMENT / 64 - 1 - 64); // all but the table
    }
  }

  @Test
  void anEntryThatCouldNotBeReplacedStaysAwayAfterItsRemoval() {
    var fails = new AtomicBoolean();
    List<Cause> told = new ArrayList<>();
    byte[] name = key(1);
    try (BlockStore store = telling(departure -> told.add(departure.cause()), failingIf(fails))) {
      long hash = store.hash(name);
      insert(store, 1);
      fails.set(true);
      assertThatThrownBy(() -> insert(store, 1)).isInstanceOf(OutOfMemoryError.class);
      fails.set(false);
      assertThat(store.remove(name, hash, Cause.EXPLICIT)).isTrue();
      assertThat(told).containsExactly(Cause.EXPLICIT);
      assertThat(store.usage().free()).isEqualTo(Caches.SEGMENT / 64 - 1 - 64); // all but the table
    }
    try (BlockStore store = telling(departure -> {}, cause -> true)) {
      assertThat(store.peek(name, store.hash(name))).isNegative();
    }
  }

  @Test
  void aChangeThatEndsHalfWayIsTheLastOne() {
    List<Cause> told = new ArrayList<>();
    var fails = new AtomicBoolean();
    byte[] name = key(1);
    try (BlockStore store =
        open(
            lru -> failing(lru, "removed(", fails),
            departure -> told.add(departure.cause()),
            cause -> true)) {
      store.awaitIndexed();
      insert(store, 1);
      fails.set(true);
      assertThatThrownBy(() -> insert(store, 1)).isInstanceOf(OutOfMemoryError.class);
      fails.set(false);
      assertThatThrownBy(() -> store.remove(name, store.hash(name), Cause.EXPLICIT))
          .isInstanceOf(MediumException.class)
          .hasCauseInstanceOf(OutOfMemoryError.class);
      assertThatThrownBy(() -> insert(store, 2)).isInstanceOf(MediumException.class);
      assertThat(told).isEmpty();
    }
    try (BlockStore store = telling(departure -> {}, cause -> true)) {
      assertThat(store.usage().entries()).isEqualTo(1);
    }
  }

  @Test
  void aListenerThatFillsTheNextSegmentKeepsWhatItPutThere() {
    var asked = new AtomicInteger();
    List<BlockStore> opened = new ArrayList<>();
    byte[] large = value(20, 40_000);
    // Of several ends each second one fails, so that those before it are told at the next change.
    Predicate<Cause> told =
        cause -> {
          if (asked.incrementAndGet() % 2 == 0) {
            throw new OutOfMemoryError("of the test");
          }
          return true;
        };
    var count = new AtomicInteger();
    Consumer<Departure> listener =
        departure -> {
          switch (count.incrementAndGet()) {
            case 1 ->
                assertThatThrownBy(() -> opened.getFirst().removeAll())
                    .isInstanceOf(OutOfMemoryError.class);
            case 2 -> insert(opened.getFirst(), 20, large);
            default -> {}
          }
        };
    try (BlockStore store = telling(listener, told)) {
      opened.add(store);
      for (int i = 1; i <= 4; i++) {
        insert(store, i);
      }
      insert(store, 10, value(10, 40_000));
      assertThatThrownBy(store::removeAll).isInstanceOf(OutOfMemoryError.class);
      insert(store, 11, value(11, 40_000)); // needs the second segment, as the listener does
      assertThat(count).hasValue(2);
      byte[] name = key(20);
      int slot = store.get(name, store.hash(name));
      assertThat(slot).isNotNegative();
      assertThat(store.value(slot).toArray(ValueLayout.JAVA_BYTE)).isEqualTo(large);
      store.unpin(slot);
    }
  }

  @Test
  void anErrorOfAListenerIsNoneOfTheCache() {
    BlockCacheBuilder builder =
        Caches.small(directory)
            .removalListener(
                (key, value, cause) -> {
                  throw new AssertionError("of the test");
                });
    try (BlockCache cache = builder.open()) {
      cache.put(key(1), value(1, 100));
      assertThat(cache.put(key(1), value(2, 100))).isTrue();
      assertThat(Caches.holds(cache, 1, value(2, 100))).isTrue();
    }
  }

  @Test
  void theUpkeepGoesOnAfterAFailure() {
    var failures = new AtomicInteger(1);
    var again = new CountDownLatch(1);
    BlockCacheBuilder builder =
        Caches.small(directory)
            .background(true)
            .syncEvery(Duration.ofMillis(1))
            .clock(
                () -> {
                  if (Thread.currentThread().getName().endsWith("-timer")) {
                    if (failures.getAndDecrement() > 0) {
                      throw new OutOfMemoryError("of the test");
                    }
                    again.countDown();
                  }
                  return 1_000_000;
                });
    try (BlockCache cache = builder.open()) {
      cache.awaitIndexed();
      try (BlockInsert insert = cache.allocate(key(1), 10)) {
        assertThat(insert).isNotNull();
        insert.insert(Instant.ofEpochMilli(2_000_000));
      }
      await(again);
    }
  }
}
