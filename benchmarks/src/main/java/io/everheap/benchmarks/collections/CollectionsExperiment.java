package io.everheap.benchmarks.collections;

import io.everheap.benchmarks.harness.Experiment;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.result.Target;
import java.util.ArrayList;
import java.util.List;

/** Sorted maps, lists, queues, arrays and blocks, next to floors and to those of the JDK. */
public final class CollectionsExperiment implements Experiment {
  @Override
  public String name() {
    return "collections";
  }

  @Override
  public String description() {
    return "sorted maps, lists, queues, arrays and blocks, next to floors and those of the JDK";
  }

  @Override
  public List<Part> parts() {
    return List.of(new DaxPart(), new SortedPart(), new HexPart());
  }

  @Override
  public List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    for (String change :
        List.of(
            "list/append", "list/append-of-100", "deque/offer-poll", "deque/offer-poll-of-100")) {
      targets.add(Target.atMostTimesFloor(change, 1.8));
    }
    targets.add(Target.atMostTimesFloor("priority-queue/offer-poll", 4));
    targets.add(Target.atMostTimesFloor(SortedPart.caseName("scan", 10_000_000), 10));
    targets.add(Target.atMostTimesFloor(SortedPart.caseName("for-each", 10_000_000), 10));
    for (int entries : SortedPart.SIZES) {
      for (String operation : SortedPart.OPERATIONS) {
        String name = SortedPart.caseName(operation, entries);
        targets.add(Target.atMostTimesPeer(name, 1, 1.5, DaxPart.JDK));
      }
    }
    return targets;
  }
}
