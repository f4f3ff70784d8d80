package io.everheap.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class CompletionThreadTest {
  private final CompletionThread completions = new CompletionThread();

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
  void aTaskThatComesAfterAnEndWithoutTasksRunsInItsOwnThread() {
    completions.close();
    List<Thread> threads = new ArrayList<>();
    completions.run(() -> threads.add(Thread.currentThread()));
    assertThat(threads).containsExactly(Thread.currentThread());
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
}
