package io.everheap.engine.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.ClosedException;
import io.everheap.error.EverheapException;
import io.everheap.error.MediumException;
import io.everheap.error.StoppedException;
import io.everheap.memory.DurableWrite;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Medium;
import io.everheap.support.Limit;
import io.everheap.testkit.HookedMedium;
import io.everheap.testkit.machine.CrashPoint;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads that commit to one log and wait until their records are durable. */
class LogCommitTest {
  private final ReentrantLock writer = new ReentrantLock();
  private final AtomicLong next = new AtomicLong();
  private final SimulatedMedium medium = SimulatedMedium.file(1);
  private volatile Runnable beforeWrite = () -> {};
  private final Medium hooked =
      HookedMedium.of(
          medium,
          new HookedMedium.Hook() {
            @Override
            public void before(String call, String file) {
              if (call.equals("writeDurably")) {
                beforeWrite.run();
              }
            }
          });

  /** One transaction as the transaction layer does it: append under the lock, wait outside. */
  private long commit(LogFixture heap) {
    long value;
    long end;
    writer.lock();
    try {
      value = next.incrementAndGet();
      end = heap.append(value);
    } finally {
      writer.unlock();
    }
    heap.log.awaitDurable(end);
    assertThat(heap.log.durable()).isGreaterThanOrEqualTo(end);
    return value;
  }

  private void commitFrom(ExecutorService threads, int count, int each, LogFixture heap)
      throws Exception {
    try (threads) {
      List<Future<?>> done = new ArrayList<>();
      for (int t = 0; t < count; t++) {
        done.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < each; i++) {
                    commit(heap);
                    if (writer.isLocked() || heap.log.used() > heap.log.limit() / 2) {
                      checkpoint(heap);
                    }
                  }
                  return null;
                }));
      }
      for (Future<?> f : done) {
        Limit.get(f);
      }
    }
  }

  private void checkpoint(LogFixture heap) {
    if (heap.log.used() > heap.log.limit() / 2) {
      writer.lock();
      try {
        heap.checkpoint();
      } finally {
        writer.unlock();
      }
    }
  }

  private static void assertLast(List<Long> values, long last) {
    assertThat(values)
        .isEqualTo(LongStream.rangeClosed(last - values.size() + 1, last).boxed().toList());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 16})
  void threads_that_commit_at_once_lose_nothing(int threads) throws Exception {
    LogFixture heap = LogFixture.create("file");
    commitFrom(Executors.newFixedThreadPool(threads), threads, 2000 / threads, heap);
    heap.powerLoss();
    assertLast(heap.values(), 2000L / threads * threads);
  }

  @Test
  void virtual_threads_that_commit_at_once_lose_nothing() throws Exception {
    LogFixture heap = LogFixture.create("file");
    commitFrom(Executors.newVirtualThreadPerTaskExecutor(), 256, 100, heap);
    heap.powerLoss();
    assertLast(heap.values(), 25_600);
  }

  @ParameterizedTest
  @ValueSource(strings = {"DIRECT_DSYNC", "DSYNC", "FDATASYNC"})
  void virtual_threads_commit_to_real_files(DurableWrite how, @TempDir Path directory)
      throws Exception {
    LogOptions options = new LogOptions(1 << 20, 1 << 20, 8 << 20, 0, how, true);
    try (FileMedium files = FileMedium.open(directory, false, true)) {
      LogFixture heap = LogFixture.create(files, options);
      commitFrom(Executors.newVirtualThreadPerTaskExecutor(), 256, 20, heap);
      heap.log.close();
      assertLast(heap.values(), 5120);
      assertLast(heap.reopen(), 5120);
      heap.commit(5121);
      heap.log.close();
      assertThat(heap.values()).containsExactly(5121L);
    }
  }

  @Test
  void a_lone_committer_writes_by_itself() {
    LogFixture heap = LogFixture.create(hooked);
    Queue<Thread> writers = new ConcurrentLinkedQueue<>();
    beforeWrite = () -> writers.add(Thread.currentThread());
    heap.commit(1);
    assertThat(writers).containsExactly(Thread.currentThread());
  }

  @Test
  void those_who_wait_share_one_write() throws Exception {
    LogFixture heap = LogFixture.create(hooked);
    CountDownLatch writing = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    long first = heap.append(1);
    beforeWrite = () -> await(writing, goOn);
    Thread leader = Thread.ofPlatform().start(() -> heap.log.awaitDurable(first));
    Limit.await(writing);
    beforeWrite = () -> {};
    long before = medium.count(CrashPoint.Kind.DURABLE_WRITE);
    List<Thread> followers = new ArrayList<>();
    for (long value = 2; value <= 9; value++) {
      long end = heap.append(value);
      followers.add(Thread.ofPlatform().start(() -> heap.log.awaitDurable(end)));
    }
    for (Thread follower : followers) {
      Limit.spinUntil("a follower waits", () -> follower.getState() == Thread.State.TIMED_WAITING);
    }
    goOn.countDown();
    Limit.join(leader);
    for (Thread follower : followers) {
      Limit.join(follower);
    }
    assertThat(medium.count(CrashPoint.Kind.DURABLE_WRITE)).isEqualTo(before + 2);
  }

  private static void await(CountDownLatch reached, CountDownLatch goOn) {
    reached.countDown();
    try {
      Limit.await(goOn);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void an_interrupted_leader_commits_and_stays_interrupted() {
    LogFixture heap = LogFixture.create("file");
    Thread.currentThread().interrupt();
    heap.commit(1);
    assertThat(Thread.interrupted()).isTrue();
    heap.powerLoss();
    assertThat(heap.values()).containsExactly(1L);
  }

  @Test
  void an_interrupted_leader_commits_to_a_real_file(@TempDir Path directory) {
    LogOptions options = new LogOptions(1 << 20, 1 << 20, 8 << 20, 0, DurableWrite.DSYNC, true);
    try (FileMedium files = FileMedium.open(directory, false, true)) {
      LogFixture heap = LogFixture.create(files, options);
      Thread.currentThread().interrupt();
      heap.commit(1);
      assertThat(Thread.interrupted()).isTrue();
      heap.commit(2);
      heap.log.close();
      assertThat(heap.values()).containsExactly(1L, 2L);
    }
  }

  @Test
  void an_interrupted_follower_goes_on_waiting_and_stays_interrupted() throws Exception {
    LogFixture heap = LogFixture.create(hooked);
    CountDownLatch writing = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    long first = heap.append(1);
    beforeWrite = () -> await(writing, goOn);
    Thread leader = Thread.ofPlatform().start(() -> heap.log.awaitDurable(first));
    Limit.await(writing);
    beforeWrite = () -> {};
    long second = heap.append(2);
    boolean[] interrupted = new boolean[1];
    Thread follower =
        Thread.ofPlatform()
            .start(
                () -> {
                  heap.log.awaitDurable(second);
                  interrupted[0] = Thread.currentThread().isInterrupted();
                });
    follower.interrupt();
    Limit.spinUntil(
        "the follower cleared its interrupt and waits",
        () -> !follower.isInterrupted() && follower.getState() == Thread.State.TIMED_WAITING);
    assertThat(heap.log.durable()).isZero();
    goOn.countDown();
    Limit.join(follower);
    Limit.join(leader);
    assertThat(interrupted[0]).isTrue();
    assertThat(heap.log.durable()).isEqualTo(second);
  }

  @Test
  void a_failed_write_poisons_all_who_wait_and_all_who_come_later() throws Exception {
    LogFixture heap = LogFixture.create(hooked);
    long durable = heap.commit(1);
    CountDownLatch writing = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    long end = heap.append(2);
    beforeWrite =
        () -> {
          await(writing, goOn);
          throw new MediumException("EIO", null);
        };
    try (ExecutorService threads = Executors.newFixedThreadPool(20)) {
      List<Future<?>> waiting = new ArrayList<>();
      waiting.add(threads.submit(() -> heap.log.awaitDurable(end)));
      Limit.await(writing);
      for (long value = 3; value <= 20; value++) {
        long later = heap.append(value);
        waiting.add(threads.submit(() -> heap.log.awaitDurable(later)));
      }
      List<EverheapException> outcomes = new ArrayList<>();
      heap.log.whenDurable(heap.log.appended(), outcomes::add);
      goOn.countDown();
      for (Future<?> f : waiting) {
        assertThatThrownBy(f::get)
            .isInstanceOf(ExecutionException.class)
            .cause()
            .isInstanceOf(StoppedException.class)
            .hasMessageContaining("outcome unknown: reopen the heap")
            .hasRootCauseMessage("EIO (EH-IO)");
      }
      assertThat(outcomes).hasSize(1).first().isInstanceOf(StoppedException.class);
    }
    long writes = medium.count(CrashPoint.Kind.DURABLE_WRITE);
    assertThatThrownBy(() -> heap.append(21)).isInstanceOf(StoppedException.class);
    assertThatThrownBy(() -> heap.log.awaitDurable(end)).isInstanceOf(StoppedException.class);
    assertThat(heap.log.failure()).hasMessage("EIO (EH-IO)");
    heap.log.awaitDurable(durable);
    assertThat(heap.log.durable()).isEqualTo(durable);
    heap.log.close();
    assertThat(medium.count(CrashPoint.Kind.DURABLE_WRITE)).isEqualTo(writes);
  }

  @Test
  void a_failure_elsewhere_poisons_the_log() {
    LogFixture heap = LogFixture.create("file");
    long end = heap.append(1);
    List<EverheapException> outcomes = new ArrayList<>();
    heap.log.poison(new InternalError("SIGBUS"));
    heap.log.whenDurable(end, outcomes::add);
    assertThat(outcomes).hasSize(1).first().isInstanceOf(StoppedException.class);
    assertThatThrownBy(() -> heap.log.awaitDurable(end))
        .isInstanceOf(StoppedException.class)
        .hasMessageContaining("SIGBUS");
  }

  @Test
  void a_forced_store_that_fails_poisons_a_byte_addressable_log() {
    LogFixture heap = LogFixture.create("dax");
    long end = heap.commit(1);
    heap.simulated()
        .observe(
            point -> {
              if (point.kind() == CrashPoint.Kind.FORCE) {
                throw new InternalError("SIGBUS");
              }
            });
    assertThatThrownBy(() -> heap.append(2)).isInstanceOf(InternalError.class);
    heap.simulated().observe(point -> {});
    assertThatThrownBy(() -> heap.append(3)).isInstanceOf(StoppedException.class);
    assertThat(heap.log.durable()).isEqualTo(end);
  }

  @Test
  void actions_run_once_when_their_record_is_durable() throws Exception {
    LogFixture heap = LogFixture.create("file");
    Queue<Long> done = new ConcurrentLinkedQueue<>();
    CountDownLatch all = new CountDownLatch(500);
    for (long value = 1; value <= 500; value++) {
      long end = heap.append(value);
      heap.log.whenDurable(
          end,
          failure -> {
            assertThat(failure).isNull();
            assertThat(heap.log.durable()).isGreaterThanOrEqualTo(end);
            done.add(end);
            all.countDown();
          });
      if (value % 7 == 0) {
        heap.log.awaitDurable(end);
      }
    }
    Limit.await(all);
    assertThat(done).hasSize(500).doesNotHaveDuplicates();
    heap.log.close();
  }

  @Test
  void an_action_may_commit_itself() throws Exception {
    LogFixture heap = LogFixture.create("file");
    CountDownLatch done = new CountDownLatch(1);
    heap.log.whenDurable(
        heap.append(1),
        failure -> {
          heap.commit(2);
          done.countDown();
        });
    Limit.await(done);
    assertThat(heap.values()).containsExactly(1L, 2L);
    heap.log.close();
  }

  @Test
  void an_action_that_throws_harms_nobody() throws Exception {
    LogFixture heap = LogFixture.create("file");
    CountDownLatch done = new CountDownLatch(2);
    heap.log.whenDurable(
        heap.append(1),
        failure -> {
          done.countDown();
          throw new IllegalStateException("thrown by a test");
        });
    heap.log.whenDurable(heap.append(2), failure -> done.countDown());
    Limit.await(done);
    heap.commit(3);
    heap.log.close();
  }

  @Test
  void the_timer_makes_everything_durable_without_anybody_waiting() {
    LogOptions options =
        new LogOptions(64 << 10, 64 << 10, 512 << 10, 1_000_000, DurableWrite.FDATASYNC, false);
    LogFixture heap = LogFixture.create(SimulatedMedium.file(1), options);
    long end = heap.append(1);
    Limit.until("the record is durable", () -> heap.log.durable() >= end);
    heap.log.close();
  }

  @Test
  void a_request_makes_everything_durable_without_anybody_waiting() {
    LogFixture heap = LogFixture.create("file");
    long end = heap.append(1);
    heap.log.syncWithin(0);
    Limit.until("the record is durable", () -> heap.log.durable() >= end);
    heap.log.close();
  }

  @Test
  void close_waits_for_the_write_in_flight_and_ends_those_who_wait() throws Exception {
    LogFixture heap = LogFixture.create(hooked);
    long first = heap.append(1);
    CountDownLatch writing = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    beforeWrite = () -> await(writing, goOn);
    Thread leader = Thread.ofPlatform().start(() -> heap.log.awaitDurable(first));
    Limit.await(writing);
    Thread closer = Thread.ofPlatform().start(heap.log::close);
    Limit.spinUntil("the log failed or is closed", () -> heap.log.failure() != null);
    assertThat(closer.isAlive()).isTrue();
    goOn.countDown();
    Limit.join(closer);
    Limit.join(leader);
    assertThat(heap.log.durable()).isEqualTo(first);
    assertThatThrownBy(() -> heap.append(2)).isInstanceOf(ClosedException.class);
  }

  @Test
  void the_listener_knows_of_a_failure_before_anybody_who_waits() {
    LogFixture heap = LogFixture.create(hooked);
    Queue<Throwable> told = new ConcurrentLinkedQueue<>();
    heap.log.onFailure(told::add);
    List<Integer> toldBefore = new ArrayList<>();
    beforeWrite =
        () -> {
          throw new MediumException("EIO", null);
        };
    heap.log.whenDurable(heap.append(1), failure -> toldBefore.add(told.size()));
    Limit.spinUntil("the log failed or is closed", () -> heap.log.failure() != null);
    heap.log.close();
    assertThat(told).hasSize(1);
    assertThat(toldBefore).containsExactly(1);
  }

  @Test
  void a_sync_within_a_time_happens_without_anybody_waiting() {
    LogFixture heap = LogFixture.create("file");
    for (long value = 1; value <= 3; value++) {
      long end = heap.append(value);
      heap.log.syncWithin(1_000_000);
      Limit.until("the record is durable", () -> heap.log.durable() >= end);
    }
    heap.log.close();
  }
}
