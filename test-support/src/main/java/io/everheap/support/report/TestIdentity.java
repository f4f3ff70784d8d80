package io.everheap.support.report;

import java.util.Comparator;

/**
 * Names one invocation of one test.
 *
 * <p>The engine is not part of the name, because a report does not state the engine. Class and
 * method determine the engine.
 *
 * @param module the module, such as {@code core} or {@code samples/words}
 * @param className the binary name of the class
 * @param method the method without parameter types
 * @param index the indexes of {@link TestName}; for a name without an index, {@code #n} for the
 *     n-th test case of the method in one report, and empty for the first
 */
record TestIdentity(String module, String className, String method, String index)
    implements Comparable<TestIdentity> {
  private static final Comparator<TestIdentity> ORDER =
      Comparator.comparing(TestIdentity::module)
          .thenComparing(TestIdentity::className)
          .thenComparing(TestIdentity::method)
          // The shorter index first, so that [2] comes before [10].
          .thenComparingInt(identity -> identity.index().length())
          .thenComparing(TestIdentity::index);

  @Override
  public int compareTo(TestIdentity other) {
    return ORDER.compare(this, other);
  }

  /** Returns the same test without its invocation. */
  TestIdentity ofMethod() {
    return new TestIdentity(module, className, method, "");
  }

  @Override
  public String toString() {
    return module + "  " + className + "." + method + index;
  }
}
