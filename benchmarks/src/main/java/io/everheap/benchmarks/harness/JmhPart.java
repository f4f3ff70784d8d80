package io.everheap.benchmarks.harness;

import io.everheap.benchmarks.result.Case;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Cases that JMH measures: short operations of one thread. A round is one fork of each, in order.
 */
public abstract class JmhPart implements Part {
  private static final String LOG_MIB = "128";
  private static final String QUICK_LOG_MIB = "32";

  /**
   * A case and the benchmark method that measures it in nanoseconds.
   *
   * @param what the case
   * @param benchmark the class
   * @param method its method
   */
  public record Entry(Case what, Class<?> benchmark, String method) {}

  /** All cases; floors first. */
  protected abstract List<Entry> entries();

  /** The directory for the benchmarks' state. */
  protected abstract String directory(Run run);

  /** By when a quick run should be done with this, as a share of its time. */
  protected abstract double share();

  /** Why a peer's cases cannot be measured; {@code null} if they can. */
  protected abstract @Nullable String obstacle(Run run, String peer);

  @Override
  public final int steps(Run run) {
    return wanted(run).size() * run.settings().rounds();
  }

  @Override
  public final void measure(Run run) {
    List<Entry> wanted = new ArrayList<>(wanted(run));
    for (String peer : wanted.stream().map(e -> e.what().peer()).distinct().toList()) {
      String obstacle = obstacle(run, peer);
      if (obstacle != null) {
        run.samples().notRun(name() + " " + peer, obstacle);
        run.progress()
            .skip(drop(wanted, e -> e.what().peer().equals(peer)) * run.settings().rounds());
      }
    }
    Map<String, String> parameters =
        Map.of(
            "directory",
            directory(run),
            "logMib",
            run.settings().quick() ? QUICK_LOG_MIB : LOG_MIB);
    for (int round = 1; run.goesOn(this, round, share()); round++) {
      for (Entry entry : List.copyOf(wanted)) {
        run.progress().step(entry.what() + ", round " + round);
        try {
          double nanos = run.jmh().run(entry.benchmark(), entry.method(), parameters);
          run.samples().add(entry.what(), nanos);
        } catch (IOException e) {
          run.samples().notRun(entry.what().toString(), String.valueOf(e.getMessage()));
          drop(wanted, entry::equals);
        }
      }
    }
  }

  private static int drop(List<Entry> entries, Predicate<Entry> which) {
    int before = entries.size();
    entries.removeIf(which);
    return before - entries.size();
  }

  /** The cases that were asked for, and their floors. */
  private List<Entry> wanted(Run run) {
    List<Entry> wanted =
        entries().stream()
            .filter(e -> run.settings().wants(e.what().name()))
            .filter(
                e ->
                    e.what().peer().equals(Case.EVERHEAP)
                        || e.what().peer().equals(Case.FLOOR)
                        || run.settings().peers().contains(e.what().peer()))
            .toList();
    List<String> floors =
        wanted.stream().map(e -> e.what().floor()).filter(Objects::nonNull).toList();
    return entries().stream()
        .filter(e -> wanted.contains(e) || floors.contains(e.what().name()))
        .toList();
  }
}
