package io.everheap.cli.demo;

import java.io.PrintWriter;
import java.util.Locale;

/** Prints the outcome of a demo as text. */
final class Summary {
  private final PrintWriter out;

  Summary(PrintWriter out) {
    this.out = out;
  }

  static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
  }

  void opening(DemoPlan plan, String fileSystem) {
    Layout bank = plan.layout();
    print(
        "A bank (the TPC-B benchmark: %,d %s, %,d tellers, %,d accounts) in a durable heap.",
        bank.branches(),
        bank.branches() == 1 ? "branch" : "branches",
        bank.tellers(),
        bank.accounts());
    print(
        "A second Java process makes transfers in %d %s and acknowledges each one once it is"
            + " committed;",
        plan.threads(), plan.threads() == 1 ? "thread" : "threads");
    print("it is killed with SIGKILL %s, at moments it cannot know.", times(plan.kills()));
    print(
        "Heap %s on %s, durability %s, seed %d.",
        plan.directory(), fileSystem, plan.durability(), plan.seed());
    print("");
  }

  void closing(DemoPlan plan, DemoResult result, boolean kept) {
    print("");
    if (result.passed()) {
      print("PASSED: every acknowledged transfer survived every kill.");
    } else {
      print("FAILED: the heap does not hold what was acknowledged.");
      result.kills().getLast().check().problems().forEach(problem -> print("  - %s", problem));
    }
    print("");
    print("  kills                        %,15d", result.kills().size());
    print(
        "  transfers acknowledged       %,15d   (%,d per second)",
        result.acknowledged(), result.rate());
    print(
        "  committed, not acknowledged  %,15d   (a kill came in between)", result.unacknowledged());
    print("  transfers lost               %,15d", result.lost());
    print("  money created or destroyed   %,15d", result.money());
    print(
        "  recovery time (median)       %,12.0f ms   (longest %,.0f ms)",
        result.medianRecoveryMillis(), result.longestRecoveryMillis());
    print("");
    print(
        "A transfer changes an account, a teller and a branch and adds a row to the history, all in");
    print(
        "one transaction. After each kill the heap was opened again and every row was compared: each");
    print(
        "acknowledged transfer must be there once, and each balance must be the sum of its transfers.");
    power(plan);
    print("");
    if (kept) {
      print("The heap is kept. Look at it:");
      print("  ./everheap info %s", plan.directory());
      print("  ./everheap verify %s", plan.directory());
      print("  ./everheap dump %s --root history --limit 5", plan.directory());
    } else {
      print("The heap was deleted; --keep keeps it, for ./everheap info, verify and dump.");
    }
  }

  private void power(DemoPlan plan) {
    if (plan.durability().interval().isEmpty()) {
      print(
          "A kill is not a power cut: sync promises the same for that, but this demo does not cut power.");
    } else {
      print(
          "A kill is not a power cut: async loses nothing in a kill, but up to its interval in a power cut.");
    }
  }

  void failure(String message, DemoPlan plan) {
    print("");
    print("FAILED: %s", message);
    print("");
    print("The heap is kept in %s", plan.directory());
  }

  private static String times(int count) {
    return switch (count) {
      case 1 -> "once";
      case 2 -> "twice";
      default -> count + " times";
    };
  }

  private void print(String format, Object... arguments) {
    out.println(String.format(Locale.ROOT, format, arguments));
    out.flush();
  }
}
