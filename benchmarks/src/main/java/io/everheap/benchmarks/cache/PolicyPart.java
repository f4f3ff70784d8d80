package io.everheap.benchmarks.cache;

import io.everheap.benchmarks.harness.Launch;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.harness.WorkerProcess;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Level;
import io.everheap.benchmarks.store.PeerClassPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Hit rates of the policies on traces, next to those of Caffeine and its simulator. They are the
 * same each time, Caffeine's but for a little: it admits some entries at random.
 */
final class PolicyPart implements Part {
  private static final String SIMULATOR = "simulator";
  private static final String POLICIES = "io.everheap.benchmarks.peers.CaffeinePolicies";
  private static final Comparator<String> DEFAULT_FIRST =
      Comparator.<String, Boolean>comparing(policy -> !policy.equals(OwnPolicies.DEFAULT))
          .thenComparing(Comparator.naturalOrder());

  @Override
  public String name() {
    return "policy";
  }

  private static String name(Trace trace) {
    return "policy/" + trace.name();
  }

  private static List<Trace> wanted(Run run) {
    return Trace.ALL.stream().filter(trace -> run.settings().wants(name(trace))).toList();
  }

  @Override
  public int steps(Run run) {
    return wanted(run).size();
  }

  @Override
  public void measure(Run run) throws IOException {
    List<WorkerProcess> workers = new ArrayList<>();
    try {
      workers.add(
          WorkerProcess.start(run.logs(), Launch.PLAIN, PolicySubject.class, Map.of()).ready());
      if (run.settings().peers().contains(CachePeers.CAFFEINE)) {
        addCaffeine(run, workers);
      }
      for (Trace trace : wanted(run)) {
        run.progress().step(name(trace));
        for (WorkerProcess worker : workers) {
          Map<String, Double> percents = new TreeMap<>(DEFAULT_FIRST);
          percents.putAll(worker.ask(trace.name()));
          percents.forEach((policy, percent) -> run.samples().add(row(trace, policy), percent));
        }
        run.keep();
      }
    } finally {
      for (WorkerProcess worker : workers) {
        worker.close();
      }
    }
  }

  private static void addCaffeine(Run run, List<WorkerProcess> workers) {
    try {
      String classPath = PeerClassPath.find();
      if (PeerClassPath.version(classPath, SIMULATOR).isEmpty()) {
        throw new IOException("its jar " + SIMULATOR + " is not there");
      }
      workers.add(
          WorkerProcess.start(
                  run.logs(),
                  new Launch(SIMULATOR, List.of(), List.of(), classPath),
                  PolicySubject.class,
                  Map.of("policies", POLICIES))
              .ready());
    } catch (IOException e) {
      run.samples().notRun("policy " + SIMULATOR, String.valueOf(e.getMessage()));
    }
  }

  private static Case row(Trace trace, String policy) {
    return new Case(name(trace), policy, Level.V, "trace", 1, Case.HIT_PERCENT, null);
  }
}
