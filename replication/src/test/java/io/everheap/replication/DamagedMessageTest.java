package io.everheap.replication;

import static io.everheap.replication.Numbers.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.engine.ReplicaPosition;
import io.everheap.journal.Journal;
import io.everheap.journal.replica.JournalPosition;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What was damaged on its way ends a connection, and refuses nobody. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DamagedMessageTest {
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @TempDir Path dir;

  /** What a replica of a journal says first. */
  private static byte[] introduction() throws IOException {
    var bytes = new ByteArrayOutputStream();
    Frames.write(bytes, Message.GREETING, Frames.greeting(Greeting.VERSION, false));
    UUID none = new UUID(0, 0);
    Hello hello =
        new Hello(
            Hello.Purpose.JOURNAL,
            none,
            ReplicaPosition.NONE,
            0,
            false,
            new Hello.Who(1, 0, "replica"));
    Frames.write(bytes, Message.HELLO, hello.encode());
    ByteBuffer position = JournalPosition.NONE.put(ByteBuffer.allocate(JournalPosition.LENGTH));
    Frames.write(bytes, Message.POSITION, position.array());
    return bytes.toByteArray();
  }

  /** The types of what a primary answers before it ends the connection, which is half closed. */
  private static List<Message> answer(Primary primary, byte[] introduction) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(primary.address());
      socket.getOutputStream().write(introduction);
      socket.shutdownOutput();
      return Frames.types(socket.getInputStream().readAllBytes());
    }
  }

  @Test
  void aPrimaryRefusesNoReplicaWhoseGreetingWasDamaged() throws IOException {
    try (Journal journal = Journal.open(dir.resolve("primary"));
        Primary primary = Primary.of(journal).insecure().listen(ANY)) {
      byte[] introduction = introduction();
      assertThat(answer(primary, introduction)).startsWith(Message.GREETING, Message.START);
      for (int i = 0; i < introduction.length; i++) {
        byte[] damaged = introduction.clone();
        damaged[i] ^= (byte) (1 << i % 8);
        List<Message> answer = answer(primary, damaged);
        answer.remove(Message.GREETING);
        assertThat(answer).as("byte %s", i).isEmpty();
      }
    }
  }

  @Test
  void aReplicaTriesAgainAfterADamagedAnswer() throws IOException {
    try (Journal journal = Journal.open(dir.resolve("primary"));
        Primary primary = Primary.of(journal).insecure().listen(ANY)) {
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
    return JournalReplica.of(dir.resolve("replica")).primary(primary).insecure().open();
  }

  private static void answerDamaged(ServerSocket server) {
    try {
      var bytes = new ByteArrayOutputStream();
      Frames.write(bytes, Message.START, new byte[36]);
      byte[] start = bytes.toByteArray();
      start[20] ^= 1;
      while (true) {
        try (Socket socket = server.accept();
            OutputStream out = socket.getOutputStream()) {
          Frames.write(out, Message.GREETING, Frames.greeting(Greeting.VERSION, false));
          out.write(start);
          socket.getInputStream().readNBytes(introduction().length);
        }
      }
    } catch (IOException e) {
      // closed
    }
  }
}
