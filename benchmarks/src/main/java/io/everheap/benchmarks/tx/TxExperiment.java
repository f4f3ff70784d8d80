package io.everheap.benchmarks.tx;

import io.everheap.benchmarks.harness.Experiment;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Target;
import java.util.ArrayList;
import java.util.List;

/** Small transactions on each medium, group commit, the map, and opening, next to their floors. */
public final class TxExperiment implements Experiment {
  /** Entries of the largest map that fits into the processor's cache. */
  private static final int IN_CACHE = 100_000;

  @Override
  public String name() {
    return "tx";
  }

  @Override
  public String description() {
    return "small transactions, group commit, the map, and opening, next to their floors and peers";
  }

  @Override
  public List<Part> parts() {
    return List.of(
        new DaxPart(),
        new AsyncPart(),
        new PutPart(),
        new SyncPart(),
        new GetPart(),
        new RecoveryPart());
  }

  @Override
  public List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    targets.add(Target.atMostTimesFloor("dax/update", 1.35));
    targets.add(Target.atMostTimesFloor("dax/allocate", 1.9));
    targets.add(Target.timesFasterThan("dax/allocate", 10, DaxPart.LLPL));
    targets.add(Target.below("async/update", Case.NS_PER_OP, 100));
    for (int entries : PutPart.SIZES) {
      targets.add(Target.below(PutPart.updates(entries), Case.NS_PER_OP, 500));
    }
    targets.add(Target.atMostTimesFloor(SyncPart.LATENCY, 1.2));
    targets.add(Target.timesOneThread(SyncPart.UPDATE, SyncPart.PLATFORM, 2.5, SyncPart.UPDATE));
    targets.add(
        Target.timesOneThread(SyncPart.UPDATE_VIRTUAL, SyncPart.VIRTUAL, 25, SyncPart.UPDATE));
    for (int entries : GetPart.SIZES) {
      double times = entries <= IN_CACHE ? 2 : 1.7;
      for (int threads : GetPart.THREADS) {
        targets.add(Target.atMostTimesPeer(GetPart.caseName(entries), threads, times, GetPart.JDK));
      }
    }
    targets.add(Target.below(RecoveryPart.KILLED, Case.SECONDS, 1));
    targets.add(Target.below(RecoveryPart.CLOSED, Case.SECONDS, 0.2));
    return targets;
  }
}
