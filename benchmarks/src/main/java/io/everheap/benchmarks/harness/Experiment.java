package io.everheap.benchmarks.harness;

import io.everheap.benchmarks.result.Measurement;
import io.everheap.benchmarks.result.Target;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A set of cases that are measured together, in one run. */
public interface Experiment {
  /**
   * Returns the name, as given on the command line.
   *
   * @return one word
   */
  String name();

  /**
   * Describes what is measured.
   *
   * @return one sentence
   */
  String description();

  /**
   * Returns the targets of its rows.
   *
   * @return the targets
   */
  List<Target> targets();

  /**
   * Returns the peers that are measured unless others are named.
   *
   * @return their names
   */
  default Set<String> peers() {
    return Set.of("llpl", "chm", "jdk", "pmemlog", "chronicle", "aeron", "mashona");
  }

  /**
   * Returns how long each of its parts may take unless the user says otherwise.
   *
   * @return minutes; 0 for any time
   */
  default int minutes() {
    return 0;
  }

  /**
   * Returns an object with options of its own for the command line, as picocli's annotations
   * declare them.
   *
   * @return the options, or {@code null} if it has none
   */
  default @Nullable Object options() {
    return null;
  }

  /**
   * Returns further facts that readers of its results need.
   *
   * @param run the run that is over
   * @return facts by name
   */
  default Map<String, Object> facts(Run run) {
    return Map.of();
  }

  /**
   * Tells whether a row is printed after a run; files have all of them.
   *
   * @param row a row
   * @return whether it is
   */
  default boolean prints(Measurement row) {
    return true;
  }

  /**
   * Returns its groups of cases, which are measured one after the other.
   *
   * @return the parts
   */
  List<Part> parts();
}
