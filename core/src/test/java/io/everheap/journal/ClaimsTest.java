package io.everheap.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.LockTimeoutException;
import io.everheap.support.Limit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A claim that a thread holds too long, or for ever, keeps others out for a limited time. */
class ClaimsTest {
  private static final byte[] RECORD = {1, 2, 3};

  @TempDir private Path directory;

  private Journal open(Duration timeout) {
    return Journal.builder(directory.resolve("j"))
        .segmentSize(64 << 10)
        .lockTimeout(timeout)
        .open();
  }

  /** A thread that has made a claim and ended. */
  private static Claim leftBy(String thread, Journal journal) throws InterruptedException {
    var claim = new AtomicReference<Claim>();
    Thread holder = Thread.ofPlatform().name(thread).start(() -> claim.set(journal.claim(8)));
    Limit.join(holder);
    return claim.get();
  }

  @Test
  void allThatAppendAreToldOfAThreadThatEndedWithItsClaim() throws Exception {
    try (Journal journal = open(Duration.ofMillis(5))) {
      journal.append(RECORD);
      journal.append(RECORD);
      Claim left = leftBy("forgetful", journal);
      List<Callable<?>> appends =
          List.of(
              () -> journal.append(RECORD),
              () -> journal.appendAsync(RECORD).get(),
              () -> journal.appendAll(List.of(RECORD, RECORD)),
              () -> journal.claim(8),
              () -> {
                journal.truncateAfter(0);
                return null;
              });
      for (Callable<?> append : appends) {
        assertThatThrownBy(append::call)
            .isInstanceOf(LockTimeoutException.class)
            .hasMessageContainingAll(
                directory.resolve("j").toString(),
                "forgetful",
                "has ended with a claim",
                "0.005 s");
      }
      assertThat(journal.nextSequence()).isEqualTo(2);
      left.abort();
      assertThat(journal.append(RECORD)).isEqualTo(2);
    }
  }

  @Test
  void theThreadThatStillHoldsAClaimIsNamedAndMayCommitIt() throws Exception {
    try (Journal journal = open(Duration.ofMillis(5))) {
      var claimed = new CountDownLatch(1);
      var refused = new CountDownLatch(1);
      var failure = new AtomicReference<Exception>();
      Thread holder =
          Thread.ofPlatform()
              .name("slow")
              .start(
                  () -> {
                    try (Claim claim = journal.claim(8)) {
                      claimed.countDown();
                      Limit.await(refused);
                      claim.commit();
                    } catch (InterruptedException e) {
                      failure.set(e);
                    }
                  });
      Limit.await(claimed);
      assertThatThrownBy(() -> journal.append(RECORD))
          .isInstanceOf(LockTimeoutException.class)
          .hasMessageContainingAll("slow", "holds a claim", "lockTimeout");
      refused.countDown();
      Limit.join(holder);
      assertThat(failure.get()).isNull();
      assertThat(journal.append(RECORD)).isEqualTo(1);
    }
  }

  /** Closing ends the claim. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void aCloseDoesNotWaitForAThreadThatEnded(int waiting) throws Exception {
    try (ExecutorService executor = Executors.newFixedThreadPool(waiting)) {
      Journal journal = open(Duration.ofDays(1));
      journal.append(RECORD);
      Claim left = leftBy("forgetful", journal);
      List<Future<?>> appends = new ArrayList<>();
      for (int i = 0; i < waiting; i++) {
        appends.add(executor.submit(() -> journal.append(RECORD)));
      }
      journal.close();
      for (Future<?> append : appends) {
        assertThatThrownBy(() -> Limit.get(append)).hasMessageContaining("closed");
      }
      assertThatThrownBy(left::commit).hasMessageContaining("closed");
    }
    try (Journal journal = open(Duration.ofDays(1))) {
      assertThat(journal.nextSequence()).isOne();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT-1S"})
  void aTimeoutMustBePositive(String timeout) {
    assertThatIllegalArgumentException().isThrownBy(() -> open(Duration.parse(timeout)));
  }

  @Test
  void anEndlessTimeoutIsAllowed() {
    try (Journal journal = open(Duration.ofSeconds(Long.MAX_VALUE))) {
      assertThat(journal.append(RECORD)).isZero();
    }
  }
}
