package io.everheap.benchmarks.tx;

import io.everheap.benchmarks.harness.MapPart;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.harness.Subject;
import io.everheap.benchmarks.harness.WorkerProcess;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Gets of maps of several sizes, next to those of {@code ConcurrentHashMap}. */
final class GetPart extends MapPart {
  static final String JDK = "chm";
  static final List<Integer> THREADS = List.of(1, 2);
  static final List<Integer> SIZES = List.of(1_000, 10_000, 100_000, 1_000_000, 10_000_000);

  private static final int LARGEST_QUICK = 1_000_000;

  @Override
  public String name() {
    return "get";
  }

  /** The name of the case with so many entries. */
  static String caseName(int entries) {
    return "map/get-" + size(entries);
  }

  @Override
  protected List<Integer> sizes(Run run) {
    return SIZES.stream()
        .filter(n -> !run.settings().quick() || n <= LARGEST_QUICK)
        .filter(n -> run.settings().wants(caseName(n)))
        .toList();
  }

  @Override
  protected Map<String, Class<? extends Subject>> subjects(Run run) {
    return both(run, GetSubject.class, JDK);
  }

  @Override
  protected void rounds(Run run, Map<String, WorkerProcess> workers, int entries)
      throws IOException {
    boolean quick = run.settings().quick();
    for (WorkerProcess worker : workers.values()) {
      for (int threads : THREADS) {
        worker.ask("get", threads, quick ? 250 : 3000); // warm-up
      }
    }
    for (int round = 1; run.goesOn(this, round, 0.9); round++) {
      run.progress().step(caseName(entries) + ", round " + round);
      for (int threads : THREADS) {
        for (Map.Entry<String, WorkerProcess> worker : workers.entrySet()) {
          double nanos =
              worker
                  .getValue()
                  .ask("get", threads, quick ? 100 : 1000)
                  .getOrDefault("ns", Double.NaN);
          String name = caseName(entries);
          run.samples().add(what(name, worker.getKey(), threads, null), nanos);
        }
      }
    }
  }
}
