package io.everheap.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.HeapBuilder;
import io.everheap.backup.BackupSink;
import io.everheap.collection.DurableMap;
import io.everheap.engine.Engine;
import io.everheap.engine.EngineOptions;
import io.everheap.engine.ReplicaPosition;
import io.everheap.engine.backup.BaseCopy;
import io.everheap.engine.log.LogFeed;
import io.everheap.heap.HeapSettings;
import io.everheap.heap.OpenHeap;
import io.everheap.memory.MediumFile;
import io.everheap.memory.MediumSetting;
import io.everheap.report.BackupProgress;
import io.everheap.support.Limit;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.SimulatedMedium;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Power is lost on a replica the moment after it acknowledged something, on a disk that keeps
 * nothing but what was synced: all that was acknowledged is there. The replica is the real one, the
 * primary's side of the connection is played by the test.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReplicaPowerTest {
  private static final Durability LATE = Durability.async(Duration.ofHours(1));

  @TempDir Path dir;

  private static EngineOptions options() {
    return new EngineOptions(
        64 << 20,
        20,
        4 << 20,
        64 << 10,
        64 << 10,
        16 << 20,
        4 << 20,
        Limit.limit().toNanos(),
        false,
        Duration.ofHours(1).toNanos(),
        false);
  }

  private static HeapBuilder onMedium(HeapBuilder builder, SimulatedMedium medium) {
    return HeapSettings.options(MediumSetting.medium(builder.durability(LATE), medium), options());
  }

  private static SimulatedMedium baseCopy(Heap primary) {
    SimulatedMedium held = SimulatedMedium.file(1);
    try (MediumFile file = held.create(BaseCopy.NAME)) {
      BaseCopy.send(
          OpenHeap.engine(primary),
          new BackupSink() {
            private long position;

            @Override
            public void append(ByteBuffer bytes) {
              int length = bytes.remaining();
              file.write(bytes, position);
              position += length;
            }

            @Override
            public void sync() {
              file.sync();
            }
          },
          BackupProgress.NONE);
    }
    SimulatedMedium medium = SimulatedMedium.file(2);
    BaseCopy.restore(held, () -> medium, options(), BackupProgress.NONE);
    return medium.powerLoss(Chooser.none());
  }

  /** A message, and the beginning of another one in the same packet. */
  private static byte[] withMore(byte[] parts) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    CRC32C crc = new CRC32C();
    crc.update(Message.PARTS.code());
    crc.update(parts);
    out.writeInt(parts.length);
    out.writeByte(Message.PARTS.code());
    out.write(parts);
    out.writeInt((int) crc.getValue());
    out.writeShort(0);
    return bytes.toByteArray();
  }

  private static LogFeed greet(Connection replica, Engine engine) throws IOException {
    ReplicaPosition at =
        Hello.decode(replica.receive(Message.HELLO).buffer(), "the replica").position();
    LogFeed feed = LogFeed.open(engine.medium(), engine.log(), at.lsn(), at.chain());
    replica.send(
        Message.START,
        new Start(
                engine.uuid(),
                feed.epoch(),
                at,
                0,
                new ReplicaPosition.Ancestor(ReplicaPosition.NONE, 0))
            .encode());
    return feed;
  }

  /** Receives what is acknowledged, and what a power loss at this moment leaves. */
  private static long requireDurable(Connection replica, SimulatedMedium medium)
      throws IOException {
    long acknowledged = replica.receive(Message.ACKNOWLEDGED).buffer().getLong();
    HeapBuilder builder = Heap.builder(Path.of(medium.location()));
    try (Heap left =
        HeapSettings.role(
                onMedium(builder, medium.powerLoss(Chooser.none())), HeapSettings.Role.REPLICA)
            .open()) {
      assertThat(ReplicaPosition.read(OpenHeap.engine(left).memory()).lsn())
          .as("what is durable when it is acknowledged")
          .isGreaterThanOrEqualTo(acknowledged);
    }
    return acknowledged;
  }

  @Test
  void whatIsAcknowledgedIsDurableAlsoBehindABrokenConnection() throws Exception {
    try (Heap primary =
            HeapSettings.options(Heap.builder(dir.resolve("primary")), options()).open();
        ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      DurableMap<Integer, String> map = primary.map("m", Integer.class, String.class);
      map.put(0, "before");
      primary.sync();
      SimulatedMedium medium = baseCopy(primary);
      Files.createDirectories(dir.resolve("replica"));
      Files.createFile(dir.resolve("replica/heap")); // the heap is on the medium
      for (int i = 1; i < 20; i++) {
        map.put(i, "value " + i);
      }
      primary.sync();
      Engine engine = OpenHeap.engine(primary);
      long end = engine.log().durable();
      Replica.Builder builder =
          Replica.of(dir.resolve("replica"))
              .primary((InetSocketAddress) server.getLocalSocketAddress())
              .insecure()
              .heap(settings -> onMedium(settings, medium));
      CompletableFuture<Replica> opening = CompletableFuture.supplyAsync(builder::open);
      try (Socket socket = server.accept();
          Connection replica = new Sockets(null, null, null).welcome(socket, Numbers.LIMIT_MILLIS);
          LogFeed feed = greet(replica, engine)) {
        requireDurable(replica, medium);
        socket.getOutputStream().write(withMore(feed.next())); // is applied, and not synced yet
      }
      try (Replica opened = opening.get();
          Connection replica =
              new Sockets(null, null, null).welcome(server.accept(), Numbers.LIMIT_MILLIS);
          LogFeed feed = greet(replica, engine)) {
        long acknowledged = requireDurable(replica, medium);
        assertThat(acknowledged).as("was applied before the connection broke").isEqualTo(end);
        map.put(100, "after");
        primary.sync();
        replica.send(Message.PARTS, feed.next());
        assertThat(requireDurable(replica, medium)).isGreaterThan(end);
        assertThat(opened.status().failure()).isNull();
      }
    }
  }
}
