package io.everheap.replication;

import static io.everheap.replication.Numbers.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.engine.ReplicaPosition;
import io.everheap.error.ReplicationException;
import io.everheap.support.FreshJvm;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import io.everheap.support.tier.Processes;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What those can do who reach the port of a primary, or hold it, and do not know the secret. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Campaign
class HostilePeersTest {
  private static final InetSocketAddress ANY = ReleasedReplicas.ANY;

  @TempDir Path dir;

  private static final class With implements Kind.PeerSettings {
    private final InetSocketAddress primary;

    With(InetSocketAddress primary) {
      this.primary = primary;
    }

    @Override
    public <B extends PeerBuilder<B>> B apply(B builder) {
      return builder.primary(primary).secret(Numbers.SECRET);
    }
  }

  private Kind.Copy replica(Kind kind, String name, InetSocketAddress primary) {
    return kind.replica(dir.resolve(name), new With(primary));
  }

  private static Primary listen(Kind.Source source) {
    return source.primary().secret(Numbers.SECRET).listen(ANY);
  }

  /** Connects without the secret, and asks for something. */
  private static List<Message> ask(Primary primary, boolean sealed, Message type, byte[] body)
      throws IOException {
    try (Socket socket = new Socket(primary.address().getAddress(), primary.address().getPort())) {
      var out = socket.getOutputStream();
      Frames.write(out, Message.GREETING, Frames.greeting(Greeting.VERSION, sealed));
      try {
        Frames.write(out, type, body);
        Frames.write(out, Message.ACKNOWLEDGED, new byte[8]);
      } catch (IOException e) {
        // it is closed already
      }
      return answer(socket, sealed);
    }
  }

  private static List<Message> answer(Socket socket, boolean sealed) throws IOException {
    try {
      byte[] bytes = socket.getInputStream().readAllBytes();
      assertThat(bytes.length).as("a greeting, or a refusal").isLessThan(500);
      return sealed && bytes.length == 105 ? List.of(Message.GREETING) : Frames.types(bytes);
    } catch (IOException e) {
      return List.of(); // it was reset with what was not read
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aHelloWithoutTheSecretReadsAndFencesNothing(Kind kind) throws Exception {
    try (Kind.Source source = kind.open(dir.resolve("primary"));
        Primary primary = listen(source)) {
      source.commit(1);
      for (Hello hello :
          List.of(
              kind.hello(source, 5L << 32, 1),
              new Hello(
                  Hello.Purpose.JOIN,
                  source.uuid(),
                  source.position(),
                  5L << 32,
                  true,
                  Hello.Who.nobody("joins")),
              new Hello(
                  Hello.Purpose.STATUS,
                  source.uuid(),
                  source.position(),
                  5L << 32,
                  true,
                  Hello.Who.nobody("asks")))) {
        assertThat(ask(primary, false, Message.HELLO, hello.encode())).isSubsetOf(Message.REFUSED);
        assertThat(ask(primary, true, Message.HELLO, hello.encode())).isSubsetOf(Message.GREETING);
      }
      assertThat(primary.status().fenced()).isFalse();
      assertThat(primary.status().replicas()).isEmpty();
      source.commit(2);
    }
  }

  /** Also not one for a number that a replica really has. */
  @ParameterizedTest
  @EnumSource(Kind.class)
  void anAcknowledgementWithoutTheSecretReleasesNoCommit(Kind kind) throws Exception {
    try (Kind.Source source = kind.open(dir.resolve("primary"));
        Primary primary = listen(source)) {
      primary.copies(1);
      Thread writer = Thread.ofPlatform().daemon().start(() -> source.commit(1));
      until(() -> writer.getState() == Thread.State.TIMED_WAITING);
      byte[] all = ByteBuffer.allocate(8).putLong(primary.status().durable()).array();
      for (boolean sealed : new boolean[] {false, true}) {
        var _ = ask(primary, sealed, Message.ACKNOWLEDGED, all);
        var _ = ask(primary, sealed, Message.HELLO, kind.hello(source, 0, 1).encode());
      }
      assertThat(writer.isAlive()).isTrue();
      try (Kind.Copy _ = replica(kind, "copy", primary.address())) {
        Limit.join(writer);
      }
    }
  }

  /** Somebody who knows the secret and lies about terms. */
  @ParameterizedTest
  @CsvSource({
    "HEAP, -1",
    "HEAP, -9223372036854775808",
    "HEAP, 9223372015379939333",
    "HEAP, 4299262263296",
    "JOURNAL, -1",
    "JOURNAL, 9223372015379939333",
    "JOURNAL, 4299262263296"
  })
  void aTermThatNoPromotionGivesFencesNobody(Kind kind, long term) throws Exception {
    try (Kind.Source source = kind.open(dir.resolve("primary"));
        Primary primary = listen(source);
        Connection connection = Numbers.connect(primary.address())) {
      connection.send(Message.HELLO, kind.hello(source, term, 1).encode());
      assertThatThrownBy(() -> connection.receive(Message.START))
          .isInstanceOf(Refusal.RefusedException.class)
          .hasMessageContaining("term " + term);
      assertThat(primary.status().fenced()).isFalse();
      source.commit(1);
    }
  }

  /** A primary with such a term is not believed, so that its replicas can still be promoted. */
  @ParameterizedTest
  @CsvSource({"HEAP, 9223372015379939333", "HEAP, -5", "JOURNAL, 9223372015379939333"})
  void aStartWithATermThatNoPromotionGivesIsNotStored(Kind kind, long term) throws Exception {
    try (Kind.Source source = kind.open(dir.resolve("primary"));
        Primary primary = listen(source)) {
      source.commit(1);
      replica(kind, "copy", primary.address()).close();
      try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
        byte[] start =
            kind == Kind.HEAP
                ? new Start(
                        source.uuid(),
                        1,
                        new ReplicaPosition(12, 34, 56),
                        term,
                        new ReplicaPosition.Ancestor(ReplicaPosition.NONE, 34))
                    .encode()
                : new JournalStart(source.uuid(), term, 0, 64 << 10).encode();
        Thread.ofPlatform().daemon().start(() -> startAll(server, start));
        InetSocketAddress address = (InetSocketAddress) server.getLocalSocketAddress();
        try (Kind.Copy replica = replica(kind, "copy", address)) {
          until(() -> replica.status().problem() != null);
          assertThat(replica.status().term()).isZero();
        } catch (ReplicationException e) {
          assertThat(e).hasMessageMatching("(?s).*(term|line).*"); // refused at once
        }
      }
    }
    assertThat(kind.promote(dir.resolve("copy")) >>> 32).isEqualTo(1);
  }

  private static void startAll(ServerSocket server, byte[] start) {
    while (!server.isClosed()) {
      try (Connection connection = Numbers.welcome(server.accept())) {
        connection.receive(Message.HELLO);
        connection.send(Message.START, start);
        while (true) {
          connection.receive();
        }
      } catch (IOException e) {
        // the next one
      }
    }
  }

  /** Copies bytes in both directions, and keeps them. */
  private static final class Recorder implements AutoCloseable {
    private final ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    private final ByteArrayOutputStream toPrimary = new ByteArrayOutputStream();
    private final ByteArrayOutputStream toReplica = new ByteArrayOutputStream();

    Recorder(InetSocketAddress primary) throws IOException {
      Thread.ofPlatform().daemon().start(() -> accept(primary));
    }

    private void accept(InetSocketAddress primary) {
      try {
        while (true) {
          Socket in = server.accept();
          Socket out = new Socket(primary.getAddress(), primary.getPort());
          toPrimary.reset();
          toReplica.reset();
          Thread.ofPlatform().daemon().start(() -> copy(in, out, toPrimary));
          Thread.ofPlatform().daemon().start(() -> copy(out, in, toReplica));
        }
      } catch (IOException e) {
        // closed
      }
    }

    private static void copy(Socket from, Socket to, ByteArrayOutputStream record) {
      byte[] bytes = new byte[4096];
      try (from;
          to) {
        for (int n; (n = from.getInputStream().read(bytes)) > 0; ) {
          record.write(bytes, 0, n);
          to.getOutputStream().write(bytes, 0, n);
        }
      } catch (IOException e) {
        // ended
      }
    }

    InetSocketAddress address() {
      return (InetSocketAddress) server.getLocalSocketAddress();
    }

    @Override
    public void close() throws IOException {
      server.close();
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aRecordedConnectionIsWorthNothing(Kind kind) throws Exception {
    byte[] toPrimary;
    byte[] toReplica;
    try (Kind.Source source = kind.open(dir.resolve("primary"));
        Primary primary = listen(source)) {
      try (Recorder recorder = new Recorder(primary.address())) {
        source.commit(1);
        replica(kind, "copy", recorder.address()).close();
        try (Kind.Copy replica = replica(kind, "copy", recorder.address())) {
          source.commit(2);
          until(() -> replica.size() == 2);
          until(() -> recorder.toReplica.size() > 300);
        }
        toPrimary = recorder.toPrimary.toByteArray();
        toReplica = recorder.toReplica.toByteArray();
      }
      assertThat(new String(toReplica, StandardCharsets.ISO_8859_1)).doesNotContain("value 2");
      until(() -> primary.status().replicas().isEmpty());
      try (Socket socket =
          new Socket(primary.address().getAddress(), primary.address().getPort())) {
        socket.getOutputStream().write(toPrimary);
        assertThat(answer(socket, true)).isSubsetOf(Message.GREETING);
      }
      assertThat(primary.status().replicas()).isEmpty();
    }
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread.ofPlatform().daemon().start(() -> sendToAll(server, toReplica));
      try (Kind.Copy replica =
          replica(kind, "copy", (InetSocketAddress) server.getLocalSocketAddress())) {
        until(() -> String.valueOf(replica.status().problem()).contains("another secret"));
        assertThat(replica.size()).isEqualTo(2);
        assertThat(replica.status().failure()).isNull();
      }
    }
  }

  private static void sendToAll(ServerSocket server, byte[] bytes) {
    while (!server.isClosed()) {
      try (Socket socket = server.accept()) {
        socket.getOutputStream().write(bytes);
        socket.getInputStream().readAllBytes();
      } catch (IOException e) {
        // the next one
      }
    }
  }

  /** The replica looks for its primary until that is back, whatever is said in the meantime. */
  @ParameterizedTest
  @CsvSource({"HEAP, ANEW", "HEAP, NEVER", "JOURNAL, ANEW", "JOURNAL, NEVER"})
  void whoeverHoldsThePortWhileThePrimaryRestartsStopsNoReplica(Kind kind, Refusal.Reason reason)
      throws Exception {
    try (Kind.Source source = kind.open(dir.resolve("primary"))) {
      Primary primary = listen(source);
      InetSocketAddress address = primary.address();
      source.commit(1);
      try (Kind.Copy replica = replica(kind, "copy", address)) {
        until(() -> replica.size() == 1);
        primary.close();
        byte[] refusal = new Refusal(reason, "says the test").encode();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Frames.write(bytes, Message.REFUSED, refusal);
        try (ServerSocket server = listenAgain(address)) {
          Thread.ofPlatform().daemon().start(() -> sendToAll(server, bytes.toByteArray()));
          until(() -> String.valueOf(replica.status().problem()).contains("says the test"));
        }
        assertThat(replica.status().failure()).isNull();
        source.commit(2);
        try (Primary _ = listenAgain(source, address)) {
          until(() -> replica.size() == 2);
        }
      }
    }
  }

  private static ServerSocket listenAgain(InetSocketAddress address) throws IOException {
    ServerSocket server = new ServerSocket();
    server.setReuseAddress(true);
    server.bind(address);
    return server;
  }

  private static Primary listenAgain(Kind.Source source, InetSocketAddress address) {
    return source.primary().secret(Numbers.SECRET).listen(address);
  }

  /** Commits that wait for a copy would wait for as long as the strangers want. */
  @Test
  void handshakesThatDripKeepNoReplicaOut() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    try (Log log = new Log();
        Kind.Source source = Kind.HEAP.open(dir.resolve("primary"));
        Primary primary = listen(source)) {
      source.commit(1);
      Kind.Copy replica = replica(Kind.HEAP, "copy", primary.address());
      primary.copies(1);
      source.commit(2);
      replica.close();
      List<Thread> strangers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        strangers.add(Thread.ofPlatform().daemon().start(() -> drip(primary.address(), over)));
      }
      until(() -> connections(primary) >= Newcomers.MAX / 2);
      for (int i = 0; i < 3; i++) {
        try (Kind.Copy back = replica(Kind.HEAP, "copy", primary.address())) {
          source.commit(3 + i); // waits for it
          assertThat(back.size()).isEqualTo(3 + i);
        }
      }
      over.set(true);
      for (Thread stranger : strangers) {
        Limit.join(stranger);
      }
      assertThat(log.lines).hasSizeLessThanOrEqualTo(3 * Warnings.MAX);
    } finally {
      over.set(true);
    }
  }

  private static long connections(Primary primary) {
    String name = "everheap-replica /127.0.0.1";
    assertThat(primary.address().getAddress().isLoopbackAddress()).isTrue();
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith(name))
        .count();
  }

  /** Holds 64 connections with a few bytes of a greeting each, and makes those again that end. */
  private static void drip(InetSocketAddress address, AtomicBoolean over) {
    Socket[] sockets = new Socket[64];
    for (int i = 0; !over.get(); i = (i + 1) % sockets.length) {
      try {
        if (sockets[i] == null) {
          sockets[i] = new Socket(address.getAddress(), address.getPort());
        }
        sockets[i].getOutputStream().write(0);
      } catch (IOException e) {
        sockets[i] = null;
      }
      LockSupport.parkNanos(500_000);
    }
    for (Socket socket : sockets) {
      try {
        if (socket != null) {
          socket.close();
        }
      } catch (IOException e) {
        // it is closed
      }
    }
  }

  @Test
  void aConnectionThatDoesNotIntroduceItselfEndsThoughItSendsAgainAndAgain() throws Exception {
    try (Kind.Source source = Kind.JOURNAL.open(dir.resolve("primary"));
        Primary primary = listen(source);
        Socket socket = new Socket(primary.address().getAddress(), primary.address().getPort())) {
      byte[] message = new byte[1000];
      ByteBuffer.wrap(message).putInt(900).put((byte) Message.GREETING.code());
      assertThatThrownBy(
              () -> {
                for (byte b : message) {
                  socket.getOutputStream().write(b);
                  LockSupport.parkNanos(100_000_000); // below every limit of a silence
                }
              })
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  @Processes
  void longMessagesOfStrangersTakeNoMemory() throws Exception {
    assertThat(FreshJvm.run(List.of("-Xmx64m"), SmallHeapPrimary.class, dir.toString())).isZero();
  }

  @Test
  void aLongFirstMessageIsRefusedByItsLength() throws Exception {
    MemorySocket.Ends ends = MemorySocket.connect("primary", "stranger");
    ends.replica()
        .getOutputStream()
        .write(ByteBuffer.allocate(5).putInt(Greeting.MAX_BYTES + 1).put((byte) 1).array());
    assertThatThrownBy(() -> Numbers.sockets().welcome(ends.primary(), 0))
        .hasMessageContaining("sent a message of 1025 bytes");
  }

  /** Those that follow the first ones are short, too, also of a replica that is known. */
  @Test
  void aReplicaSendsNothingLong() throws Exception {
    try (Kind.Source source = Kind.HEAP.open(dir.resolve("primary"));
        Primary primary = listen(source);
        Connection connection = Numbers.connect(primary.address())) {
      connection.send(Message.HELLO, new byte[Greeting.MAX_BYTES + 1]);
      assertThatThrownBy(connection::receive).isInstanceOf(IOException.class);
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aWrongSecretIsNamedOnBothSides(Kind kind) throws Exception {
    Path other = dir.resolve("other");
    assertThat(Secret.of(other, true)).isNotNull();
    try (Log log = new Log();
        Kind.Source source = kind.open(dir.resolve("primary"));
        Primary primary = listen(source)) {
      Kind.PeerSettings wrong =
          new Kind.PeerSettings() {
            @Override
            public <B extends PeerBuilder<B>> B apply(B builder) {
              return builder.primary(primary.address()).secret(other);
            }
          };
      Kind.PeerSettings open =
          new Kind.PeerSettings() {
            @Override
            public <B extends PeerBuilder<B>> B apply(B builder) {
              return builder.primary(primary.address()).insecure();
            }
          };
      assertThatThrownBy(() -> kind.replica(dir.resolve("copy"), wrong))
          .hasMessageContaining("another secret");
      assertThatThrownBy(() -> kind.replica(dir.resolve("copy"), open))
          .hasMessageContaining("has no secret");
      until(() -> log.lines.stream().anyMatch(line -> line.contains("has no secret")));
    }
    try (Kind.Source source = kind.open(dir.resolve("primary"));
        Primary primary = source.primary().insecure().listen(ANY)) {
      assertThatThrownBy(() -> replica(kind, "copy", primary.address()))
          .hasMessageContaining("wants a secret");
    }
  }

  /** An earlier version says its hello first, with its version at the same place. */
  @ParameterizedTest
  @CsvSource({"2, false", "4, false", "4, true"})
  void anotherVersionIsRefusedByName(int version, boolean sealed) throws Exception {
    try (Kind.Source source = Kind.JOURNAL.open(dir.resolve("primary"));
        Primary primary = listen(source);
        Socket socket = new Socket(primary.address().getAddress(), primary.address().getPort());
        Connection connection = new Connection(socket, Numbers.LIMIT_MILLIS, false)) {
      connection.send(Message.GREETING, Frames.greeting(version, sealed));
      Refusal refusal = Refusal.decode(connection.receive().buffer());
      assertThat(refusal.reason()).isEqualTo(Refusal.Reason.LATER);
      assertThat(refusal.text())
          .contains("version " + version + " of the protocol", "this library version 3");
    }
  }

  @Test
  void aPrimaryOfAnotherVersionIsNamed() throws Exception {
    ByteArrayOutputStream refusal = new ByteArrayOutputStream();
    Frames.write(
        refusal,
        Message.REFUSED,
        new Refusal(Refusal.Reason.NEVER, "you speak version 3, and this is version 2").encode());
    ByteArrayOutputStream greeting = new ByteArrayOutputStream();
    Frames.write(greeting, Message.GREETING, Frames.greeting(4, true));
    for (ByteArrayOutputStream answer : List.of(refusal, greeting)) {
      try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
        Thread.ofPlatform().daemon().start(() -> sendToAll(server, answer.toByteArray()));
        InetSocketAddress address = (InetSocketAddress) server.getLocalSocketAddress();
        assertThatThrownBy(() -> replica(Kind.HEAP, "copy", address))
            .hasMessageContaining("version")
            .hasMessageContaining("3");
        assertThatThrownBy(() -> Status.of(address).secret(Numbers.SECRET).ask())
            .hasMessageContaining("version")
            .hasMessageContaining("3");
      }
    }
  }

  /** Version 2 names the version of a first message only if it is so long. */
  @Test
  void anEarlierVersionCanReadTheVersion() throws Exception {
    MemorySocket.Ends ends = MemorySocket.connect("primary", "replica");
    ends.primary().finish();
    assertThatThrownBy(() -> Greeting.call(new Connection(ends.replica(), 0, true), null))
        .isInstanceOf(EOFException.class);
    byte[] sent = ends.primary().getInputStream().readNBytes(4 + 1 + 64 + 4);
    ByteBuffer b = ByteBuffer.wrap(sent);
    assertThat(b.getInt()).isEqualTo(64);
    assertThat(b.get()).isEqualTo((byte) 1);
    assertThat(b.getLong()).isEqualTo(Greeting.MAGIC);
    assertThat(b.getShort()).isEqualTo((short) 3);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  @SuppressWarnings("try") // the first copy is closed while the other one follows
  void twoCopiesOfAReplicaDoNotReplaceEachOther(Kind kind) throws Exception {
    try (Log log = new Log();
        Kind.Source source = kind.open(dir.resolve("primary"));
        Primary primary = listen(source)) {
      source.commit(1);
      replica(kind, "a/copy", primary.address()).close();
      copy(dir.resolve("a/copy"), dir.resolve("b/copy"));
      try (Kind.Copy first = replica(kind, "a/copy", primary.address());
          Kind.Copy second = awaitFirst(kind, first, primary)) {
        until(() -> String.valueOf(second.status().problem()).contains("same identity"));
        for (int i = 2; i < 30; i++) {
          source.commit(i);
          assertThat(primary.status().replicas()).hasSizeLessThanOrEqualTo(1);
        }
        until(() -> first.size() == 29);
        assertThat(first.status().problem()).isNull();
        until(() -> log.lines.stream().anyMatch(line -> line.contains("same identity")));
        first.close();
        until(() -> second.size() == 29);
      }
    }
  }

  private Kind.Copy awaitFirst(Kind kind, Kind.Copy first, Primary primary) {
    until(() -> first.status().primary() != null && !primary.status().replicas().isEmpty());
    return replica(kind, "b/copy", primary.address());
  }

  private static void copy(Path from, Path to) throws IOException {
    try (var files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path copy = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(copy);
        } else {
          Files.copy(file, copy);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void nothingListensOrConnectsUnlessItIsSaidHow(Kind kind) {
    try (Kind.Source source = kind.open(dir.resolve("primary"))) {
      assertThatThrownBy(() -> source.primary().listen(ANY))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("secret(file), tls(context) and insecure()");
      assertThatThrownBy(() -> source.primary().peers(ANY).open())
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> source.primary().secret(Numbers.SECRET).insecure().listen(ANY))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("several ways");
      assertThatThrownBy(() -> source.primary().secret(Numbers.SECRET).allow(_ -> true).listen(ANY))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("certificates");
      assertThatThrownBy(() -> Status.of(ANY).ask()).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> Replica.of(dir.resolve("copy")).primary(ANY).open())
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> JournalReplica.of(dir.resolve("copy")).primary(ANY).open())
          .isInstanceOf(IllegalStateException.class);
      assertThat(dir.resolve("copy")).doesNotExist();
    }
  }
}
