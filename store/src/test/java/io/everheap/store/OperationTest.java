package io.everheap.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.Limit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** A thread that waits for the thread that runs its write. */
class OperationTest {
  /** Waits in a separate thread. */
  private static final class Waiting {
    final CompletableFuture<Operation.State> state = new CompletableFuture<>();
    final CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    final CompletableFuture<Operation> operation = new CompletableFuture<>();
    final Thread thread =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  Operation waiting = new Operation(() -> 1, Thread.currentThread(), null);
                  operation.complete(waiting);
                  state.complete(waiting.await());
                  interrupted.complete(Thread.currentThread().isInterrupted());
                });

    Operation parked() throws Exception {
      Operation waiting = Limit.get(operation);
      Limit.until("it is parked", () -> isParkedIn(waiting));
      return waiting;
    }

    private boolean isParkedIn(Operation waiting) {
      return LockSupport.getBlocker(thread) == waiting && thread.getState() == Thread.State.WAITING;
    }
  }

  @Test
  void aStateEndsTheWait() throws Exception {
    for (Operation.State end :
        new Operation.State[] {Operation.State.DONE, Operation.State.LEADS}) {
      Waiting waiting = new Waiting();
      Operation operation = waiting.parked();
      assertThat(waiting.state).isNotDone();
      operation.set(end);
      assertThat(Limit.get(waiting.state)).isEqualTo(end);
      assertThat(Limit.get(waiting.interrupted)).isFalse();
    }
  }

  @Test
  void aStateThatIsSetBeforeTheWaitEndsItAtOnce() {
    Operation operation = new Operation(() -> 1, Thread.currentThread(), null);
    operation.set(Operation.State.DONE);
    assertThat(operation.await()).isEqualTo(Operation.State.DONE);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void anInterruptDoesNotEndTheWaitAndIsKept() throws Exception {
    Waiting waiting = new Waiting();
    Operation operation = waiting.parked();
    waiting.thread.interrupt();
    Limit.until("the interrupt was noticed", () -> !waiting.thread.isInterrupted());
    waiting.parked();
    assertThat(waiting.state).isNotDone();
    operation.set(Operation.State.DONE);
    assertThat(Limit.get(waiting.state)).isEqualTo(Operation.State.DONE);
    assertThat(Limit.get(waiting.interrupted)).isTrue();
  }

  @Test
  void aFailureIsKeptUntilTheNextAttempt() {
    boolean[] fails = {true};
    Operation operation =
        new Operation(
            () -> {
              if (fails[0]) {
                throw new IllegalStateException("it fails");
              }
              return 7;
            },
            null,
            null);
    operation.run();
    assertThat(operation.failure).hasMessage("it fails");
    fails[0] = false;
    operation.run();
    assertThat(operation.failure).isNull();
    assertThat(operation.result).isEqualTo(7);
    Operation turn = new Operation(null, null, null);
    turn.run();
    assertThat(turn.result).isNull();
    assertThat(turn.failure).isNull();
  }
}
