package io.everheap.it.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.replication.Replica;
import io.everheap.support.tier.Processes;
import java.nio.file.Path;
import java.util.List;

/** Kills processes with heaps and their replicas. */
@Processes
class KilledReplicasTest extends KilledReplicasSuite {
  KilledReplicasTest() {
    super(new Campaign());
  }

  @Override
  List<String> primary(Path of, int copies) {
    String archives = directory.resolve("archives").toString();
    return List.of(of.toString(), archives, Integer.toString(copies));
  }

  @Override
  long promote(Path replica) {
    return Replica.of(replica).promote();
  }

  @Override
  void requireWhole(Path promoted) {
    try (Heap heap = Heap.open(promoted)) {
      assertThat(heap.verify().problems()).isEmpty();
    }
  }
}
