package io.everheap.engine.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.ClosedException;
import io.everheap.error.StoppedException;
import io.everheap.log.GroupCommit;
import io.everheap.support.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Group commit by itself, without a log. */
class GroupCommitTest {
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 8})
  void no_wake_up_is_lost_when_writes_take_no_time(int threads) throws Exception {
    AtomicLong appended = new AtomicLong();
    GroupCommit group = new GroupCommit(Log.refusals("nowhere"), 0, durable -> appended.get());
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> done = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        done.add(
            pool.submit(
                () -> {
                  for (int i = 0; i < 120_000 / threads; i++) {
                    long lsn = appended.incrementAndGet();
                    group.await(lsn);
                    assertThat(group.durable() >= lsn).isTrue();
                  }
                }));
      }
      for (Future<?> f : done) {
        Limit.get(f);
      }
    }
  }

  @Test
  void no_wake_up_is_lost_when_nobody_comes_later() throws Exception {
    AtomicLong appended = new AtomicLong();
    AtomicLong arrived = new AtomicLong();
    GroupCommit group = new GroupCommit(Log.refusals("nowhere"), 0, durable -> appended.get());
    try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
      List<Future<?>> done = new ArrayList<>();
      for (int t = 0; t < 2; t++) {
        done.add(
            pool.submit(
                () -> {
                  for (int round = 1; round <= 20_000; round++) {
                    group.await(appended.incrementAndGet());
                    arrived.incrementAndGet();
                    for (int spins = 0; arrived.get() < 2L * round; spins++) {
                      if (spins > 200) {
                        LockSupport.parkNanos(1_000);
                      }
                    }
                  }
                }));
      }
      for (Future<?> f : done) {
        Limit.get(f);
      }
    }
  }

  @Test
  void nothing_is_written_after_a_failure_elsewhere() {
    AtomicLong writes = new AtomicLong();
    GroupCommit[] group = new GroupCommit[1];
    group[0] =
        new GroupCommit(
            Log.refusals("nowhere"),
            0,
            durable -> {
              writes.incrementAndGet();
              group[0].poison(new InternalError("SIGBUS"));
              return durable + 1;
            });
    assertThatThrownBy(() -> group[0].await(2)).isInstanceOf(StoppedException.class);
    assertThat(writes).hasValue(1);
  }

  @Test
  void a_listener_learns_of_a_failure_that_came_before_it() {
    GroupCommit group = new GroupCommit(Log.refusals("nowhere"), 0, durable -> durable + 1);
    Throwable failure = new StackOverflowError("of the thread that syncs");
    group.fail(failure);
    List<Throwable> told = new ArrayList<>();
    group.onFailure(told::add);
    assertThat(told).containsExactly(failure);
  }

  @Test
  void a_listener_is_not_told_of_a_close() {
    GroupCommit group = new GroupCommit(Log.refusals("nowhere"), 0, durable -> durable + 1);
    group.close();
    List<Throwable> told = new ArrayList<>();
    group.onFailure(told::add);
    assertThat(told).isEmpty();
  }

  @Test
  void an_action_that_had_no_memory_for_its_outcome_is_called_later() {
    List<Error> errors = new ArrayList<>(List.of(new OutOfMemoryError("of the test")));
    GroupCommit group =
        new GroupCommit(
            new GroupCommit.Refusals(
                "nowhere",
                ClosedException::heap,
                (location, cause) -> {
                  if (!errors.isEmpty()) {
                    throw errors.removeFirst();
                  }
                  return StoppedException.heap(location, cause);
                }),
            0,
            durable -> {
              throw new IllegalStateException("of the test");
            });
    List<Object> outcomes = new ArrayList<>();
    group.whenDurable(1, outcomes::add);
    group.whenDurable(2, outcomes::add);
    assertThatThrownBy(() -> group.await(1)).isInstanceOf(OutOfMemoryError.class);
    assertThat(outcomes).isEmpty();
    group.recheck();
    assertThat(outcomes).hasSize(2).allMatch(StoppedException.class::isInstance);
  }
}
