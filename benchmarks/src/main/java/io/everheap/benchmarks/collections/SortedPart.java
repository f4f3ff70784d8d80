package io.everheap.benchmarks.collections;

import io.everheap.benchmarks.harness.MapPart;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.harness.Subject;
import io.everheap.benchmarks.harness.WorkerProcess;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Level;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Gets and scans of sorted maps of several sizes, next to those of the JDK's skip list. */
final class SortedPart extends MapPart {
  static final List<Integer> SIZES = List.of(1_000, 100_000, 1_000_000, 10_000_000);
  static final List<String> OPERATIONS = List.of("get", "range", "scan", "for-each");

  private static final int LARGEST = SIZES.getLast();
  private static final int LARGEST_QUICK = 1_000_000;
  private static final int ENTRY_BYTES = 16;
  private static final String SCAN = "scan";
  private static final String FOR_EACH = "for-each";

  @Override
  public String name() {
    return "sorted";
  }

  /** The name of the case with so many entries. */
  static String caseName(String operation, int entries) {
    return "sorted/" + operation + "-" + size(entries);
  }

  @Override
  protected List<Integer> sizes(Run run) {
    return SIZES.stream()
        .filter(n -> !run.settings().quick() || n <= LARGEST_QUICK)
        .filter(n -> OPERATIONS.stream().anyMatch(o -> run.settings().wants(caseName(o, n))))
        .toList();
  }

  @Override
  protected Map<String, Class<? extends Subject>> subjects(Run run) {
    Map<String, Class<? extends Subject>> subjects = new LinkedHashMap<>();
    subjects.put(Case.FLOOR, MemorySubject.class);
    subjects.putAll(both(run, SortedSubject.class, DaxPart.JDK));
    return subjects;
  }

  @Override
  protected void rounds(Run run, Map<String, WorkerProcess> workers, int entries)
      throws IOException {
    boolean quick = run.settings().quick();
    for (int round = 0; round == 0 || run.goesOn(this, round, 0.9); round++) {
      if (round > 0) {
        run.progress().step(caseName("get", entries) + " and scans, round " + round);
      }
      for (String operation : OPERATIONS) {
        for (Map.Entry<String, WorkerProcess> worker : workers.entrySet()) {
          String peer = worker.getKey();
          if (peer.equals(Case.FLOOR) && !operation.equals(SCAN)) {
            continue;
          }
          int millis = round == 0 ? (quick ? 400 : 3000) : (quick ? 150 : 1000); // 0: warm-up
          double nanos = worker.getValue().ask(operation, millis).getOrDefault("ns", Double.NaN);
          if (round > 0) {
            run.samples().add(row(operation, peer, entries, Case.NS_PER_OP), nanos);
            if (isScan(operation)) {
              run.samples().add(row(operation, peer, entries, Case.GB_PER_S), ENTRY_BYTES / nanos);
              if (entries == LARGEST) {
                run.samples().add(row(operation, peer, entries, Case.OPS_PER_S), 1e9 / nanos);
              }
            }
          }
        }
      }
    }
  }

  private static boolean isScan(String operation) {
    return operation.equals(SCAN) || operation.equals(FOR_EACH);
  }

  private static Case row(String operation, String peer, int entries, String metric) {
    boolean durable = peer.equals(Case.EVERHEAP);
    boolean floor = peer.equals(Case.FLOOR);
    String name = floor ? "memory/" + caseName(operation, entries) : caseName(operation, entries);
    return new Case(
        name,
        peer,
        durable ? Level.P : Level.V,
        durable ? "file" : "java-heap",
        1,
        metric,
        durable && isScan(operation) && metric.equals(Case.NS_PER_OP)
            ? "memory/" + caseName(SCAN, entries)
            : null);
  }
}
