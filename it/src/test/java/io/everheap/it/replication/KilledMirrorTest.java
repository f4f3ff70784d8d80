package io.everheap.it.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.cli.demo.WorkerProcess;
import io.everheap.replication.Replica;
import io.everheap.support.tier.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process with a heap and its mirror, which is killed at random moments. Then either the heap is
 * opened again, or it is deleted, as if its disk were lost, and the mirror takes over. Each commit
 * waits for the mirror, so nothing that was acknowledged is lost; and the mirror goes on from what
 * it has, without an archive, unless its heap was deleted.
 */
@Processes
class KilledMirrorTest {
  @TempDir private Path directory;

  private final Campaign campaign = new Campaign();

  @Test
  void aMirrorHasWhatWasAcknowledged() throws Exception {
    Path heap = directory.resolve("a");
    Path mirror = directory.resolve("b");
    int lost = 0;
    WorkerProcess worker = start(heap, mirror);
    try {
      for (int round = 0; round < Campaign.ROUNDS; round++) {
        campaign.awaitCommits(campaign.random.nextInt(10, 400), worker);
        worker.kill();
        if (campaign.random.nextInt(3) == 0) {
          delete(heap);
          assertThat(Replica.of(mirror).promote() >>> Integer.SIZE).isEqualTo(++lost);
          Path former = heap;
          heap = mirror;
          mirror = former;
        }
        worker = start(heap, mirror);
      }
      campaign.awaitCommits(50, worker);
    } finally {
      worker.close();
    }
    Replica.of(mirror).promote();
    try (Heap opened = Heap.open(mirror)) {
      assertThat(opened.verify().problems()).isEmpty();
    }
    assertThat(directory).isDirectoryNotContaining(file -> file.toString().contains(".aside"));
    System.out.printf(
        Locale.ROOT,
        "%d kills, %d disks lost, %,d commits acknowledged%n",
        Campaign.ROUNDS,
        lost,
        campaign.commits());
  }

  private static void delete(Path heap) throws IOException {
    try (Stream<Path> files = Files.walk(heap)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
    }
  }

  private WorkerProcess start(Path heap, Path mirror) throws Exception {
    return campaign.startPrimary(List.of(heap.toString(), "", "1", mirror.toString()), true);
  }
}
