package io.everheap.engine.tx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.OutsideTransactionException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HooksTest {
  private final List<String> ran = new ArrayList<>();
  private final Hooks hooks = new Hooks();

  @Test
  void hooksOfEachKindRunInTheOrderInWhichTheyWereAdded() {
    hooks.onCommit(hook("c1"));
    hooks.onAbort(hook("a1"));
    hooks.onCommit(hook("c2"));
    hooks.onAbort(hook("a2"));
    Hooks.run(hooks.commit());
    assertThat(ran).containsExactly("c1", "c2");
    Hooks.run(hooks.abort());
    assertThat(ran).containsExactly("c1", "c2", "a1", "a2");
  }

  @Test
  void allHooksRunAndTheFirstFailureIsThrownWithTheOthers() {
    RuntimeException first = new IllegalStateException("first");
    Error second = new AssertionError("second");
    List<Runnable> all =
        List.of(hook("1"), failing("2", first), hook("3"), failing("4", second), hook("5"));
    assertThatThrownBy(() -> Hooks.run(all)).isSameAs(first).hasSuppressedException(second);
    assertThat(ran).containsExactly("1", "2", "3", "4", "5");
  }

  @Test
  void anErrorIsThrownAsAnError() {
    Error error = new AssertionError("error");
    assertThatThrownBy(() -> Hooks.run(List.of(failing("1", error), hook("2")))).isSameAs(error);
    assertThat(ran).containsExactly("1", "2");
  }

  @Test
  void failuresOfHooksAreAddedToTheFailureOfTheCommit() {
    OutsideTransactionException outcome = OutsideTransactionException.required();
    RuntimeException failure = new IllegalStateException("hook");
    assertThatCode(() -> Hooks.run(List.of(failing("1", failure), hook("2")), outcome))
        .doesNotThrowAnyException();
    assertThat(ran).containsExactly("1", "2");
    assertThat(outcome).hasSuppressedException(failure);
  }

  @Test
  void aRollbackTakesTheHooksSinceItsSavepoint() {
    assertThat(hooks.abortSince(0)).isEmpty();
    for (int i = 0; i < 3; i++) {
      hooks.onAbort(hook("a" + i));
    }
    List<Runnable> all = List.copyOf(hooks.abort());
    assertThat(hooks.abortSince(0)).isEqualTo(all);
    assertThat(hooks.abortSince(2)).isEqualTo(all.subList(2, 3));
    assertThat(hooks.abortSince(3)).isEmpty();
    List<Runnable> since = hooks.abortSince(1);
    hooks.truncate(0, 1);
    assertThat(since).as("is a copy").isEqualTo(all.subList(1, 3));
  }

  @Test
  void aRollbackDropsTheHooksSinceItsSavepoint() {
    for (int i = 0; i < 3; i++) {
      hooks.onCommit(hook("c" + i));
      hooks.onAbort(hook("a" + i));
    }
    hooks.truncate(1, 2);
    Hooks.run(hooks.commit());
    Hooks.run(hooks.abort());
    assertThat(ran).containsExactly("c0", "a0", "a1");
    hooks.truncate(1, 2);
    assertThat(hooks.commit()).hasSize(1);
    assertThat(hooks.abort()).hasSize(2);
    hooks.truncate(0, 0);
    assertThat(hooks.commit()).isEmpty();
    assertThat(hooks.abort()).isEmpty();
  }

  @Test
  void theListsOfATransactionStayAfterItsEnd() {
    hooks.onCommit(hook("c"));
    hooks.onAbort(hook("a"));
    List<Runnable> commit = hooks.commit();
    List<Runnable> abort = hooks.abort();
    hooks.clear();
    assertThat(hooks.commit()).isEmpty();
    assertThat(hooks.abort()).isEmpty();
    hooks.onCommit(hook("of the next one"));
    hooks.onAbort(hook("of the next one"));
    assertThat(commit).hasSize(1);
    assertThat(abort).hasSize(1);
  }

  private Runnable hook(String name) {
    return () -> ran.add(name);
  }

  private Runnable failing(String name, Throwable failure) {
    return () -> {
      ran.add(name);
      if (failure instanceof Error e) {
        throw e;
      }
      throw (RuntimeException) failure;
    };
  }
}
