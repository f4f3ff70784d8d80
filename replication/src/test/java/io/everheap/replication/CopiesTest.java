package io.everheap.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.ReplicationException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How commits wait for replicas. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CopiesTest {
  private final List<String> ended = new ArrayList<>();
  private boolean open = true;
  private final Copies copies = new Copies("here", () -> 100, () -> open);

  private void waitFor(long lsn) {
    copies.whenCopied(lsn, why -> ended.add(lsn + " " + (why == null ? "" : why.getMessage())));
  }

  @Test
  void anActionThatFailsDropsNoOther() {
    copies.want(1, null);
    copies.whenCopied(
        5,
        why -> {
          throw new IllegalStateException("of the test");
        });
    waitFor(6);
    copies.want(0, null);
    assertThat(ended).containsExactly("6 ");
    copies.want(1, null);
    copies.whenCopied(
        7,
        why -> {
          throw new IllegalStateException("of the test");
        });
    waitFor(8);
    copies.end(new ReplicationException("the end"));
    assertThat(ended).hasSize(2);
    assertThat(ended.getLast()).contains("8 the end");
    waitFor(9);
    assertThat(ended.getLast()).contains("9 the end");
  }

  /** An action without memory is called again; that of a virtual thread is all that wakes it. */
  @Test
  void aTickEndsWhatAnErrorOfTheVirtualMachineLeft() {
    List<Error> errors = new ArrayList<>(List.of(new OutOfMemoryError("of the test")));
    copies.want(1, null);
    copies.whenCopied(
        5,
        why -> {
          if (!errors.isEmpty()) {
            throw errors.removeFirst();
          }
          ended.add("5");
        });
    waitFor(6);
    assertThatThrownBy(() -> copies.want(0, null)).isInstanceOf(OutOfMemoryError.class);
    assertThat(ended).isEmpty();
    copies.tick();
    assertThat(ended).containsExactly("5", "6 ");
  }

  /** Nor is it taken for late, which would let commits of a fenced primary return. */
  @Test
  void aTickEndsWhatAnEndLeft() {
    List<Error> errors = new ArrayList<>(List.of(new OutOfMemoryError("of the test")));
    copies.want(1, Duration.ZERO);
    copies.whenCopied(
        5,
        why -> {
          if (!errors.isEmpty()) {
            throw errors.removeFirst();
          }
          ended.add("5 " + (why == null ? "" : why.getMessage()));
        });
    waitFor(6);
    ReplicationException why = new ReplicationException("the end");
    assertThatThrownBy(() -> copies.end(why)).isInstanceOf(OutOfMemoryError.class);
    copies.tick();
    assertThat(ended).hasSize(2).allMatch(e -> e.contains("the end"));
    assertThat(copies.isDegraded()).isFalse();
  }

  @Test
  void patienceEndsWithATickAndOnlyThen() {
    copies.want(1, Duration.ZERO);
    waitFor(10);
    assertThat(copies.isDegraded()).isFalse();
    assertThat(copies.tick()).isPositive();
    assertThat(copies.isDegraded()).isTrue();
    assertThat(ended).containsExactly("10 ");
    waitFor(11);
    copies.await(12);
    assertThat(ended).containsExactly("10 ", "11 ");
  }

  @Test
  void whatWaitsEndsWithTheHeap() {
    copies.want(1, null);
    waitFor(10);
    copies.tick();
    assertThat(ended).isEmpty();
    open = false;
    copies.tick();
    assertThat(ended.getFirst()).contains("was closed");
    assertThatThrownBy(() -> copies.await(11))
        .isInstanceOf(ReplicationException.class)
        .hasMessageContaining("was closed");
  }

  /** What a smaller number allowed is not told behind the change to a larger one. */
  @Test
  void aLargerNumberCountsAtOnce() {
    copies.want(0, null);
    waitFor(10);
    copies.want(1, null);
    waitFor(11);
    assertThat(ended).containsExactly("10 ");
  }
}
