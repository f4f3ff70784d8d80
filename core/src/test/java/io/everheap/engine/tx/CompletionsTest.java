package io.everheap.engine.tx;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class CompletionsTest {
  @Test
  void aTaskThatComesAfterTheEndRunsInItsOwnThread() throws InterruptedException {
    Completions completions = new Completions();
    CountDownLatch first = new CountDownLatch(1);
    completions.run(first::countDown);
    completions.close();
    List<Thread> threads = new ArrayList<>();
    completions.run(() -> threads.add(Thread.currentThread()));
    assertThat(threads).containsExactly(Thread.currentThread());
    Limit.await(first);
  }
}
