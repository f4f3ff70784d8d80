package io.everheap.replication;

import static io.everheap.replication.Numbers.contents;
import static io.everheap.replication.Numbers.map;
import static io.everheap.replication.Numbers.until;
import static io.everheap.replication.Numbers.untilEqual;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.HeapCheck;
import io.everheap.collection.DurableMap;
import io.everheap.error.ClosedException;
import io.everheap.error.FencedException;
import io.everheap.error.LockedException;
import io.everheap.error.ReadOnlyException;
import io.everheap.report.VerifyProgress;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Mirrors: replicas in the process of their primary. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Campaign
class MirrorTest {
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @TempDir Path dir;

  private Heap heap() {
    return Heap.open(dir.resolve("heap"));
  }

  private Path mirror() {
    return dir.resolve("mirror");
  }

  private static void put(Heap heap, int from, int to) {
    DurableMap<Integer, String> map = map(heap);
    for (int i = from; i < to; i++) {
      map.put(i, "v" + i);
    }
  }

  private static void end(Primary primary) {
    primary.close();
  }

  private long aside() throws IOException {
    try (Stream<Path> all = Files.list(dir)) {
      return all.filter(path -> path.toString().contains(".aside")).count();
    }
  }

  @Test
  void aMirrorHasEachCommitThatReturned() {
    try (Heap heap = heap();
        Primary primary = Primary.of(heap).open()) {
      put(heap, 0, 100);
      Replica mirror = primary.mirror(mirror());
      primary.copies(1);
      put(heap, 100, 200);
      assertThat(contents(mirror.heap())).isEqualTo(contents(heap)).hasSize(200);
      assertThatThrownBy(() -> map(mirror.heap()).put(1, "x"))
          .isInstanceOf(ReadOnlyException.class);
      assertThat(primary.status().replicas())
          .singleElement()
          .satisfies(copy -> assertThat(copy.name()).isEqualTo(mirror().toString()));
    }
  }

  @Test
  void aMirrorEndsWithItsPrimary() {
    Replica mirror;
    try (Heap heap = heap();
        Primary primary = Primary.of(heap).open()) {
      mirror = primary.mirror(mirror());
    }
    assertThatThrownBy(() -> map(mirror.heap())).isInstanceOf(ClosedException.class);
    mirror.close();
  }

  @Test
  void thereMayBeMirrorsAndReplicas() {
    try (Heap heap = heap();
        Primary primary = Primary.of(heap).secret(Numbers.SECRET).listen(ANY)) {
      Replica mirror = primary.mirror(mirror());
      Replica second = primary.mirror(dir.resolve("second"));
      try (Replica remote =
          Replica.of(dir.resolve("far")).primary(primary.address()).secret(Numbers.SECRET).open()) {
        primary.copies(3);
        put(heap, 0, 50);
        untilEqual(mirror, heap);
        untilEqual(second, heap);
        untilEqual(remote, heap);
        primary.copies(2);
        second.close();
        put(heap, 50, 60);
        primary.copies(0);
      }
    }
  }

  @Test
  void aMirrorGoesOnAfterRestartsOfAHeapWithoutAnArchive() throws IOException {
    try (Heap heap = heap();
        Primary primary = Primary.of(heap).open()) {
      put(heap, 0, 10);
      untilEqual(primary.mirror(mirror()), heap);
    }
    for (int restart = 1; restart <= 5; restart++) {
      try (Heap heap = heap()) {
        put(heap, restart * 100, restart * 100 + 100); // it is not mirrored now
      }
      if (restart % 2 == 0) {
        try (Heap heap = heap();
            Primary primary = Primary.of(heap).open()) {
          put(heap, 0, 10);
          Replica mirror = primary.mirror(mirror());
          put(heap, 10, 20);
          untilEqual(mirror, heap);
          assertThat(mirror.heap().verify().problems()).isEmpty();
        }
      }
    }
    assertThat(aside()).isZero();
  }

  @Test
  void aMirrorThatWasAwayForTooLongIsMadeAnew() throws IOException {
    try (Heap heap = heap();
        Primary primary = Primary.of(heap).open()) {
      primary.mirror(mirror());
    }
    try (Heap heap = Heap.builder(dir.resolve("heap")).logSize(16 << 20).open()) {
      DurableMap<Integer, String> map = map(heap);
      String large = "x".repeat(1 << 20);
      for (int i = 0; i < 100; i++) {
        map.put(i % 3, large + i);
      }
      try (Primary primary = Primary.of(heap).open()) {
        untilEqual(primary.mirror(mirror()), heap);
      }
    }
    assertThat(aside()).isOne();
  }

  @Test
  void aMirrorTakesOver() {
    try (Heap heap = heap();
        Primary primary = Primary.of(heap).open()) {
      Replica mirror = primary.mirror(mirror());
      primary.copies(1);
      put(heap, 0, 100);
      try (Replica promoted = mirror) {
        Heap next = promoted.promote();
        assertThat(contents(next)).hasSize(100);
        put(next, 100, 110);
        until(() -> primary.status().fenced());
        assertThatThrownBy(() -> put(heap, 110, 120)).isInstanceOf(FencedException.class);
        end(primary);
        assertThat(contents(next)).hasSize(110); // it does not end with the former primary
      }
    }
    try (Heap heap = Heap.open(mirror());
        Primary primary = Primary.of(heap).open()) {
      untilEqual(primary.mirror(dir.resolve("heap")), heap); // the roles are swapped
      assertThat(contents(heap)).hasSize(110);
    }
  }

  @Test
  void aFormerHeapIsFencedByItsPromotedMirror() {
    try (Heap heap = heap();
        Primary primary = Primary.of(heap).open()) {
      put(heap, 0, 10);
      untilEqual(primary.mirror(mirror()), heap);
    }
    Replica.of(mirror()).promote();
    try (Heap promoted = Heap.open(mirror())) {
      put(promoted, 10, 20);
    }
    try (Heap heap = heap();
        Primary primary = Primary.of(heap).open()) {
      assertThatThrownBy(() -> primary.mirror(mirror())).hasMessageContaining("term");
      assertThatThrownBy(() -> put(heap, 20, 30)).isInstanceOf(FencedException.class);
    }
    try (Heap promoted = Heap.open(mirror())) {
      assertThat(contents(promoted)).hasSize(20);
    }
  }

  @Test
  void aDamagedPageIsRepairedFromTheMirror() throws IOException {
    Map<Integer, String> all;
    try (Heap heap = heap();
        Primary primary = Primary.of(heap).open()) {
      Replica mirror = primary.mirror(mirror());
      primary.copies(1);
      put(heap, 0, 5_000);
      untilEqual(mirror, heap);
      all = contents(heap);
    }
    flipInEachPage(dir.resolve("heap"), 20);
    try (Heap heap = Heap.builder(dir.resolve("heap")).repairFrom(mirror()).open();
        Primary primary = Primary.of(heap).open()) {
      assertThat(contents(heap)).isEqualTo(all);
      assertThat(heap.verify().problems()).isEmpty();
      put(heap, 5_000, 5_100);
      untilEqual(primary.mirror(mirror()), heap);
    }
    flipInEachPage(mirror(), 20); // the other way round
    assertThat(
            HeapCheck.scrub(mirror(), List.of(dir.resolve("heap")), null, VerifyProgress.NONE).ok())
        .isTrue();
  }

  /** Flips a bit in some pages that were written, behind the first ones of the heap. */
  private static void flipInEachPage(Path heap, int pages) throws IOException {
    ByteBuffer checksums = ByteBuffer.wrap(Files.readAllBytes(heap.resolve("heap.crc")));
    try (FileChannel file =
        FileChannel.open(heap.resolve("heap"), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      int flipped = 0;
      for (long page = 100; flipped < pages; page++) {
        if (checksums.getLong((int) page * 8) != 0) {
          ByteBuffer one = ByteBuffer.allocate(1);
          file.read(one, page * 4096 + 40);
          file.write(one.put(0, (byte) (one.get(0) ^ 1)).flip(), page * 4096 + 40);
          flipped++;
        }
      }
    }
  }

  @Test
  void misuseIsRefused() {
    try (Heap heap = heap();
        Primary primary = Primary.of(heap).open()) {
      put(heap, 0, 10);
      assertThatThrownBy(() -> primary.mirror(dir.resolve("heap")))
          .isInstanceOf(LockedException.class);
      assertThatThrownBy(primary::address).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(
              () ->
                  heap.transact(
                      () -> {
                        primary.mirror(mirror());
                      }))
          .isInstanceOf(IllegalStateException.class);
      put(heap, 10, 20);
      end(primary);
      assertThatThrownBy(() -> primary.mirror(mirror())).hasMessageContaining("closed");
      assertThat(mirror()).doesNotExist();
    }
  }
}
