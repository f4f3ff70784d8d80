package io.everheap.engine.tx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.EverheapException;
import io.everheap.error.TransactionRequiredException;
import io.everheap.support.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class CompletionsTest {
  private final Completions completions = new Completions();
  private final List<String> ran = new ArrayList<>();

  @AfterEach
  void close() {
    completions.close();
  }

  @Test
  void aTaskThatComesAfterTheEndRunsInItsOwnThread() throws InterruptedException {
    CountDownLatch first = new CountDownLatch(1);
    completions.run(first::countDown);
    completions.close();
    List<Thread> threads = new ArrayList<>();
    completions.run(() -> threads.add(Thread.currentThread()));
    assertThat(threads).containsExactly(Thread.currentThread());
    Limit.await(first);
  }

  @Test
  void tasksRunInOneDaemonThread() throws Exception {
    CompletableFuture<Thread> first = new CompletableFuture<>();
    CompletableFuture<Thread> second = new CompletableFuture<>();
    completions.run(() -> first.complete(Thread.currentThread()));
    completions.run(() -> second.complete(Thread.currentThread()));
    Thread thread = Limit.get(first);
    assertThat(thread.isDaemon()).isTrue();
    assertThat(thread.getName()).isEqualTo("everheap-completions");
    assertThat(Limit.get(second)).isSameAs(thread);
    completions.close();
    Limit.join(thread);
  }

  @Test
  void aCommitIsCompletedAfterItsHooks() throws Exception {
    CompletableFuture<Void> done = new CompletableFuture<>();
    completions.complete(done, List.of(() -> ran.add("hook")), null);
    Limit.get(done);
    assertThat(ran).containsExactly("hook");
  }

  @Test
  void aFailureIsTheOutcomeAndTheHooksOfACommitThatStandsRun() {
    EverheapException failure = new TransactionRequiredException();
    CompletableFuture<Void> done = new CompletableFuture<>();
    completions.complete(
        done,
        List.of(
            () -> {
              ran.add("hook");
              throw new IllegalStateException("of the hook");
            }),
        failure);
    assertThatThrownBy(() -> Limit.get(done))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isSameAs(failure);
    assertThat(ran).containsExactly("hook");
  }

  @Test
  void theFailureOfAHookIsTheOutcomeOfACommitWithoutAnother() {
    RuntimeException failure = new IllegalStateException("of the hook");
    CompletableFuture<Void> done = new CompletableFuture<>();
    completions.complete(
        done,
        List.of(
            () -> {
              throw failure;
            }),
        null);
    assertThatThrownBy(() -> Limit.get(done)).cause().isSameAs(failure);
  }
}
