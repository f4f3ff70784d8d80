package io.everheap.replication;

import static io.everheap.replication.Numbers.contents;
import static io.everheap.replication.Numbers.map;
import static io.everheap.replication.Numbers.untilEqual;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.HeapCheck;
import io.everheap.encryption.KeyProvider;
import io.everheap.engine.Engine;
import io.everheap.engine.ReplicaPosition;
import io.everheap.error.EncryptionException;
import io.everheap.error.ReplicationException;
import io.everheap.heap.OpenHeap;
import io.everheap.report.VerifyProgress;
import io.everheap.support.KeyBytes;
import io.everheap.support.SilentMessages;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Replicas and mirrors of encrypted heaps. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Campaign
class EncryptedReplicaTest {
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final KeyProvider KEY = KeyProvider.of(KeyBytes.of(1));
  private static final KeyProvider OTHER = KeyProvider.of(KeyBytes.of(2));
  private static final String SECRET = "a secret that nobody may read";

  @TempDir Path dir;

  /** No message has a value, whatever the tests do (rule E4 of docs/encryption.md). */
  private final SilentMessages messages = new SilentMessages(EncryptedReplicaTest.class, SECRET);

  @AfterEach
  void close() {
    messages.close();
  }

  private Heap heap() {
    return Heap.builder(dir.resolve("heap")).encrypt(KEY).open();
  }

  private Replica.Builder replica(Primary primary) {
    return Replica.of(dir.resolve("replica")).primary(primary.address()).secret(Numbers.SECRET);
  }

  private static void put(Heap heap, int from, int to) {
    for (int i = from; i < to; i++) {
      map(heap).put(i, SECRET + i);
    }
  }

  /**
   * Also not in the copy from which a replica is made, while that is made. Searches all again if a
   * file was deleted or got another name meanwhile.
   */
  private void noPlaintext() throws IOException {
    boolean isWhole;
    do {
      isWhole = true;
      try {
        Files.walkFileTree(
            dir,
            new SimpleFileVisitor<>() {
              @Override
              public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                  throws IOException {
                assertThat(new String(Files.readAllBytes(file), ISO_8859_1))
                    .as(file.toString())
                    .doesNotContain(SECRET.substring(0, 8));
                return FileVisitResult.CONTINUE;
              }
            });
      } catch (NoSuchFileException e) {
        isWhole = false;
      }
    } while (!isWhole);
  }

  @Test
  void anEncryptedReplicaFollowsWithAKeyOfItsOwnAndTakesOver() throws IOException {
    long durable;
    try (Heap heap = heap();
        Primary primary = Primary.of(heap).secret(Numbers.SECRET).listen(ANY)) {
      put(heap, 0, 300);
      try (Replica replica = replica(primary).encrypt(OTHER).open()) {
        put(heap, 300, 400);
        untilEqual(replica, heap);
        noPlaintext();
      }
      put(heap, 400, 500);
      try (Replica replica = replica(primary).encrypt(OTHER).open()) { // it comes back
        primary.copies(1);
        put(heap, 500, 600);
        assertThat(contents(replica.heap())).isEqualTo(contents(heap)).hasSize(600);
        noPlaintext();
        primary.copies(0);
        Heap promoted = replica.promote();
        put(promoted, 600, 700);
        durable = contents(promoted).size();
      }
    }
    noPlaintext();
    assertThat(dir.resolve("replica.joining")).doesNotExist();
    assertThat(Files.readAllBytes(dir.resolve("replica/keys")))
        .isNotEqualTo(Files.readAllBytes(dir.resolve("heap/keys")));
    try (Heap heap = Heap.builder(dir.resolve("replica")).encrypt(OTHER).open();
        Primary primary = Primary.of(heap).secret(Numbers.SECRET).listen(ANY);
        Replica former =
            Replica.of(dir.resolve("heap"))
                .primary(primary.address())
                .secret(Numbers.SECRET)
                .encrypt(KEY)
                .anew()
                .open()) {
      assertThat(contents(heap)).hasSize((int) durable);
      untilEqual(former, heap);
      assertThat(former.heap().verify().problems()).isEmpty();
    }
  }

  @Test
  void aReplicaThatWouldStoreItInPlaintextGetsNothing() throws IOException {
    try (Heap heap = heap();
        Primary primary = Primary.of(heap).secret(Numbers.SECRET).listen(ANY)) {
      put(heap, 0, 10);
      assertThat(messages.fails(() -> replica(primary).open()))
          .isInstanceOf(ReplicationException.class)
          .hasMessageContaining("is encrypted, and the replica would not be");
      assertThatThrownBy(() -> primary.mirror(dir.resolve("mirror")))
          .isInstanceOf(ReplicationException.class)
          .hasMessageContaining("--key");
      Engine engine = OpenHeap.engine(heap);
      try (Connection follows = Numbers.connect(primary.address())) {
        follows.send(
            Message.HELLO,
            new Hello(
                    Hello.Purpose.FOLLOW,
                    engine.uuid(),
                    ReplicaPosition.read(engine.memory()),
                    0,
                    false,
                    new Hello.Who(1, 0, "plain"))
                .encode());
        assertThatThrownBy(() -> follows.receive(Message.START))
            .hasMessageContaining("is encrypted, and the replica would not be");
      }
      noPlaintext();
    }
  }

  @Test
  void aHeapInPlaintextMayHaveAnEncryptedReplica() {
    try (Heap heap = Heap.open(dir.resolve("plain"));
        Primary primary = Primary.of(heap).secret(Numbers.SECRET).listen(ANY);
        Replica replica = replica(primary).encrypt(KEY).open()) {
      put(heap, 0, 100);
      untilEqual(replica, heap);
    }
    assertThatThrownBy(() -> Replica.of(dir.resolve("replica")).promote())
        .isInstanceOf(EncryptionException.class);
    Replica.of(dir.resolve("replica")).encrypt(KEY).promote();
    try (Heap heap = Heap.builder(dir.resolve("replica")).encrypt(KEY).open()) {
      assertThat(contents(heap)).hasSize(100);
    }
  }

  @Test
  void anEncryptedMirrorFollowsAndRepairs() throws IOException {
    Path mirror = dir.resolve("mirror");
    Path home = dir.resolve("heap/heap");
    heap().close();
    byte[] before = Files.readAllBytes(home);
    try (Heap heap = heap();
        Primary primary = Primary.of(heap).open()) {
      put(heap, 0, 500);
      primary.mirror(mirror, KEY);
      primary.copies(1);
      put(heap, 500, 1000);
      noPlaintext();
    }
    damage(home, before);
    try (Heap heap = Heap.builder(dir.resolve("heap")).encrypt(KEY).repairFrom(mirror).open()) {
      assertThat(contents(heap)).hasSize(1000);
      assertThat(heap.verify().problems()).isEmpty();
    }
    noPlaintext();
    damage(home, before);
    var scrub = HeapCheck.scrub(dir.resolve("heap"), List.of(mirror), KEY, VerifyProgress.NONE);
    assertThat(scrub.damaged()).hasSize(1);
    assertThat(scrub.ok()).isTrue();
  }

  /** Changes the last page that was written since. */
  private static void damage(Path home, byte[] before) throws IOException {
    byte[] bytes = Files.readAllBytes(home);
    int at = 4096 + (before.length - 4096) / 4608 * 4608 - 4608;
    while (Arrays.equals(before, at, at + 4608, bytes, at, at + 4608)) {
      at -= 4608;
    }
    bytes[at + 100] ^= 1;
    Files.write(home, bytes);
  }
}
