package io.everheap.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.error.MediumException;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

@Campaign
final class FileWatchTest {
  @Test
  void aLookThatFailsWithoutAWordOfTheFilesIsMadeAgain() throws InterruptedException {
    AtomicInteger looks = new AtomicInteger();
    CountDownLatch passed = new CountDownLatch(1);
    Queue<Throwable> told = new ConcurrentLinkedQueue<>();
    FileWatch watch =
        FileWatch.start(
            "test",
            () -> {
              if (looks.incrementAndGet() == 1) {
                throw new MediumException("no answer", new IOException("ESTALE"));
              }
              passed.countDown();
            },
            told::add);
    Limit.await(passed);
    watch.close();
    assertThat(told).isEmpty();
  }

  @Test
  void aMissingFileIsToldAtOnce() throws InterruptedException {
    MediumException missing = new MediumException("gone", new NoSuchFileException("heap"));
    CountDownLatch done = new CountDownLatch(1);
    Queue<Throwable> told = new ConcurrentLinkedQueue<>();
    FileWatch watch =
        FileWatch.start(
            "test",
            () -> {
              throw missing;
            },
            failure -> {
              told.add(failure);
              done.countDown();
            });
    Limit.await(done);
    watch.close();
    assertThat(told).containsExactly(missing);
  }
}
