package io.everheap.testkit.trace;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Calls of the library's methods by one thread: the instrumented classes report each entry and each
 * return.
 */
public final class CallTrace {
  private static volatile Thread traced;
  private static final List<String> CALLS = new ArrayList<>();
  private static final Deque<String> STACK = new ArrayDeque<>();

  private CallTrace() {}

  /** Called by the instrumented classes at the start of a method, as {@code package:Class.name}. */
  public static void enter(String method) {
    if (Thread.currentThread().equals(traced)) {
      String caller = STACK.peek();
      CALLS.add(
          (caller == null || packageOf(caller).equals(packageOf(method)) ? " " : ">") + method);
      STACK.push(method);
    }
  }

  /** Called by the instrumented classes before a method returns. */
  public static void leave() {
    if (Thread.currentThread().equals(traced)) {
      STACK.pop();
    }
  }

  /** Runs a body and returns the calls made by it. */
  static Figures of(Runnable body) {
    CALLS.clear();
    STACK.clear();
    traced = Thread.currentThread();
    try {
      body.run();
    } finally {
      traced = null;
    }
    return new Figures(List.copyOf(CALLS));
  }

  private static String packageOf(String method) {
    return method.substring(0, method.indexOf(':'));
  }

  /** What a trace says. */
  record Figures(List<String> calls) {
    /** Calls of a method in another package than the caller's. */
    long acrossPackages() {
      return calls.stream().filter(call -> call.startsWith(">")).count();
    }

    /** Entries whose package is another than that of the entry before. */
    int changesOfPackage() {
      int changes = 0;
      for (int i = 1; i < calls.size(); i++) {
        String before = packageOf(calls.get(i - 1).substring(1));
        changes += before.equals(packageOf(calls.get(i).substring(1))) ? 0 : 1;
      }
      return changes;
    }

    /** Number of classes. */
    int classes() {
      Set<String> classes = new HashSet<>();
      calls.forEach(call -> classes.add(call.substring(1, call.lastIndexOf('.'))));
      return classes.size();
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%,d calls through %d classes, %d of them into another package; %d changes of package",
          calls.size(),
          classes(),
          acrossPackages(),
          changesOfPackage());
    }
  }
}
