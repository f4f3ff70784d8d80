package io.everheap.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.error.FencedException;
import io.everheap.error.MediumException;
import io.everheap.error.StoppedException;
import io.everheap.heap.OpenHeap;
import io.everheap.memory.MediumSetting;
import io.everheap.replication.ReplicaStatus;
import io.everheap.replication.ReplicationStatus;
import io.everheap.spring.EverheapCacheManager;
import io.everheap.testkit.machine.SimulatedMedium;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/** What does not work is not up, and the reason is told. */
class HealthTest {
  @TempDir private Path directory;

  private static void requireReason(HealthIndicator indicator, Status status, String reason) {
    Health health = indicator.health();
    assertThat(health.getStatus()).isEqualTo(status);
    assertThat(health.getDetails().toString()).contains(reason);
  }

  @Test
  void aPoisonedHeapIsDown() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    try (Heap heap =
        MediumSetting.medium(Heap.builder(Path.of(medium.location())), medium).open()) {
      Map<String, Long> map = heap.map("accounts", String.class, Long.class);
      var indicator = new HeapHealthIndicator(heap);
      assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
      medium.faults().failDurableWrite(1);
      assertThatThrownBy(() -> map.put("a", 1L)).isInstanceOf(StoppedException.class);
      requireReason(indicator, Status.DOWN, StoppedException.class.getName());
    }
  }

  @Test
  void aClosedHeapIsDown() {
    Heap heap = Heap.inMemory();
    heap.close();
    requireReason(new HeapHealthIndicator(heap), Status.DOWN, "closed");
  }

  @Test
  void aHeapThatIsOnlyReadIsOutOfService() {
    Heap.open(directory).close();
    try (Heap heap = Heap.builder(directory).readOnly().open()) {
      requireReason(new HeapHealthIndicator(heap), Status.OUT_OF_SERVICE, "ReadOnlyException");
    }
  }

  @Test
  void aFencedHeapIsOutOfService() {
    try (Heap heap = Heap.inMemory()) {
      OpenHeap.engine(heap).refuseTransactions(() -> new FencedException("here", 7));
      var indicator = new HeapHealthIndicator(heap);
      requireReason(indicator, Status.OUT_OF_SERVICE, "FencedException");
      assertThat(indicator.health().getDetails()).containsKey("used");
    }
  }

  @Test
  void aCacheThatStoppedIsDown() throws IOException {
    try (var manager = EverheapCacheManager.builder(directory).build()) {
      var indicator = new CacheHealthIndicator(List.of(manager));
      manager.getCache("sound").put("a", 1);
      manager.getCache("cut").put("a", 1);
      assertThat(indicator.health()).isEqualTo(Health.up().build());
      try (Stream<Path> files = Files.walk(directory)) {
        files
            .filter(file -> file.toString().contains("cut") && Files.isRegularFile(file))
            .forEach(HealthTest::cut);
      }
      assertThatThrownBy(() -> manager.getCache("cut").put("b", new byte[100_000]));
      requireReason(indicator, Status.DOWN, "stopped after a failure");
      assertThat(indicator.health().getDetails()).containsOnlyKeys("cut");
    } catch (MediumException | InternalError e) {
      // the close of the cache that was cut off
    }
  }

  private static void cut(Path file) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      FileChannel _ = channel.truncate(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ReplicationStatus primary(boolean fenced, boolean degraded) {
    return new ReplicationStatus(
        "heap", "/data", new UUID(0, 1), 0, fenced, 0, 1, degraded, List.of());
  }

  private static ReplicaStatus replica(@Nullable String failure, @Nullable String problem) {
    return new ReplicaStatus("there", 0, 5, 0, 0, failure, problem);
  }

  private static HealthIndicator of(ReplicationStatus primary, ReplicaStatus replica) {
    return new ReplicationHealthIndicator(List.of(() -> primary), Map.of("copy", () -> replica));
  }

  @Test
  void replicationIsAsHealthyAsItsWorstPart() {
    ReplicationStatus serves = primary(false, false);
    ReplicaStatus follows = replica(null, null);
    requireReason(of(serves, follows), Status.UP, "follows there, 5 bytes behind");
    requireReason(of(primary(true, false), follows), Status.OUT_OF_SERVICE, "fenced");
    requireReason(of(primary(false, true), follows), Status.OUT_OF_SERVICE, "degraded");
    requireReason(of(serves, replica(null, "refused")), Status.OUT_OF_SERVICE, "refused");
    requireReason(of(primary(true, false), replica("corrupt", null)), Status.DOWN, "corrupt");
  }
}
