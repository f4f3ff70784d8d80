package io.everheap.journal;

import org.jspecify.annotations.Nullable;

/** Closes several things, all of them whatever happens, and throws the first failure at the end. */
final class Closing {
  private @Nullable Throwable failure;

  /** Does one step. */
  Closing then(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      if (failure == null) {
        failure = e;
      } else {
        failure.addSuppressed(e);
      }
    }
    return this;
  }

  /** Whether a step threw an error; if it was one of the virtual machine, steps can be repeated. */
  boolean metError() {
    return failure instanceof Error;
  }

  /** Throws what failed first, with what failed later. */
  void end() {
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
  }

  /** Undoes something because of a failure, which stays the one that counts. */
  static void after(Throwable reason, Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      reason.addSuppressed(e);
    }
  }
}
