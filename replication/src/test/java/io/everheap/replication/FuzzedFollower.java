package io.everheap.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.engine.ReplicaPosition;
import io.everheap.error.EverheapException;
import io.everheap.heap.HeapSettings;
import io.everheap.heap.OpenHeap;
import io.everheap.journal.replica.JournalTarget;
import io.everheap.support.Limit;
import io.everheap.testkit.machine.CrashImage;
import io.everheap.testkit.machine.SimulatedMedium;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The recorded replica, which follows whoever sends it an input, in its own thread. */
final class FuzzedFollower implements AutoCloseable {
  private static final int MOST_LINES = 4;
  private static final long PAUSE_NANOS = 20_000;
  private static final InetSocketAddress ADDRESS = ScriptedPrimary.ADDRESS;

  private final Kind kind;
  private final Secret secret = Secret.of(Numbers.SECRET, true);
  private final Log log = new Log();
  private final CrashImage recorded;
  private SimulatedMedium medium;
  private @Nullable Heap heap;
  private @Nullable JournalTarget target;

  FuzzedFollower(Kind kind) {
    this.kind = kind;
    medium = RecordedPair.medium(kind, RecordedPair.REPLICA);
    open();
    follow(new WireInput(0, new byte[0])); // stores the identity of the replica
    closeFiles();
    recorded = medium.image();
    reopen();
  }

  private void open() {
    if (kind == Kind.HEAP) {
      heap = RecordedPair.open(medium, HeapSettings.Role.REPLICA);
    } else {
      JournalTarget opened = RecordedPair.target(medium);
      target = opened;
      opened.settle();
    }
  }

  private void reopen() {
    medium = recorded.processKill();
    open();
  }

  private void closeFiles() {
    Heap openHeap = heap;
    JournalTarget openTarget = target;
    heap = null;
    target = null;
    if (openHeap != null) {
      openHeap.close();
    }
    if (openTarget != null) {
      openTarget.close();
    }
  }

  private Following<?> following(Connector connector) {
    return kind == Kind.HEAP
        ? new HeapFollowing(
            OpenHeap.engine(Objects.requireNonNull(heap)), connector, List.of(ADDRESS), "replica")
        : new JournalFollowing(
            Objects.requireNonNull(target), connector, List.of(ADDRESS), "replica");
  }

  /** What the replica has: its position, term and identity. */
  private List<Object> state() {
    if (kind == Kind.JOURNAL) {
      JournalTarget open = Objects.requireNonNull(target);
      return List.of(open.durable(), open.term(), String.valueOf(open.uuid()));
    }
    var engine = OpenHeap.engine(Objects.requireNonNull(heap));
    return List.of(
        engine.applier().position(),
        ReplicaPosition.term(engine.memory()),
        ReplicaPosition.ancestor(engine.memory()),
        engine.log().appended());
  }

  /** The numbers of a heap. */
  private Map<Integer, String> numbers() {
    return Numbers.contents(Objects.requireNonNull(heap));
  }

  /** Lets the replica follow an input; its files must be sound, or refused, afterwards. */
  void check(WireInput input) {
    log.lines.clear();
    log.stacks.clear();
    List<Object> before = state();
    ReplicaStatus status = follow(input);
    boolean refused =
        input.has(WireInput.KNOWN)
            && input.frames().stream().anyMatch(f -> f.type() == Message.REFUSED.code());
    if (!refused) {
      assertThat(status.failure()).as("nobody may end the following").isNull();
      assertThat(log.stacks).isEmpty();
    }
    String problem = String.valueOf(status.problem());
    assertThat(problem).isNotBlank().hasSizeLessThan(1_200).doesNotContain("\n", "\u001b");
    assertThat(log.lines).hasSizeLessThanOrEqualTo(MOST_LINES);
    boolean changed = !state().equals(before);
    if (input.has(WireInput.SECRET) && !input.has(WireInput.KNOWN)) {
      assertThat(changed).as("changed by a stranger").isFalse();
    }
    if (changed) {
      requireSound();
      reopen();
    }
  }

  /** Verifies what the replica has, while it is open and after a kill. */
  private void requireSound() {
    List<Object> state = state();
    SimulatedMedium killed = medium.processKill();
    try {
      closeFiles();
    } catch (EverheapException e) {
      // what it stores is refused at the next opening
    }
    for (SimulatedMedium each : List.of(killed, medium.processKill())) {
      medium = each;
      try {
        open();
        Heap open = heap;
        if (open != null) {
          open.verify();
          var _ = open.stats();
          assertThat(state().getFirst()).isEqualTo(state.getFirst());
          try {
            var _ = numbers();
          } catch (EverheapException e) {
            // a log with the right checksums can store anything
          }
        }
        closeFiles();
      } catch (EverheapException e) {
        assertThat(e.code()).startsWith("EH-");
        closeFiles();
      }
    }
  }

  /** The numbers that a heap has after an input. */
  Map<Integer, String> numbersAfter(WireInput input) {
    var _ = follow(input);
    Map<Integer, String> numbers = numbers();
    closeFiles();
    reopen();
    return numbers;
  }

  private ReplicaStatus follow(WireInput input) {
    List<WireInput.Frame> frames = input.frames();
    if (input.has(WireInput.SEALS)) {
      frames = kind == Kind.HEAP ? ForgedParts.ofHeap(frames) : ForgedParts.ofJournal(frames);
    }
    MemorySocket.Ends ends = MemorySocket.connect("primary", "replica");
    boolean known = input.has(WireInput.KNOWN);
    boolean sealed = known || input.has(WireInput.SECRET);
    Thread sender = null;
    if (known) {
      List<WireInput.Frame> sent = new ArrayList<>(frames);
      sender = Thread.ofPlatform().daemon().start(() -> send(ends.primary(), sent));
    } else {
      send(ends.primary(), input.wire(frames));
    }
    AtomicInteger connections = new AtomicInteger();
    Connector connector =
        to -> {
          if (connections.getAndIncrement() > 0) {
            throw new IOException("there is no primary");
          }
          return greet(ends.replica(), sealed ? secret : null);
        };
    Following<?> following = following(connector);
    following.start(null);
    long end = System.nanoTime() + Limit.limit().toNanos();
    while (!ends.replica().isClosed()) {
      assertThat(System.nanoTime()).isLessThan(end);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    while (following.status().problem() == null && following.status().failure() == null) {
      assertThat(System.nanoTime()).isLessThan(end);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    ReplicaStatus status = following.status();
    following.end();
    ends.primary().close();
    if (sender != null) {
      try {
        Limit.join(sender);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return status;
  }

  /** As for a socket. */
  private static Connection greet(MemorySocket socket, @Nullable Secret wanted) throws IOException {
    try {
      Connection made = new Connection(socket, 0, wanted != null);
      made.limit(Greeting.MAX_BYTES);
      Greeting.call(made, wanted);
      made.limit(Connection.MOST);
      return made;
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  private static void send(MemorySocket to, byte[] bytes) {
    try {
      to.getOutputStream().write(bytes);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    to.finish();
  }

  private void send(MemorySocket to, List<WireInput.Frame> frames) {
    try {
      Connection connection = new Connection(to, 0, true);
      Greeting.answer(connection, secret);
      for (WireInput.Frame frame : frames) {
        Message type = Message.of(frame.type());
        if (type != Message.GREETING) {
          connection.send(type == null ? Message.BASE : type, frame.body());
        }
      }
    } catch (IOException e) {
      // the replica has ended the connection
    }
    to.finish();
  }

  @Override
  public void close() {
    log.close();
    closeFiles();
  }
}
