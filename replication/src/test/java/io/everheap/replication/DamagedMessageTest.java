package io.everheap.replication;

import static io.everheap.replication.Numbers.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.engine.ReplicaPosition;
import io.everheap.journal.Journal;
import io.everheap.journal.replica.JournalPosition;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What was damaged on its way ends a connection, and refuses nobody. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DamagedMessageTest {
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @TempDir Path dir;

  private static void write(DataOutputStream out, Message type, byte[] body) throws IOException {
    var crc = new CRC32C();
    crc.update(type.code());
    crc.update(body);
    out.writeInt(body.length);
    out.writeByte(type.code());
    out.write(body);
    out.writeInt((int) crc.getValue());
  }

  /** What a replica of a journal says first. */
  private static byte[] greeting() throws IOException {
    var bytes = new ByteArrayOutputStream();
    var out = new DataOutputStream(bytes);
    UUID none = new UUID(0, 0);
    Hello hello =
        new Hello(Hello.Purpose.JOURNAL, none, ReplicaPosition.NONE, 0, 1, false, "replica");
    write(out, Message.HELLO, hello.encode());
    ByteBuffer position = JournalPosition.NONE.put(ByteBuffer.allocate(JournalPosition.LENGTH));
    write(out, Message.POSITION, position.array());
    return bytes.toByteArray();
  }

  /** What a primary answers before it ends the connection, which is half closed. */
  private static byte[] answer(Primary primary, byte[] greeting) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(primary.address());
      socket.getOutputStream().write(greeting);
      socket.shutdownOutput();
      return socket.getInputStream().readAllBytes();
    }
  }

  @Test
  void aPrimaryRefusesNoReplicaWhoseGreetingWasDamaged() throws IOException {
    try (Journal journal = Journal.open(dir.resolve("primary"));
        Primary primary = Primary.of(journal).listen(ANY)) {
      byte[] greeting = greeting();
      assertThat(answer(primary, greeting)[4]).isEqualTo((byte) Message.START.code());
      for (int i = 0; i < greeting.length; i++) {
        byte[] damaged = greeting.clone();
        damaged[i] ^= (byte) (1 << i % 8);
        assertThat(answer(primary, damaged)).as("byte %s of the greeting", i).isEmpty();
      }
    }
  }

  @Test
  void aReplicaTriesAgainAfterADamagedAnswer() throws IOException {
    try (Journal journal = Journal.open(dir.resolve("primary"));
        Primary primary = Primary.of(journal).listen(ANY)) {
      journal.append(new byte[100]);
      replica(primary.address()).close();
    }
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread.ofPlatform().daemon().start(() -> answerDamaged(server));
      try (JournalReplica replica = replica((InetSocketAddress) server.getLocalSocketAddress())) {
        until(() -> String.valueOf(replica.status().problem()).contains("damaged"));
        assertThat(replica.status().failure()).isNull();
      }
    }
  }

  private JournalReplica replica(InetSocketAddress primary) {
    return JournalReplica.of(dir.resolve("replica")).primary(primary).open();
  }

  private static void answerDamaged(ServerSocket server) {
    try {
      var bytes = new ByteArrayOutputStream();
      write(new DataOutputStream(bytes), Message.START, new byte[36]);
      byte[] start = bytes.toByteArray();
      start[20] ^= 1;
      while (true) {
        try (Socket socket = server.accept();
            OutputStream out = socket.getOutputStream()) {
          socket.getInputStream().readNBytes(greeting().length);
          out.write(start);
        }
      }
    } catch (IOException e) {
      // closed
    }
  }
}
