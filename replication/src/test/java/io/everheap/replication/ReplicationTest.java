package io.everheap.replication;

import static io.everheap.replication.Numbers.contents;
import static io.everheap.replication.Numbers.failingPeers;
import static io.everheap.replication.Numbers.map;
import static io.everheap.replication.Numbers.until;
import static io.everheap.replication.Numbers.untilEqual;
import static java.lang.Thread.State.BLOCKED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Backups;
import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.engine.Engine;
import io.everheap.engine.ReplicaApplier;
import io.everheap.engine.ReplicaPosition;
import io.everheap.error.ClosedException;
import io.everheap.error.EverheapException;
import io.everheap.error.FencedException;
import io.everheap.error.MediumException;
import io.everheap.error.ReadOnlyException;
import io.everheap.error.ReplicationException;
import io.everheap.heap.HeapSettings;
import io.everheap.heap.OpenHeap;
import io.everheap.journal.Journal;
import io.everheap.memory.Threads;
import io.everheap.report.Backup;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Primaries and replicas in one process, over real sockets. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Campaign
class ReplicationTest {
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @TempDir Path dir;

  private Heap heap(String name) {
    return Heap.open(dir.resolve(name));
  }

  private Replica.Builder replica(String name, InetSocketAddress... primary) {
    return Replica.of(dir.resolve(name)).primary(primary).secret(Numbers.SECRET);
  }

  private static void change(Heap heap, Random random, int transactions) {
    DurableMap<Integer, String> map = map(heap);
    for (int i = 0; i < transactions; i++) {
      heap.transact(
          () -> {
            for (int n = random.nextInt(1, 5); n > 0; n--) {
              map.put(random.nextInt(500), "v".repeat(random.nextInt(400)) + random.nextInt());
              map.remove(random.nextInt(500));
            }
          });
    }
  }

  @Test
  void theStatusOfAReplicaOutlivesItsPromotionAndItsEnd() {
    try (Heap heap = heap("primary");
        Primary primary = Primary.of(heap).secret(Numbers.SECRET).listen(ANY)) {
      change(heap, new Random(3), 10);
      Replica replica = replica("replica", primary.address()).open();
      untilEqual(replica, heap);
      long lsn = replica.status().lsn();
      replica.promote();
      assertThat(replica.status().lsn()).isEqualTo(lsn);
      assertThat(replica.status().term()).isPositive();
      assertThat(replica.status().primary()).isNull();
      replica.close();
      assertThat(replica.status().lsn()).isEqualTo(lsn);
    }
  }

  @Test
  void aReplicaIsNotMadeWhereAJournalIsWhichStaysAsItWas() {
    long kept;
    try (Journal journal = Journal.open(dir.resolve("journal"))) {
      kept = journal.append("kept".getBytes(StandardCharsets.UTF_8));
    }
    try (Heap heap = heap("primary");
        Primary primary = Primary.of(heap).secret(Numbers.SECRET).listen(ANY)) {
      assertThatThrownBy(() -> replica("journal", primary.address()).anew().open())
          .isInstanceOf(EverheapException.class)
          .hasMessageContaining(dir.resolve("journal").toString())
          .hasMessageContaining("journal");
    }
    assertThatThrownBy(() -> replica("journal").promote())
        .isInstanceOf(EverheapException.class)
        .hasMessageContaining(dir.resolve("journal").toString());
    assertThat(dir.resolve("journal").resolve("heap")).doesNotExist();
    assertThat(dir.resolve("journal.aside")).doesNotExist();
    try (Journal journal = Journal.open(dir.resolve("journal"))) {
      assertThat(journal.firstSequence()).isEqualTo(kept);
      assertThat(journal.append(new byte[1])).isEqualTo(kept + 1);
    }
  }

  @Test
  void aReplicaJoinsFollowsAndComesBack() {
    Random random = new Random(1);
    try (Heap heap = heap("primary");
        Primary primary = Primary.of(heap).secret(Numbers.SECRET).listen(ANY)) {
      change(heap, random, 300);
      try (Replica replica = replica("replica", primary.address()).open()) {
        change(heap, random, 300);
        untilEqual(replica, heap);
        assertThatThrownBy(() -> map(replica.heap()).put(1, "x"))
            .isInstanceOf(ReadOnlyException.class);
        assertThat(primary.status().replicas()).hasSize(1);
        assertThat(primary.status().replicas().getFirst().name()).isEqualTo("replica");
        assertThat(Status.of(primary.address()).secret(Numbers.SECRET).ask().replicas()).hasSize(1);
        assertThat(replica.status().term()).isZero();
      }
      change(heap, random, 300);
      try (Replica replica = replica("replica", primary.address()).open()) {
        untilEqual(replica, heap);
        assertThat(replica.heap().verify().problems()).isEmpty();
      }
    }
  }

  /** With an archive, replicas go on from any place in it. */
  @Test
  void aReplicaFollowsAPrimaryThatIsOpenedAgain() {
    Random random = new Random(1);
    Replica replica = null;
    Path backups = dir.resolve("backups");
    try (Proxy proxy = new Proxy(ANY, 1)) {
      for (int i = 0; i < 5; i++) {
        try (Heap heap = Heap.builder(dir.resolve("primary")).archive(backups).open()) {
          try (Primary primary = Primary.of(heap).secret(Numbers.SECRET).listen(ANY)) {
            proxy.to(primary.address());
            if (replica == null) {
              replica = replica("replica", proxy.address()).open();
            }
            change(heap, random, 100);
            untilEqual(replica, heap);
          }
          change(heap, random, 400);
          heap.checkpoint();
        }
      }
      replica.close();
      assertThat(replica.heap().isOpen()).isFalse();
    }
    try (Heap heap = Heap.builder(dir.resolve("primary")).archive(backups).open();
        Primary primary = Primary.of(heap).secret(Numbers.SECRET).listen(ANY);
        Replica again = replica("replica", primary.address()).open()) {
      untilEqual(again, heap);
      assertThat(again.heap().verify().problems()).isEmpty();
    }
  }

  /** A replica says nothing before it was told where the log begins, however long that takes. */
  @Test
  void aReplicaThatWaitsForAnArchiveIsNotTakenForSilent() throws Exception {
    Path backups = dir.resolve("backups");
    try (Heap heap = Heap.builder(dir.resolve("primary")).archive(backups).open();
        Primary primary = Primary.of(heap).secret(Numbers.SECRET).listen(ANY)) {
      change(heap, new Random(1), 20);
      replica("replica", primary.address()).open().close();
      change(heap, new Random(2), 20);
    }
    try (Heap heap = Heap.builder(dir.resolve("primary")).archive(backups).open();
        Primary primary = Primary.of(heap).secret(Numbers.SECRET).listen(ANY)) {
      CompletableFuture<Replica> made;
      synchronized (Objects.requireNonNull(OpenHeap.engine(heap).archiver())) {
        made = CompletableFuture.supplyAsync(() -> replica("replica", primary.address()).open());
        until(() -> threads("everheap-replica /").anyMatch(t -> t.getState() == BLOCKED));
        assertThat(threads("everheap-acknowledgements")).isEmpty();
      }
      try (Replica replica = made.get()) {
        untilEqual(replica, heap);
      }
    }
  }

  private static Stream<Thread> threads(String name) {
    return Thread.getAllStackTraces().keySet().stream().filter(t -> t.getName().startsWith(name));
  }

  @Test
  void aCommitReturnsWhenAReplicaHasIt() throws Exception {
    try (Heap heap = heap("primary");
        Primary primary = Primary.of(heap).secret(Numbers.SECRET).listen(ANY)) {
      map(heap);
      try (Replica replica = replica("replica", primary.address()).open()) {
        primary.copies(1);
        for (int i = 0; i < 200; i++) {
          map(heap).put(i, "value " + i);
          long end = heap.stats().durableLsn();
          assertThat(replica.status().lsn()).isGreaterThanOrEqualTo(end);
          assertThat(map(replica.heap())).containsEntry(i, "value " + i);
        }
        CompletableFuture<?> stage =
            heap.transactAsync(() -> map(heap).put(-1, "later")).toCompletableFuture();
        stage.get();
        assertThat(map(replica.heap())).containsEntry(-1, "later");
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
          List<Future<?>> all = new ArrayList<>();
          for (int i = 0; i < 256; i++) {
            int key = 1000 + i;
            all.add(threads.submit(() -> map(heap).put(key, "virtual")));
          }
          for (Future<?> future : all) {
            future.get();
          }
        }
        assertThat(map(replica.heap())).containsEntry(1255, "virtual").hasSize(457);
      }
      Thread writer = Thread.ofPlatform().start(() -> map(heap).put(5000, "without a replica"));
      until(
          () ->
              writer.getState() == Thread.State.TIMED_WAITING
                  && primary.status().replicas().isEmpty());
      assertThat(writer.isAlive()).isTrue();
      try (Replica replica = replica("replica", primary.address()).open()) {
        Limit.join(writer);
        assertThat(map(replica.heap())).containsEntry(5000, "without a replica");
      }
      primary.copies(1, Duration.ofMillis(50));
      map(heap).put(6000, "too few");
      assertThat(primary.status().degraded()).isTrue();
      CompletableFuture<?> stage =
          heap.transactAsync(() -> map(heap).put(6001, "too few")).toCompletableFuture();
      stage.get();
      try (Replica replica = replica("replica", primary.address()).open()) {
        until(() -> !primary.status().degraded());
        primary.copies(1); // with patience: a replica that stalls is no reason not to wait for it
        map(heap).put(7000, "enough");
        assertThat(map(replica.heap())).containsEntry(7000, "enough").containsKey(6001);
      }
    }
  }

  /** A thread that waits for a replica, and the reason for which it stops. */
  private static Thread putThatWaits(
      Heap heap, boolean virtual, AtomicReference<Throwable> thrown) {
    return startThatWaits(heap, virtual, () -> map(heap).put(1, "one"), thrown);
  }

  private static Thread startThatWaits(
      Heap heap, boolean virtual, Runnable commit, AtomicReference<Throwable> thrown) {
    Thread.Builder builder = virtual ? Thread.ofVirtual() : Thread.ofPlatform();
    Thread writer =
        builder.start(
            () -> {
              try {
                commit.run();
              } catch (Throwable t) {
                thrown.set(t);
              }
            });
    Thread.State waiting = virtual ? Thread.State.WAITING : Thread.State.TIMED_WAITING;
    until(
        () ->
            heap.stats().commits() > 1
                && heap.stats().durableLsn() == heap.stats().appendedLsn()
                && writer.getState() == waiting);
    return writer;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCommitThatWaitsEndsWithTheReplication(boolean virtual) throws Exception {
    try (Heap heap = heap("primary")) {
      map(heap);
      Primary primary = Primary.of(heap).secret(Numbers.SECRET).listen(ANY);
      primary.copies(1);
      AtomicReference<Throwable> thrown = new AtomicReference<>();
      Thread writer = putThatWaits(heap, virtual, thrown);
      primary.close();
      Limit.join(writer);
      assertThat(thrown.get()).isInstanceOf(ReplicationException.class);
      map(heap).put(2, "two"); // does not wait any more
      assertThat(map(heap)).containsKeys(1, 2);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCommitThatWaitsEndsWithTheHeap(boolean virtual) throws Exception {
    Heap heap = heap("primary");
    map(heap);
    try (Primary primary = Primary.of(heap).secret(Numbers.SECRET).listen(ANY)) {
      primary.copies(1);
      AtomicReference<Throwable> thrown = new AtomicReference<>();
      Thread writer = putThatWaits(heap, virtual, thrown);
      heap.close();
      Limit.join(writer);
      assertThat(thrown.get())
          .isInstanceOf(ReplicationException.class)
          .hasMessageContaining("was closed");
    }
    try (Heap again = heap("primary")) {
      assertThat(map(again)).containsKey(1);
    }
  }

  /** Whether it is durable before the end, or behind it. */
  @Test
  void aCommitThatNobodyWaitsForEndsWithTheReplication() {
    try (Heap heap = heap("primary")) {
      map(heap);
      Primary primary = Primary.of(heap).secret(Numbers.SECRET).listen(ANY);
      primary.copies(1);
      CompletableFuture<?> stage =
          heap.transactAsync(() -> map(heap).put(1, "one")).toCompletableFuture();
      primary.close();
      assertThatThrownBy(stage::get).hasCauseInstanceOf(ReplicationException.class);
      assertThat(map(heap)).containsKey(1);
    }
  }

  @Test
  void aCommitThatNobodyWaitsForEndsWithTheHeap() {
    Heap heap = heap("primary");
    map(heap);
    try (Primary primary = Primary.of(heap).secret(Numbers.SECRET).listen(ANY)) {
      primary.copies(1);
      CompletableFuture<?> stage =
          heap.transactAsync(() -> map(heap).put(1, "one")).toCompletableFuture();
      heap.close();
      assertThatThrownBy(stage::get)
          .hasCauseInstanceOf(ReplicationException.class)
          .hasMessageContaining("was closed");
    }
  }

  /** It stands on this machine. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void hooksOfACommitRunEvenIfItIsNotCopied(boolean virtual) throws Exception {
    try (Heap heap = heap("primary")) {
      map(heap);
      Primary primary = Primary.of(heap).secret(Numbers.SECRET).listen(ANY);
      primary.copies(1);
      AtomicReference<Throwable> thrown = new AtomicReference<>();
      List<String> ran = new CopyOnWriteArrayList<>();
      Runnable commit =
          () ->
              heap.transact(
                  () -> {
                    map(heap).put(1, "one");
                    heap.transaction().onCommit(() -> ran.add("waited"));
                  });
      Thread writer = startThatWaits(heap, virtual, commit, thrown);
      CompletableFuture<?> stage =
          heap.transactAsync(
                  () -> {
                    heap.transaction().onCommit(() -> ran.add("asynchronous"));
                    return map(heap).put(2, "two");
                  })
              .toCompletableFuture();
      primary.close();
      Limit.join(writer);
      assertThat(thrown.get()).isInstanceOf(ReplicationException.class);
      stage.handle((result, failure) -> failure).get(); // perhaps it was not durable before the end
      assertThat(ran).containsExactlyInAnyOrder("waited", "asynchronous");
    }
  }

  @Test
  void aHeapHasOnePrimary() {
    try (Heap heap = heap("primary")) {
      try (Primary primary = Primary.of(heap).secret(Numbers.SECRET).listen(ANY)) {
        assertThatThrownBy(() -> Primary.of(heap).secret(Numbers.SECRET).listen(ANY))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("has a primary already");
        change(heap, new Random(1), 10);
        try (Replica replica = replica("replica", primary.address()).open()) {
          primary.copies(1);
          map(heap).put(-1, "copied");
          assertThat(map(replica.heap())).containsKey(-1);
        }
      }
      Primary.of(heap).secret(Numbers.SECRET).listen(ANY).close();
    }
  }

  @Test
  void nothingOfAPrimaryRunsAfterItsEnd() {
    try (Heap heap = heap("primary")) {
      Primary primary = Primary.of(heap).secret(Numbers.SECRET).listen(ANY);
      try (Replica replica = replica("replica", primary.address()).open()) {
        change(heap, new Random(1), 10);
        untilEqual(replica, heap);
        assertThatThrownBy(() -> heap.transact(primary::close))
            .isInstanceOf(IllegalStateException.class);
        primary.close();
        assertThat(Thread.getAllStackTraces().keySet())
            .extracting(Thread::getName)
            .noneMatch(name -> name.startsWith("everheap-replica /1"))
            .noneMatch(name -> name.startsWith("everheap-acknowledgements"))
            .noneMatch(name -> name.startsWith("everheap-patience"))
            .noneMatch(name -> name.startsWith("everheap-replicas"));
      }
    }
  }

  @Test
  void aPatienceOfCenturiesIsOne() throws Exception {
    try (Heap heap = heap("primary")) {
      map(heap);
      Primary primary = Primary.of(heap).secret(Numbers.SECRET).listen(ANY);
      primary.copies(1, Duration.ofSeconds(Long.MAX_VALUE));
      AtomicReference<Throwable> thrown = new AtomicReference<>();
      Thread writer = putThatWaits(heap, false, thrown);
      assertThat(primary.status().degraded()).isFalse();
      primary.close();
      Limit.join(writer);
      assertThat(thrown.get()).isInstanceOf(ReplicationException.class);
    }
  }

  /** The replicas always lack the newest commits then. */
  @Test
  void commitsWaitAgainAlthoughThereIsNoPauseBetweenThem() throws Exception {
    try (Heap heap = heap("primary");
        Primary primary = Primary.of(heap).secret(Numbers.SECRET).listen(ANY);
        ExecutorService threads = Executors.newFixedThreadPool(4)) {
      map(heap);
      primary.copies(1, Duration.ofMillis(500));
      AtomicBoolean enough = new AtomicBoolean();
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        int key = i;
        writers.add(
            threads.submit(
                () -> {
                  for (int n = 0; !enough.get(); n++) {
                    map(heap).put(key, "value " + n);
                  }
                }));
      }
      until(() -> primary.status().degraded());
      try (Replica replica = replica("replica", primary.address()).open()) {
        until(() -> !primary.status().degraded());
        assertThat(replica.status().failure()).isNull();
        enough.set(true);
        for (Future<?> writer : writers) {
          writer.get();
        }
      }
    }
  }

  /** It would make a heap of parts that never were together. */
  @Test
  void aLogOfAnotherLineIsRefused() throws Exception {
    UUID id;
    try (Heap heap = heap("primary");
        Primary primary = Primary.of(heap).secret(Numbers.SECRET).listen(ANY)) {
      change(heap, new Random(1), 10);
      id = heap.stats().id();
      replica("replica", primary.address()).open().close();
    }
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread.ofPlatform().daemon().start(() -> sendAnotherLine(server, id));
      InetSocketAddress address = (InetSocketAddress) server.getLocalSocketAddress();
      try (Replica replica = replica("replica", address).open()) {
        until(() -> String.valueOf(replica.status().problem()).contains("does not follow"));
        assertThat(contents(replica.heap())).isNotEmpty();
      } catch (ReplicationException e) {
        assertThat(e).hasMessageContaining("does not follow");
      }
    }
  }

  private static void sendAnotherLine(ServerSocket server, UUID id) {
    try {
      while (true) {
        try (Connection connection = Numbers.welcome(server.accept())) {
          connection.receive(Message.HELLO);
          ReplicaPosition other = new ReplicaPosition(12, 34, 56);
          ReplicaPosition.Ancestor ancestor =
              new ReplicaPosition.Ancestor(new ReplicaPosition(11, 22, 33), 34);
          connection.send(Message.START, new Start(id, 1, other, 7, ancestor).encode());
          connection.receive();
        }
      }
    } catch (Exception e) {
      // closed
    }
  }

  @Test
  void aConnectionIsStuckWhileTheOtherEndDoesNotRead() throws Exception {
    Thread writer;
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort());
        Socket silent = server.accept();
        Connection connection = new Connection(socket, Numbers.LIMIT_MILLIS, true)) {
      assertThat(connection.isStuck(0)).isFalse();
      writer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      while (true) {
                        connection.send(Message.PARTS, new byte[1 << 20]);
                      }
                    } catch (IOException e) {
                      // closed
                    }
                  });
      until(() -> connection.isStuck(20_000_000));
      assertThat(silent.isClosed()).isFalse();
    }
    Limit.join(writer);
  }

  @Test
  void aPromotedReplicaTakesOverAndTheOldPrimaryIsFenced() throws Exception {
    Random random = new Random(1);
    Heap old = heap("a");
    Primary oldPrimary = Primary.of(old).secret(Numbers.SECRET).listen(ANY);
    change(old, random, 100);
    Proxy proxy = new Proxy(oldPrimary.address(), 1);
    Replica b = replica("b", proxy.address()).open();
    Replica c = replica("c", proxy.address()).open();
    oldPrimary.copies(2);
    change(old, random, 100);
    Map<Integer, String> acknowledged = contents(old);
    proxy.partition(true);
    oldPrimary.copies(0);
    map(old).put(-1, "only on the old primary");

    Heap heap = b.promote();
    assertThat(contents(heap)).isEqualTo(acknowledged);
    map(heap).put(-2, "on the new primary");
    assertThatThrownBy(() -> map(c.heap()).put(1, "x")).isInstanceOf(ReadOnlyException.class);
    try (Primary primary = Primary.of(heap).secret(Numbers.SECRET).listen(ANY)) {
      long term = primary.status().term();
      assertThat(term).isPositive();
      proxy.to(primary.address());
      proxy.partition(false);
      untilEqual(c, heap); // goes on from the same state
      map(heap).put(-3, "followed");
      untilEqual(c, heap);
      assertThat(c.status().term()).isEqualTo(term);

      UUID id = old.stats().id();
      Status.tell(Numbers.sockets(), oldPrimary.address(), new UUID(1, 2), term);
      assertThat(oldPrimary.status().fenced()).isFalse(); // it is of another heap
      Status.tell(Numbers.sockets(), oldPrimary.address(), id, term);
      assertThat(oldPrimary.status().fenced()).isTrue();
      assertThatThrownBy(() -> map(old).put(-4, "x")).isInstanceOf(FencedException.class);
      assertThat(map(old)).containsKey(-1);
      oldPrimary.close();
      old.close();

      assertThatThrownBy(
              () -> {
                try (Heap again = heap("a")) {
                  Primary.of(again)
                      .secret(Numbers.SECRET)
                      .peers(primary.address())
                      .listen(ANY)
                      .close();
                }
              })
          .isInstanceOf(FencedException.class);
      assertThatThrownBy(() -> replica("a", primary.address()).open())
          .isInstanceOf(ReplicationException.class)
          .hasMessageContaining("anew");
      try (Replica a = replica("a", primary.address()).anew().open()) {
        untilEqual(a, heap);
      }
      try (Heap aside = heap("a.aside")) {
        assertThat(map(aside)).containsEntry(-1, "only on the old primary");
      }
    }
    b.close();
    c.close();
    proxy.close();
  }

  @Test
  void ofTwoReplicasThatArePromotedOneFencesTheOther() {
    Heap old = heap("a");
    Primary former = Primary.of(old).secret(Numbers.SECRET).listen(ANY);
    change(old, new Random(1), 10);
    Replica b = replica("b", former.address()).open();
    Replica c = replica("c", former.address()).open();
    untilEqual(b, old);
    untilEqual(c, old);
    former.close();
    old.close();
    Heap ofB = b.promote();
    Heap ofC = c.promote();
    assertThat(b.status().term()).isNotEqualTo(c.status().term());
    boolean isB = b.status().term() < c.status().term();
    String name = isB ? "b" : "c";
    Heap fenced = isB ? ofB : ofC;
    Heap stays = isB ? ofC : ofB;
    map(fenced).put(-1, "in vain");
    Primary one = Primary.of(fenced).secret(Numbers.SECRET).listen(ANY);
    try (Primary other =
        Primary.of(stays).secret(Numbers.SECRET).peers(one.address()).listen(ANY)) {
      until(() -> one.status().fenced());
      assertThatThrownBy(() -> map(fenced).put(-2, "x")).isInstanceOf(FencedException.class);
      map(stays).put(-3, "stands");
      one.close();
      (isB ? b : c).close();
      assertThatThrownBy(
              () -> {
                try (Heap again = heap(name)) {
                  Primary.of(again)
                      .secret(Numbers.SECRET)
                      .peers(other.address())
                      .listen(ANY)
                      .close();
                }
              })
          .isInstanceOf(FencedException.class);
      try (Replica again = replica(name, other.address()).anew().open()) {
        untilEqual(again, stays);
      }
      try (Heap aside = heap(name + ".aside")) {
        assertThat(map(aside)).containsEntry(-1, "in vain");
      }
    }
    (isB ? c : b).close();
  }

  /** Makes the replicas b and c of the heap a, with the same state, and closes all. */
  private void makeTwoReplicas() {
    try (Heap old = heap("a");
        Primary former = Primary.of(old).secret(Numbers.SECRET).listen(ANY);
        Replica b = replica("b", former.address()).open();
        Replica c = replica("c", former.address()).open()) {
      change(old, new Random(1), 10);
      untilEqual(b, old);
      untilEqual(c, old);
    }
  }

  @Test
  void aHeapThatIsPromotedAgainKeepsThePlaceFromWhichReplicasGoOn() {
    makeTwoReplicas();
    long first = Replica.of(dir.resolve("b")).promote();
    ReplicaPosition.Ancestor ancestor;
    try (Heap heap = heap("b")) {
      ancestor = ReplicaPosition.ancestor(OpenHeap.engine(heap).memory());
    }
    assertThat(ancestor.end().line()).isNotZero();
    assertThat(Replica.of(dir.resolve("b")).promote()).isGreaterThan(first);
    try (Heap heap = heap("b")) {
      assertThat(ReplicaPosition.ancestor(OpenHeap.engine(heap).memory())).isEqualTo(ancestor);
    }
  }

  /** As a primary that was a replica itself has it, and was promoted by the command. */
  @Test
  void aDecisionInTheLogOfThePrimaryDoesNotPromoteTheReplica() {
    try (Heap heap = heap("primary");
        Primary primary = Primary.of(heap).secret(Numbers.SECRET).listen(ANY)) {
      change(heap, new Random(1), 10);
      try (Replica replica = replica("replica", primary.address()).open()) {
        OpenHeap.engine(heap).applier().decidePromotion();
        change(heap, new Random(2), 10);
        untilEqual(replica, heap);
      }
      assertThat(ReplicaPosition.isDecided(OpenHeap.engine(heap).memory())).isTrue();
      try (Replica replica = replica("replica", primary.address()).open()) { // not refused
        change(heap, new Random(3), 10);
        untilEqual(replica, heap);
      }
    }
  }

  @Test
  void aHeapThatIsRestoredToBeforeItsPromotionGetsAnotherTerm() {
    makeTwoReplicas();
    long term;
    Path restored = dir.resolve("restored");
    try (Heap decided =
        HeapSettings.role(Heap.builder(dir.resolve("b")), HeapSettings.Role.REPLICA).open()) {
      ReplicaApplier applier = OpenHeap.engine(decided).applier();
      applier.begin();
      term = applier.decidePromotion();
      Backups backups = Backups.in(dir.resolve("backups"));
      backups.restore(backups.take(decided, Backup.Kind.FULL), restored);
    }
    try (Heap promoted = heap("b");
        Heap copy = heap("restored")) {
      assertThat(ReplicaPosition.term(OpenHeap.engine(promoted).memory())).isEqualTo(term);
      assertThat(ReplicaPosition.term(OpenHeap.engine(copy).memory()))
          .isPositive()
          .isNotEqualTo(term);
    }
  }

  /** The one with the lower term asks, and could not reach the other one when it began. */
  @Test
  void aPrimaryIsFencedByThePeerThatItTells() throws Exception {
    makeTwoReplicas();
    long ofB = Replica.of(dir.resolve("b")).promote();
    long ofC = Replica.of(dir.resolve("c")).promote();
    assertThat(ofB).isNotEqualTo(ofC);
    try (Heap low = heap(ofB < ofC ? "b" : "c");
        Heap high = heap(ofB < ofC ? "c" : "b");
        Primary other = Primary.of(high).secret(Numbers.SECRET).listen(ANY);
        Proxy proxy = new Proxy(other.address(), 1)) {
      assertThat(other.status().term()).isEqualTo(Math.max(ofB, ofC));
      proxy.partition(true);
      try (Primary one = Primary.of(low).secret(Numbers.SECRET).peers(proxy.address()).listen(ANY);
          Replica follows = replica("d", one.address()).open()) {
        map(low).put(1, "before");
        untilEqual(follows, low);
        proxy.partition(false);
        until(() -> one.status().fenced());
        assertThatThrownBy(() -> map(low).put(2, "x")).isInstanceOf(FencedException.class);
        until(() -> one.status().replicas().isEmpty()); // they look for another primary
        map(high).put(3, "stands");
      }
    }
  }

  /** Of a heap that is damaged, for example. */
  @Test
  void aFenceCountsBehindAnotherRefusal() {
    try (Heap heap = heap("a");
        Primary primary = Primary.of(heap).secret(Numbers.SECRET).listen(ANY);
        Replica replica = replica("b", primary.address()).open()) {
      change(heap, new Random(1), 10);
      untilEqual(replica, heap);
      Engine engine = OpenHeap.engine(heap);
      engine.refuseTransactions(() -> ReadOnlyException.heap("damaged"));
      assertThat(primary.status().fenced()).isFalse();
      new HeapOrigin(engine).fence(Long.MAX_VALUE, "a peer");
      assertThat(primary.status().fenced()).isTrue();
      assertThatThrownBy(() -> primary.mirror(dir.resolve("m")))
          .isInstanceOf(FencedException.class);
      assertThatThrownBy(() -> Primary.of(heap).open()).isInstanceOf(FencedException.class);
      until(() -> primary.status().replicas().isEmpty());
    }
  }

  /** What tells the former primary hears of another promotion, after the heap got a primary. */
  @Test
  void aPrimaryIsFencedByWhatItsPromotionHears() throws Exception {
    Heap old = heap("a");
    Primary former = Primary.of(old).secret(Numbers.SECRET).listen(ANY);
    Proxy proxy = new Proxy(former.address(), 1);
    change(old, new Random(1), 10);
    Replica b = replica("b", proxy.address()).open();
    Replica c = replica("c", proxy.address()).open();
    untilEqual(b, old);
    untilEqual(c, old);
    proxy.partition(true);
    former.close();
    old.close();
    c.close();
    Heap heap = b.promote();
    long later = Replica.of(dir.resolve("c")).promote();
    while (later < b.status().term()) { // which of two is higher is left to chance
      heap("c").close();
      later = Replica.of(dir.resolve("c")).promote();
    }
    try (Primary primary = Primary.of(heap).secret(Numbers.SECRET).listen(ANY);
        Replica d = replica("d", primary.address()).open();
        Heap high = heap("c");
        Primary other = Primary.of(high).secret(Numbers.SECRET).listen(ANY)) {
      map(heap).put(1, "before");
      untilEqual(d, heap);
      proxy.to(other.address());
      proxy.partition(false);
      until(() -> primary.status().fenced());
      assertThatThrownBy(() -> map(heap).put(2, "x")).isInstanceOf(FencedException.class);
      until(() -> primary.status().replicas().isEmpty());
    }
    assertThatThrownBy(() -> Primary.of(heap).secret(Numbers.SECRET).listen(ANY))
        .isInstanceOf(FencedException.class);
    b.close();
    proxy.close();
  }

  /** It committed on, until somebody opened a connection to it by chance. */
  @Test
  void aFormerPrimaryIsFencedOnceItCanBeReached() throws Exception {
    try (Heap old = heap("a");
        Primary oldPrimary = Primary.of(old).secret(Numbers.SECRET).listen(ANY);
        Proxy proxy = new Proxy(oldPrimary.address(), 1);
        Replica b = replica("b", proxy.address()).open()) {
      map(old).put(1, "one");
      untilEqual(b, old);
      proxy.partition(true);
      Heap heap = b.promote();
      try (Socket attempt = new Socket()) { // so that the first ones fail
        attempt.connect(proxy.address());
        attempt.setSoTimeout(Numbers.LIMIT_MILLIS);
        assertThat(attempt.getInputStream().read()).isEqualTo(-1);
      }
      assertThat(oldPrimary.status().fenced()).isFalse();
      map(old).put(2, "only here");
      proxy.partition(false);
      until(() -> oldPrimary.status().fenced());
      assertThatThrownBy(() -> map(old).put(3, "x")).isInstanceOf(FencedException.class);
      assertThat(map(heap)).containsOnlyKeys(1);
    }
  }

  /** The repeated promotion returned at once, and both heaps committed from then on. */
  @Test
  void aPromotionThatCouldNotTellTheFormerPrimaryTellsItWhenItIsRepeated() {
    try (Heap old = heap("a");
        Primary former = Primary.of(old).secret(Numbers.SECRET).listen(ANY)) {
      map(old).put(1, "one");
      Replica.Builder settings = replica("b", former.address());
      try (Replica b = settings.open()) {
        untilEqual(b, old);
        settings.primaries = failingPeers();
        assertThatThrownBy(b::promote).isInstanceOf(MediumException.class);
        settings.primary(former.address()).secret(Numbers.SECRET);
        Heap heap = b.promote();
        until(() -> former.status().fenced());
        assertThatThrownBy(() -> map(old).put(2, "x")).isInstanceOf(FencedException.class);
        map(heap).put(2, "two");
        assertThat(b.status().term()).isPositive();
        assertThat(b.promote()).isSameAs(heap);
      }
    }
  }

  /** The thread that accepts connections ended, and no replica could connect any more. */
  @Test
  void aPrimaryAcceptsConnectionsAfterAnErrorOfTheVirtualMachine() {
    AtomicBoolean strikes = new AtomicBoolean();
    try (Heap heap = heap("primary");
        Primary primary =
            Primary.of(heap)
                .secret(Numbers.SECRET)
                .threads(
                    (name, task) -> {
                      if (strikes.getAndSet(false)) {
                        throw new OutOfMemoryError("of the test"); // as a thread is made
                      }
                      return Threads.daemon(name, task);
                    })
                .listen(ANY)) {
      strikes.set(true);
      assertThatThrownBy(() -> Status.of(primary.address()).secret(Numbers.SECRET).ask())
          .isInstanceOf(UncheckedIOException.class);
      assertThat(strikes).isFalse();
      assertThat(Status.of(primary.address()).secret(Numbers.SECRET).ask().id())
          .isEqualTo(primary.status().id());
    }
  }

  @Test
  void aFormerPrimaryWithoutATailFollows() {
    Random random = new Random(1);
    try (Heap heap = heap("a");
        Primary primary = Primary.of(heap).secret(Numbers.SECRET).listen(ANY);
        Replica b = replica("b", primary.address()).open()) {
      change(heap, random, 100);
      untilEqual(b, heap);
    }
    assertThatThrownBy(() -> heap("b"))
        .isInstanceOf(ReplicationException.class)
        .hasMessageContaining("promote");
    long term = Replica.of(dir.resolve("b")).promote();
    assertThat(term).isPositive();
    assertThatThrownBy(() -> replica("b", ANY).open())
        .isInstanceOf(ReplicationException.class)
        .hasMessageContaining("was promoted");
    try (Heap heap = heap("b");
        Primary primary = Primary.of(heap).secret(Numbers.SECRET).listen(ANY)) {
      for (int i = 0; i < 3; i++) { // nothing is applied meanwhile
        try (Replica a = replica("a", primary.address()).open()) {
          until(() -> a.status().term() == term);
          untilEqual(a, heap);
        }
      }
      change(heap, random, 100);
      try (Replica a = replica("a", primary.address()).open()) {
        untilEqual(a, heap);
        change(heap, random, 100);
        untilEqual(a, heap);
      }
      try (Replica a = replica("a", primary.address()).open()) {
        change(heap, random, 10);
        untilEqual(a, heap);
      }
    }
  }

  /** A connection may end for the replica long before the primary notices. */
  @Test
  void aReplicaCountsOnce() throws Exception {
    try (Heap heap = heap("primary");
        Primary primary = Primary.of(heap).secret(Numbers.SECRET).listen(ANY);
        Replica replica = replica("replica", primary.address()).open()) {
      map(heap).put(1, "one");
      untilEqual(replica, heap);
      Engine engine = OpenHeap.engine(replica.heap());
      Hello hello =
          new Hello(
              Hello.Purpose.FOLLOW,
              engine.uuid(),
              ReplicaPosition.read(engine.memory()),
              0,
              false,
              new Hello.Who(1, 2, "other"));
      try (Connection once = Numbers.connect(primary.address());
          Connection again = Numbers.connect(primary.address())) {
        once.send(Message.HELLO, hello.encode());
        once.receive(Message.START);
        once.send(
            Message.ACKNOWLEDGED, ByteBuffer.allocate(8).putLong(hello.position().lsn()).array());
        until(() -> primary.status().replicas().size() == 2);
        again.send(Message.HELLO, hello.encode());
        Start start = Start.decode(again.receive(Message.START).buffer(), "it");
        again.send(
            Message.ACKNOWLEDGED, ByteBuffer.allocate(8).putLong(start.position().lsn()).array());
        primary.copies(3, Duration.ofMillis(20));
        map(heap).put(2, "two");
        assertThat(primary.status().degraded()).isTrue();
        assertThat(primary.status().replicas()).hasSizeLessThan(3);
      }
    }
  }

  @Test
  void aBadNetworkOnlyDelays() {
    Random random = new Random(1);
    try (Heap heap = heap("primary");
        Primary primary = Primary.of(heap).secret(Numbers.SECRET).listen(ANY)) {
      change(heap, random, 100);
      try (Proxy proxy = new Proxy(primary.address(), 5);
          Replica replica = replica("replica", proxy.address()).open()) {
        proxy.cutAfter(60_000);
        proxy.flipAfter(200_000);
        proxy.to(primary.address());
        for (int i = 0; i < 10; i++) {
          change(heap, random, 100);
          untilEqual(replica, heap);
        }
      }
    }
  }

  @Test
  void aPeerThatSpeaksNonsenseDisturbsNobody() throws Exception {
    try (Heap heap = heap("primary");
        Primary primary = Primary.of(heap).secret(Numbers.SECRET).listen(ANY)) {
      Random random = new Random(3);
      for (int i = 0; i < 30; i++) {
        byte[] nonsense = new byte[random.nextInt(300)];
        random.nextBytes(nonsense);
        if (i % 3 == 0) {
          nonsense = "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        }
        try (Socket socket = new Socket()) {
          socket.connect(primary.address());
          socket.getOutputStream().write(nonsense);
          socket.shutdownOutput();
          socket.getInputStream().readAllBytes();
        }
      }
      change(heap, random, 10);
      try (Replica replica = replica("replica", primary.address()).open()) {
        untilEqual(replica, heap);
      }
    }
  }

  @Test
  void whatIsNoPrimaryIsNamed() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread.ofPlatform()
          .daemon()
          .start(
              () -> {
                try {
                  while (true) {
                    try (Socket socket = server.accept();
                        OutputStream out = socket.getOutputStream()) {
                      out.write(
                          "HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    }
                  }
                } catch (Exception e) {
                  // closed
                }
              });
      InetSocketAddress address = (InetSocketAddress) server.getLocalSocketAddress();
      assertThatThrownBy(() -> replica("replica", address).open())
          .isInstanceOf(EverheapException.class)
          .hasMessageContaining(String.valueOf(address.getPort()));
      assertThat(dir.resolve("replica")).doesNotExist();
    }
    assertThatThrownBy(
            () ->
                replica("replica", new InetSocketAddress(InetAddress.getLoopbackAddress(), 1))
                    .open())
        .isInstanceOf(ReplicationException.class)
        .hasMessageContaining("Is a primary there?");
  }

  @Test
  void aReplicaOfAnotherHeapIsRefused() {
    try (Heap heap = heap("primary");
        Primary primary = Primary.of(heap).secret(Numbers.SECRET).listen(ANY)) {
      heap("other").close();
      assertThatThrownBy(() -> replica("other", primary.address()).anew().open())
          .isInstanceOf(ReplicationException.class)
          .hasMessageContaining("another heap");
      assertThat(Files.exists(dir.resolve("other/heap"))).isTrue();
    }
  }

  @Test
  void aReplicaThatWasAwayForTooLongIsMadeAnew() {
    Random random = new Random(1);
    Path path = dir.resolve("primary");
    try (Heap heap = Heap.builder(path).logSize(16 << 20).open();
        Primary primary = Primary.of(heap).secret(Numbers.SECRET).listen(ANY)) {
      change(heap, random, 10);
      replica("replica", primary.address()).open().close();
      DurableMap<Integer, byte[]> large = heap.map("large", Integer.class, byte[].class);
      for (int i = 0; i < 60; i++) {
        byte[] value = new byte[1_000_000];
        random.nextBytes(value);
        large.put(i % 3, value);
      }
      heap.checkpoint();
      assertThatThrownBy(() -> replica("replica", primary.address()).open())
          .isInstanceOf(ReplicationException.class)
          .hasMessageContaining("made anew");
      try (Replica replica = replica("replica", primary.address()).anew().open()) {
        untilEqual(replica, heap);
        assertThat(replica.heap().map("large", Integer.class, byte[].class)).hasSize(3);
      }
    }
  }

  @Test
  void theHeapOfAReplicaEndsWithIt() {
    try (Heap heap = heap("primary");
        Primary primary = Primary.of(heap).secret(Numbers.SECRET).listen(ANY)) {
      map(heap).put(1, "one");
      Replica replica = replica("replica", primary.address()).open();
      DurableMap<Integer, String> map = map(replica.heap());
      assertThat(map).containsKey(1);
      Heap promoted = replica.promote();
      assertThatThrownBy(() -> map.get(1)).isInstanceOf(ClosedException.class);
      assertThat(replica.promote()).isSameAs(promoted);
      assertThatThrownBy(() -> heap("replica")).isInstanceOf(EverheapException.class);
      assertThat(promoted.durability()).isEqualTo(Durability.SYNC);
      replica.close();
      assertThat(promoted.isOpen()).isFalse();
    }
  }
}
