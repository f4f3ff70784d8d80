package io.everheap.benchmarks.cache;

import io.everheap.benchmarks.harness.Subject;
import java.util.HashMap;
import java.util.Map;

/**
 * Policies in a JVM that may have the jars of another library. The parameter {@code policies} names
 * the class; each request names a trace, and is answered with the share of hits by policy.
 */
public final class PolicySubject implements Subject {
  private TracePolicies policies = new OwnPolicies();

  /** Makes a subject with this library's policies. */
  public PolicySubject() {}

  @Override
  public void open(Map<String, String> parameters) throws ReflectiveOperationException {
    String other = parameters.get("policies");
    if (other != null) {
      policies =
          Class.forName(other)
              .asSubclass(TracePolicies.class)
              .getDeclaredConstructor()
              .newInstance();
    }
  }

  @Override
  public Map<String, Double> measure(String[] request) {
    Trace trace = Trace.named(request[0]);
    Map<String, Double> found = new HashMap<>();
    for (String policy : policies.names()) {
      double percent = policies.hitPercent(policy, trace);
      if (!Double.isNaN(percent)) {
        found.put(policy, percent);
      }
    }
    return found;
  }

  @Override
  public void close() {
    // It holds nothing.
  }
}
