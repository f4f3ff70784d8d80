package io.everheap.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.support.Limit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A close does not wait for a thread that runs a completion of the program, which may wait for the
 * close, as {@code System.exit} does for shutdown hooks.
 */
class CloseDuringCompletionTest {
  @TempDir Path directory;
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch left = new CountDownLatch(1);

  @AfterEach
  void leave() {
    left.countDown();
  }

  private void stay() {
    entered.countDown();
    stayUntil(left);
  }

  private static void stayUntil(CountDownLatch end) {
    try {
      Limit.await(end);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Closes in another thread, which a hang does not keep from being reported. */
  private static void close(AutoCloseable open) throws Exception {
    CompletableFuture<Void> closed = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                open.close();
                closed.complete(null);
              } catch (Throwable t) {
                closed.completeExceptionally(t);
              }
            });
    Limit.get(closed);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aJournalIsClosedWhileACompletionRuns(boolean async) throws Exception {
    JournalBuilder builder = Journal.builder(directory);
    Journal journal = (async ? builder.async(Duration.ofMillis(50)) : builder.sync()).open();
    CompletableFuture<Void> staying = new CompletableFuture<>();
    Thread.ofPlatform() // if the record is durable at once, that thread runs the completion
        .daemon()
        .start(
            () -> {
              var _ =
                  journal
                      .appendAsync(new byte[10])
                      .thenRun(this::stay)
                      .thenRun(() -> staying.complete(null));
            });
    Limit.await(entered);
    CompletableFuture<Long> second = journal.appendAsync(new byte[10]);
    close(journal);
    left.countDown();
    Limit.get(staying);
    assertThat(Limit.get(second.exceptionally(failure -> -1L))).isNotNull();
    try (Journal again = Journal.open(directory)) {
      assertThat(again.nextSequence()).isEqualTo(again.firstSequence() + 2);
    }
  }

  @Test
  void aJournalIsClosedBeforeTheCompletionsOfWhatTheCloseMakesDurable() throws Exception {
    Journal journal = builderWithTimer().open();
    occupyTimer(journal);
    CountDownLatch closed = new CountDownLatch(1);
    CompletableFuture<Thread> completing = new CompletableFuture<>();
    CompletableFuture<Long> last =
        journal
            .appendAsync(new byte[10])
            .thenApply(
                sequence -> {
                  completing.complete(Thread.currentThread());
                  stayUntil(closed);
                  return sequence;
                });
    close(journal);
    assertThat(Limit.get(completing).getName()).isEqualTo("everheap-completions");
    assertThat(last.isDone()).isFalse();
    closed.countDown();
    Limit.get(last);
  }

  /** What truncates may lead, and hold what a close needs. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aJournalIsClosedWhileACompletionOfATruncationRuns(boolean before) throws Exception {
    Journal journal = builderWithTimer().open();
    occupyTimer(journal);
    CompletableFuture<Thread> completing = new CompletableFuture<>();
    appendAndStay(journal, completing);
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              if (before) {
                journal.truncateBefore(journal.nextSequence());
              } else {
                journal.truncateAfter(journal.firstSequence());
              }
            });
    Limit.get(completing);
    close(journal);
  }

  /** On persistent memory each append would make its record durable itself. */
  private JournalBuilder builderWithTimer() {
    return Journal.builder(directory).async(Duration.ofHours(1)).onFiles();
  }

  /** Lets a completion stay in the thread that makes records durable. */
  private void occupyTimer(Journal journal) throws Exception {
    Thread staying;
    do {
      CompletableFuture<Thread> completing = new CompletableFuture<>();
      Thread.ofPlatform() // if the record is durable at once, that thread runs the completion
          .daemon()
          .start(() -> appendAndStay(journal, completing));
      staying = Limit.get(completing);
    } while (!staying.getName().contains("timer"));
  }

  /** Appends a record whose completion tells its thread, and stays. */
  private void appendAndStay(Journal journal, CompletableFuture<Thread> completing) {
    var _ =
        journal
            .appendAsync(new byte[10])
            .thenRun(() -> completing.complete(Thread.currentThread()))
            .thenRun(this::stay);
  }

  @Test
  void aHeapIsClosedWhileACompletionRuns() throws Exception {
    Heap heap =
        Heap.builder(directory.resolve("heap"))
            .durability(Durability.async(Duration.ofMillis(1)))
            .open();
    Map<String, String> map = heap.map("m", String.class, String.class);
    CompletableFuture<String> staying =
        heap.transactAsync(
                () -> {
                  heap.transaction().onCommit(this::stay);
                  return map.put("a", "b");
                })
            .toCompletableFuture();
    Limit.await(entered);
    close(heap);
    left.countDown();
    Limit.get(staying);
  }
}
