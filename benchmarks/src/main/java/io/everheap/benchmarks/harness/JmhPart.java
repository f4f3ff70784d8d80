package io.everheap.benchmarks.harness;

import io.everheap.benchmarks.result.Case;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
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
   * A case and the benchmark method that measures it, in nanoseconds or allocated bytes.
   *
   * @param what the case
   * @param benchmark the class
   * @param method its method
   * @param parameters of its state besides those that all have
   */
  public record Entry(
      Case what, Class<?> benchmark, String method, Map<String, String> parameters) {
    /** A benchmark whose state has no other parameters. */
    public Entry(Case what, Class<?> benchmark, String method) {
      this(what, benchmark, method, Map.of());
    }
  }

  private final String name;
  private final double share;
  private final boolean inMemory;

  /**
   * Makes a part.
   *
   * @param name for messages
   * @param share of the time of a quick run after which this should be done
   * @param inMemory whether the state of the benchmarks is in memory, else on the disk
   */
  protected JmhPart(String name, double share, boolean inMemory) {
    this.name = name;
    this.share = share;
    this.inMemory = inMemory;
  }

  @Override
  public final String name() {
    return name;
  }

  /** All cases; floors first. */
  protected abstract List<Entry> entries();

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
            (inMemory ? run.memory() : run.disk()).toString(),
            "logMib",
            run.settings().quick() ? QUICK_LOG_MIB : LOG_MIB);
    for (int round = 1; run.goesOn(this, round, share); round++) {
      for (Entry entry : List.copyOf(wanted)) {
        run.progress().step(entry.what() + ", round " + round);
        try {
          run.samples().add(entry.what(), measure(run.jmh(), entry, parameters));
        } catch (IOException e) {
          run.samples().notRun(entry.what().toString(), String.valueOf(e.getMessage()));
          drop(wanted, entry::equals);
        }
      }
    }
  }

  private static double measure(Jmh jmh, Entry entry, Map<String, String> common)
      throws IOException {
    Map<String, String> parameters = new HashMap<>(common);
    parameters.putAll(entry.parameters());
    return entry.what().metric().equals(Case.BYTES_PER_OP)
        ? jmh.allocation(entry.benchmark(), entry.method(), parameters)
        : jmh.run(entry.benchmark(), entry.method(), parameters);
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
