package io.everheap.engine.tx;

import java.util.ArrayList;
import java.util.List;

/**
 * What the running transaction asked to be run after its end. Guarded by the writer lock, but for
 * {@link #run}. A list is made by the first hook that a transaction adds to it.
 */
final class Hooks {
  static final List<Runnable> NONE = List.of();

  private List<Runnable> commit = NONE;
  private List<Runnable> abort = NONE;

  /** What runs after the outermost commit; stays as it is when the transaction is over. */
  List<Runnable> commit() {
    return commit;
  }

  /** What runs after the outermost rollback; stays as it is when the transaction is over. */
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

  /** A copy of the hooks for a rollback that were added since there were so many. */
  List<Runnable> abortSince(int count) {
    return abort.size() > count ? List.copyOf(abort.subList(count, abort.size())) : NONE;
  }

  /** Drops those that were added since there were so many. */
  void truncate(int commitHooks, int abortHooks) {
    truncate(commit, commitHooks);
    truncate(abort, abortHooks);
  }

  private static void truncate(List<Runnable> hooks, int size) {
    while (hooks.size() > size) {
      hooks.remove(hooks.size() - 1);
    }
  }

  /** The transaction is over; by stores alone. */
  void clear() {
    commit = NONE;
    abort = NONE;
  }

  /** Runs all hooks; the first failure is thrown after the last one ran. */
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
