package io.everheap.benchmarks.cassandra;

import io.everheap.benchmarks.harness.Subject;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A node, or a client of one; their classes are on the class path of their processes only. */
public final class NodeSubject implements Subject {
  /** The parameter that says which. */
  static final String CLASS = "class";

  private static final String PACKAGE = "io.everheap.benchmarks.cassandra.node.";

  private @Nullable Subject node;

  /** Makes a subject that is not open. */
  public NodeSubject() {}

  @Override
  public void open(Map<String, String> parameters) throws Exception {
    Subject made =
        Class.forName(PACKAGE + parameters.get(CLASS))
            .asSubclass(Subject.class)
            .getDeclaredConstructor()
            .newInstance();
    made.open(parameters);
    node = made;
  }

  @Override
  public Map<String, Double> measure(String[] request) throws Exception {
    Subject opened = node;
    if (opened == null) {
      throw new IllegalStateException("not open");
    }
    return opened.measure(request);
  }

  @Override
  public void close() throws IOException {
    if (node != null) {
      node.close();
    }
  }
}
