package io.everheap.replication;

import static io.everheap.replication.Numbers.untilEqual;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.encryption.KeyProvider;
import io.everheap.engine.BackupSource;
import io.everheap.engine.backup.BaseCopy;
import io.everheap.error.ReplicationException;
import io.everheap.heap.OpenHeap;
import io.everheap.support.Limit;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replicas that are made, and what is beside them. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class JoiningTest {
  private static final InetSocketAddress ANY = ReleasedReplicas.ANY;

  @TempDir Path dir;

  private Replica.Builder replica(Primary primary, String name) {
    return Replica.of(dir.resolve(name)).primary(primary.address()).secret(Numbers.SECRET);
  }

  private static Primary listen(Heap heap) {
    return Primary.of(heap).secret(Numbers.SECRET).listen(ANY);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aHeapOfTheNameOfTheCopyIsNotTouched(boolean open) throws IOException {
    KeyProvider key = KeyProvider.of(new byte[32]);
    Heap beside = Heap.builder(dir.resolve("copy.joining")).encrypt(key).open();
    Numbers.map(beside).put(1, "kept");
    if (!open) {
      beside.close();
    }
    try (Heap heap = Heap.open(dir.resolve("primary"));
        Primary primary = listen(heap)) {
      assertThatThrownBy(() -> replica(primary, "copy").open())
          .isInstanceOf(ReplicationException.class)
          .hasMessageContaining("copy.joining is in the way");
      assertThatThrownBy(() -> replica(primary, "copy").encrypt(key).open())
          .hasMessageContaining("copy.joining is in the way");
    }
    assertThat(dir.resolve("copy.joining/keys")).exists();
    beside.close();
    try (Heap again = Heap.builder(dir.resolve("copy.joining")).encrypt(key).open()) {
      assertThat(Numbers.map(again)).containsEntry(1, "kept");
    }
  }

  @Test
  void whateverNoJoinLeftIsInTheWay() throws IOException {
    try (Heap heap = Heap.open(dir.resolve("primary"));
        Primary primary = listen(heap)) {
      for (String file : new String[] {"keys", "notes", "base/notes"}) {
        Path mine = dir.resolve("copy.joining").resolve(file);
        Files.createDirectories(mine.getParent());
        Files.writeString(mine, "mine");
        assertThatThrownBy(() -> replica(primary, "copy").open())
            .isInstanceOf(ReplicationException.class)
            .hasMessageContaining("is in the way");
        assertThat(mine).hasContent("mine");
        Files.delete(mine);
      }
      replica(primary, "copy").open().close();
      assertThat(dir.resolve("copy.joining")).doesNotExist();
    }
  }

  @Test
  void whateverAnInterruptedJoinLeftIsDeleted() throws IOException {
    Path held = dir.resolve("copy.joining");
    Files.createDirectories(held.resolve("base"));
    for (String file : new String[] {"lock", "owner", "base/keys", "base/" + BaseCopy.NAME}) {
      Files.writeString(held.resolve(file), "");
    }
    try (Heap heap = Heap.open(dir.resolve("primary"));
        Primary primary = listen(heap);
        Replica replica = replica(primary, "copy").open()) {
      Numbers.map(heap).put(1, "one");
      untilEqual(replica, heap);
      assertThat(held).doesNotExist();
    }
  }

  @Test
  void theSecondOfTwoReplicasThatJoinAtOnceWaits() throws Exception {
    try (Heap heap = Heap.open(dir.resolve("primary"));
        Primary primary = listen(heap)) {
      Numbers.map(heap).put(1, "one");
      CompletableFuture<Replica> second;
      try (BackupSource _ = OpenHeap.engine(heap).beginBackup(UUID.randomUUID())) { // of the first
        second = CompletableFuture.supplyAsync(() -> replica(primary, "second").open());
        Limit.until("it asks for a copy", () -> Files.exists(dir.resolve("second.joining")));
        assertThat(second).isNotDone();
      }
      try (Replica replica = second.get()) {
        untilEqual(replica, heap);
      }
    }
  }

  @Test
  void aReplicaAsksAgainWhileItsPrimaryMakesAnotherCopy() {
    AtomicInteger asked = new AtomicInteger();
    Connector connector =
        to -> {
          boolean busy = asked.incrementAndGet() < 3;
          Refusal refusal =
              new Refusal(
                  busy ? Refusal.Reason.BUSY : Refusal.Reason.LATER, busy ? "busy" : "not now");
          return new ScriptedPrimary().send(Message.REFUSED, refusal.encode()).connect();
        };
    Joining joining = new Joining(dir.resolve("copy"), connector, "copy", null);
    assertThatThrownBy(() -> joining.join(List.of(ScriptedPrimary.ADDRESS)))
        .isInstanceOf(ReplicationException.class)
        .hasMessageContaining("not now");
    assertThat(asked).hasValue(3);
    assertThat(dir.resolve("copy.joining")).doesNotExist();
  }

  /** A copy of a heap that was a replica has the words in which that one keeps its identity. */
  @Test
  void everyReplicaHasAnIdentityOfItsOwnWhichItKeeps() {
    long former;
    try (Heap heap = Heap.open(dir.resolve("primary"));
        Primary primary = listen(heap)) {
      try (Replica replica = replica(primary, "former").open()) {
        former = identity(replica);
        assertThat(former).isNotZero();
      }
      try (Replica replica = replica(primary, "former").open()) {
        assertThat(identity(replica)).isEqualTo(former);
      }
    }
    assertThat(Replica.of(dir.resolve("former")).promote()).isPositive();
    try (Heap heap = Heap.open(dir.resolve("former"));
        Primary primary = listen(heap);
        Replica one = replica(primary, "one").open();
        Replica two = replica(primary, "two").open()) {
      assertThat(identity(one)).isNotZero().isNotEqualTo(former).isNotEqualTo(identity(two));
      assertThat(identity(two)).isNotZero().isNotEqualTo(former);
    }
  }

  private static long identity(Replica replica) {
    var engine = OpenHeap.engine(replica.heap());
    return engine.applier().identity(engine.superblock().createdMillis());
  }

  /** A primary with the term of a promotion that never was would fence the real one. */
  @Test
  void aHeapThatNeverWasAReplicaIsNotPromoted() {
    Path alone = dir.resolve("alone");
    try (Heap heap = Heap.open(alone)) {
      Numbers.map(heap).put(1, "one");
    }
    assertThatThrownBy(() -> Replica.of(alone).promote())
        .isInstanceOf(ReplicationException.class)
        .hasMessageContaining("never was a replica");
    try (Replica replica =
        Replica.of(alone).primary(new InetSocketAddress("localhost", 1)).insecure().open()) {
      assertThatThrownBy(replica::promote)
          .isInstanceOf(ReplicationException.class)
          .hasMessageContaining("never was a replica");
    }
    try (Heap heap = Heap.open(alone);
        Primary primary = listen(heap)) {
      assertThat(primary.status().term()).isZero();
      assertThat(Numbers.map(heap)).containsEntry(1, "one");
    }
  }
}
