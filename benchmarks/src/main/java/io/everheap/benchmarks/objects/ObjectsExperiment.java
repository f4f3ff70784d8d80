package io.everheap.benchmarks.objects;

import io.everheap.benchmarks.harness.Experiment;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Target;
import java.util.ArrayList;
import java.util.List;

/** Fields of durable objects, next to floors and to plain objects. */
public final class ObjectsExperiment implements Experiment {
  private static final double LESS_THAN_AN_OBJECT = 0.5;

  @Override
  public String name() {
    return "objects";
  }

  @Override
  public String description() {
    return "fields of durable objects, next to floors and to plain objects, and collections";
  }

  @Override
  public List<Part> parts() {
    return List.of(new ReadPart(), new WritePart(), new CollectPart());
  }

  @Override
  public List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    for (String read : List.of("read/long", "read/long-of-128", "read/int")) {
      targets.add(Target.atMostTimesPeer(read, 1, 1.3, ReadPart.JDK));
      targets.add(Target.atMostTimesPeer(read + ReadPart.WOVEN, 1, 1.3, ReadPart.JDK, read));
    }
    for (String what : ReadPart.WITHOUT_GARBAGE) {
      for (String kind : List.of("", ReadPart.WOVEN)) {
        targets.add(Target.below("read/" + what + kind, Case.BYTES_PER_OP, LESS_THAN_AN_OBJECT));
      }
    }
    for (String kind : List.of("", ReadPart.WOVEN)) {
      targets.add(Target.atMostTimesFloor("write/long" + kind, 1.6));
      targets.add(Target.atMostTimesFloor("write/long-of-100" + kind, 1.6));
    }
    targets.add(Target.atMostTimesFloor(CollectPart.ALONE, 3));
    targets.add(Target.below(CollectPart.WRITER, Case.P99_US, 1000));
    return targets;
  }
}
