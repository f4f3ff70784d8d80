package io.everheap.engine.tx;

import io.everheap.error.EverheapException;
import java.util.ArrayList;
import java.util.List;

/**
 * The hooks of the running transaction, to be run after its end. Guarded by the writer lock, except
 * {@link #run}. A list is created with the first hook that a transaction adds to it.
 */
final class Hooks {
  static final List<Runnable> NONE = List.of();

  private List<Runnable> commit = NONE;
  private List<Runnable> abort = NONE;

  /** The hooks for the outermost commit; the list stays unchanged after the transaction. */
  List<Runnable> commit() {
    return commit;
  }

  /** The hooks for the outermost rollback; the list stays unchanged after the transaction. */
  List<Runnable> abort() {
    return abort;
  }

  void onCommit(Runnable hook) {
    if (commit.isEmpty()) {
      commit = new ArrayList<>();
    }
    commit.add(hook);
  }

  void onAbort(Runnable hook) {
    if (abort.isEmpty()) {
      abort = new ArrayList<>();
    }
    abort.add(hook);
  }

  /** A copy of the hooks for a rollback from an index on. */
  List<Runnable> abortSince(int count) {
    return abort.size() > count ? List.copyOf(abort.subList(count, abort.size())) : NONE;
  }

  /** Drops the hooks from these indexes on. */
  void truncate(int commitHooks, int abortHooks) {
    truncate(commit, commitHooks);
    truncate(abort, abortHooks);
  }

  private static void truncate(List<Runnable> hooks, int size) {
    while (hooks.size() > size) {
      hooks.remove(hooks.size() - 1);
    }
  }

  /**
   * Called at the end of the transaction; consists of loads and stores, so it cannot fail. A store
   * of what is there already would cost a fence, by the barrier of the Java heap's collector.
   */
  @SuppressWarnings("ReferenceEquality")
  void clear() {
    if (commit != NONE) {
      commit = NONE;
    }
    if (abort != NONE) {
      abort = NONE;
    }
  }

  /** Runs all hooks of a commit that stands, although its caller gets a failure. */
  static void run(List<Runnable> hooks, EverheapException failure) {
    try {
      run(hooks);
    } catch (RuntimeException | Error e) {
      failure.addSuppressed(e);
    }
  }

  /** Runs all hooks, then throws the first failure, if there is one. */
  static void run(List<Runnable> hooks) {
    Throwable failure = null;
    for (Runnable hook : hooks) {
      try {
        hook.run();
      } catch (RuntimeException | Error e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure instanceof Error e) {
      throw e;
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
  }
}
