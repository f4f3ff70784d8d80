package io.everheap.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.heap.HeapSettings;
import io.everheap.heap.OpenHeap;
import io.everheap.journal.Journal;
import io.everheap.log.Terms;
import io.everheap.support.Limit;
import io.everheap.testkit.machine.SimulatedMedium;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The recorded primary, which serves connections in memory as it does those of a socket. A
 * connection ends when the primary has read all that was sent to it.
 */
final class FuzzedListener implements AutoCloseable {
  /** All that anyone gets without the secret: a greeting, or a refusal. */
  private static final int MOST_OF_STRANGERS = 400;

  private static final int MOST_LINES = 4;

  private final Kind kind;
  private final Secret secret = Secret.of(Numbers.SECRET, true);
  private final Log log = new Log();
  private AutoCloseable source;
  private Origin origin;
  private Primary primary;

  FuzzedListener(Kind kind) {
    this.kind = kind;
    open();
  }

  private void open() {
    SimulatedMedium medium = RecordedPair.medium(kind, RecordedPair.PRIMARY);
    if (kind == Kind.HEAP) {
      Heap heap = RecordedPair.open(medium, HeapSettings.Role.ORDINARY);
      source = heap;
      origin = new HeapOrigin(OpenHeap.engine(heap));
      primary = Primary.of(heap).open();
    } else {
      Journal journal = RecordedPair.journal(medium);
      source = journal;
      origin = JournalSource.of(journal);
      primary = Primary.of(journal).open();
    }
  }

  private Copies copies() {
    return (Copies) Objects.requireNonNull(origin.copies().get());
  }

  /** Sends an input, and checks that it did nothing but what its sender may do. */
  void check(WireInput input) throws Exception {
    long term = origin.term();
    long durable = origin.durable();
    log.lines.clear();
    log.stacks.clear();
    List<WireInput.Frame> frames = input.frames();
    int sent = send(input, frames, false).length;
    assertThat(log.stacks).isEmpty();
    assertThat(log.lines).hasSizeLessThanOrEqualTo(MOST_LINES);
    assertThat(origin.term()).isEqualTo(term);
    assertThat(origin.durable()).isEqualTo(durable);
    assertThat(primary.status().replicas()).isEmpty();
    if (input.has(WireInput.SECRET)) {
      assertThat(origin.fenced()).isNull();
      assertThat(sent).isLessThan(MOST_OF_STRANGERS);
    }
    if (origin.fenced() != null) {
      assertThat(frames).as("a term that fences").anyMatch(this::fences);
      closePrimary();
      open();
    }
  }

  private boolean fences(WireInput.Frame frame) {
    try {
      Hello hello = Hello.decode(ByteBuffer.wrap(frame.body()), "the fuzzer");
      return frame.type() == Message.HELLO.code()
          && hello.heap().equals(origin.uuid())
          && hello.term() > origin.term()
          && Terms.isCredible(origin.term(), hello.term());
    } catch (RuntimeException e) {
      return false;
    }
  }

  /** What the primary sends to a replica that stays until it has everything. */
  byte[] serve(WireInput input) throws IOException {
    return send(input, input.frames(), true);
  }

  private byte[] send(WireInput input, List<WireInput.Frame> frames, boolean stays)
      throws IOException {
    MemorySocket.Ends ends = MemorySocket.connect("primary", "fuzzer");
    boolean known = input.has(WireInput.KNOWN);
    boolean sealed = known || input.has(WireInput.SECRET);
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    Thread server =
        Thread.ofPlatform()
            .daemon()
            .start(() -> serve(ends.primary(), sealed ? secret : null, failure));
    MemorySocket socket = ends.replica();
    try {
      if (known) {
        Connection connection = new Connection(socket, 0, true);
        Greeting.call(connection, secret);
        for (WireInput.Frame frame : frames) {
          Message type = Message.of(frame.type());
          connection.send(type == null ? Message.PARTS : type, frame.body());
        }
      } else {
        socket.getOutputStream().write(input.wire(frames));
      }
      if (stays) {
        socket.untilProcessed();
        Limit.until("the primary sends a heartbeat", () -> isComplete(socket));
      }
    } catch (IOException e) {
      // the primary has ended the connection
    }
    socket.finish();
    join(server);
    if (failure.get() != null) {
      throw new AssertionError("the connection failed", failure.get());
    }
    InputStream in = socket.getInputStream();
    byte[] bytes = in.readNBytes(in.available());
    socket.close();
    return bytes;
  }

  private static boolean isComplete(MemorySocket socket) {
    try {
      InputStream in = socket.getInputStream();
      int before = in.available();
      Thread.sleep(2 * Session.HEARTBEAT_NANOS / 1_000_000);
      return before > 0 && in.available() - before < 100;
    } catch (IOException e) {
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  private static void join(Thread server) {
    try {
      Limit.join(server);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** As the thread of a connection does. */
  private void serve(
      MemorySocket socket, @Nullable Secret wanted, AtomicReference<@Nullable Throwable> failure) {
    try {
      Connection connection = new Sockets(null, null, wanted).welcome(socket, 0);
      origin.session(primary, copies(), connection).run();
    } catch (EOFException e) {
      // the fuzzer has left
    } catch (IOException e) {
      primary.warn("a connection was refused", e);
    } catch (RuntimeException e) {
      primary.warn("a connection failed", e);
    } catch (Error e) {
      failure.set(e);
    } finally {
      socket.close();
    }
  }

  /** Fails unless a replica follows, and a commit that waits for it returns. */
  void requireThatReplicasFollow(WireInput follow) throws Exception {
    primary.copies(1);
    MemorySocket.Ends ends = MemorySocket.connect("primary", "replica");
    Thread server =
        Thread.ofPlatform()
            .daemon()
            .start(() -> serve(ends.primary(), null, new AtomicReference<>()));
    Connection replica = new Connection(ends.replica(), 0, false);
    Greeting.call(replica, null);
    for (WireInput.Frame frame : follow.frames()) {
      Message type = Objects.requireNonNull(Message.of(frame.type()));
      if (type == Message.HELLO || type == Message.POSITION) {
        replica.send(type, frame.body());
      }
    }
    replica.receive(Message.START);
    Limit.until("the replica counts", () -> !primary.status().replicas().isEmpty());
    Thread writer = Thread.ofPlatform().daemon().start(this::commit);
    while (writer.isAlive()) {
      byte[] end = ByteBuffer.allocate(8).putLong(origin.durable()).array();
      replica.send(Message.ACKNOWLEDGED, end);
      writer.join(1);
    }
    ends.replica().finish();
    join(server);
    ends.replica().close();
    primary.copies(0);
  }

  private void commit() {
    switch (source) {
      case Heap heap -> Numbers.map(heap).put(1, "committed");
      case Journal journal -> journal.append(new byte[100]);
      default -> throw new AssertionError();
    }
  }

  @Override
  public void close() {
    log.close();
    closePrimary();
  }

  private void closePrimary() {
    primary.close();
    try {
      source.close();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
