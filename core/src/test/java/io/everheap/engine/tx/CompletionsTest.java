package io.everheap.engine.tx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.EverheapException;
import io.everheap.error.OutsideTransactionException;
import io.everheap.support.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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
  void aCommitIsCompletedAfterItsHooks() throws Exception {
    CompletableFuture<Void> done = new CompletableFuture<>();
    completions.complete(done, List.of(() -> ran.add("hook")), null);
    Limit.get(done);
    assertThat(ran).containsExactly("hook");
  }

  @Test
  void aFailureIsTheOutcomeAndTheHooksOfACommitThatStandsRun() {
    EverheapException failure = OutsideTransactionException.required();
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
