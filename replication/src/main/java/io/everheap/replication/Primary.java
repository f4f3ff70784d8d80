package io.everheap.replication;

import io.everheap.Heap;
import io.everheap.encryption.KeyProvider;
import io.everheap.engine.Engine;
import io.everheap.engine.EngineOptions;
import io.everheap.error.FencedException;
import io.everheap.error.MediumException;
import io.everheap.error.ReplicationException;
import io.everheap.heap.OpenHeap;
import io.everheap.journal.Journal;
import io.everheap.memory.Closing;
import io.everheap.memory.Threads;
import io.everheap.stability.Evolving;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Sends the log of an open heap, or the records of an open journal, to replicas.
 *
 * <pre>{@code
 * try (Heap heap = Heap.open(Path.of("bank"));
 *     Primary primary = Primary.of(heap).secret(Path.of("bank.secret"))
 *         .listen(new InetSocketAddress("localhost", 7400))) {
 *   primary.copies(1);          // from now on a commit returns when a replica has it, too
 *   ...
 * }
 * }</pre>
 *
 * <p>Replicas get what is durable here. With {@link #copies(int)} a commit that is durable when it
 * returns ({@code Durability.SYNC}) is then durable on as many replicas as well; without, replicas
 * lag behind by what the network needs. The log is kept for a replica, but never so much of it that
 * transactions wait: a replica that was away for longer is made anew.
 *
 * <p>A replica that is promoted has a higher term. A primary that hears of one is <em>fenced</em>:
 * from then on each transaction throws {@link FencedException}.
 *
 * <p>Thread-safe. Close it before the heap.
 *
 * @since 0.9
 */
@Evolving
public final class Primary implements AutoCloseable {
  private static final int SILENCE_MILLIS = 10_000;
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** More replicas than anyone has: whoever connects without end must not exhaust the threads. */
  private static final int MOST_CONNECTIONS = 256;

  /** For messages of mirrors. */
  private static final InetSocketAddress HERE =
      InetSocketAddress.createUnresolved("this-process", 0);

  private final Origin origin;
  private final @Nullable ServerSocket server;
  private final Copies copies;
  private final Set<Replica> mirrors = ConcurrentHashMap.newKeySet();
  private final Set<Session> sessions = ConcurrentHashMap.newKeySet();
  private final Map<Thread, Socket> connections = new ConcurrentHashMap<>();
  private final Newcomers newcomers = new Newcomers();
  private final Warnings warnings = new Warnings(Primary.class);
  private final @Nullable Sockets sockets; // null if it does not listen
  private final @Nullable Thread acceptor;
  private final Thread ticker;
  private final BiFunction<String, Runnable, Thread> threads; // of connections
  private final Announcement announcement;
  private volatile boolean closed;

  private Primary(
      Origin origin,
      @Nullable ServerSocket server,
      @Nullable Sockets sockets,
      List<InetSocketAddress> peers,
      BiFunction<String, Runnable, Thread> threads) {
    this.threads = threads;
    this.sockets = sockets;
    this.announcement =
        new Announcement(
            sockets == null ? Primary::connectNowhere : sockets, peers, origin, this::heard);
    this.origin = origin;
    this.server = server;
    this.acceptor =
        server == null
            ? null
            : Threads.daemon("everheap-replicas " + origin.location(), () -> accept(server));
    this.ticker = Threads.daemon("everheap-patience " + origin.location(), this::tick);
    this.copies = new Copies(origin.location(), origin::durable, origin::isOpen);
  }

  private static Connection connectNowhere(InetSocketAddress to) throws IOException {
    throw new IOException("it is not said how to connect to " + to);
  }

  /** Settings for replicating an open heap. */
  public static Builder of(Heap heap) {
    return new Builder(new HeapOrigin(OpenHeap.engine(heap)));
  }

  /**
   * Settings for replicating a journal that is open for appending. What is said of commits holds
   * for appends, and what is said of LSNs for positions.
   *
   * @throws io.everheap.error.ReadOnlyException if it is only read here
   */
  public static Builder of(Journal journal) {
    return new Builder(JournalSource.of(journal));
  }

  /** Settings of a primary. Not thread-safe. */
  public static final class Builder extends AccessBuilder<Builder> {
    private final Origin origin;
    private InetSocketAddress[] peers = {};
    private BiFunction<String, Runnable, Thread> threads = Threads::daemon;

    private Builder(Origin origin) {
      this.origin = origin;
    }

    @Override
    Builder self() {
      return this;
    }

    /**
     * Asks these first whether one of them was promoted, as should be done after a failure: a heap
     * that was replaced must not commit. Those that do not answer are not waited for, but asked
     * again until they do: of two primaries the one with the lower term is fenced then.
     */
    public Builder peers(InetSocketAddress... others) {
      peers = others.clone();
      return this;
    }

    /** Makes the threads of connections, given name and task. */
    Builder threads(BiFunction<String, Runnable, Thread> factory) {
      threads = factory;
      return this;
    }

    /**
     * Begins to serve replicas.
     *
     * @param address to listen on; port 0 for any
     * @throws FencedException if a peer has a higher term, or one was heard of before
     * @throws IllegalStateException if the heap or journal has a primary already, or none of {@code
     *     secret}, {@code tls} and {@code insecure} was called
     * @throws ReplicationException if the secret cannot be used
     * @throws UncheckedIOException if the address cannot be used
     */
    public Primary listen(InetSocketAddress address) {
      return start(Objects.requireNonNull(address, "address"));
    }

    /**
     * Begins without listening: for {@linkplain Primary#mirror(Path) mirrors} only.
     *
     * @throws FencedException if a peer has a higher term, or one was heard of before
     * @throws IllegalStateException if the heap or journal has a primary already
     */
    public Primary open() {
      return start(null);
    }

    private Primary start(@Nullable InetSocketAddress address) {
      origin.requireNotFenced();
      Sockets sockets = address == null && peers.length == 0 ? null : sockets(true);
      List<InetSocketAddress> silent = sockets == null ? List.of() : askPeers(sockets);
      try {
        ServerSocket server = address == null ? null : Sockets.listen(address);
        Primary primary = new Primary(origin, server, sockets, silent, threads);
        if (!origin.copies().compareAndSet(null, primary.copies)) {
          primary.stopListening();
          throw new IllegalStateException(
              "The "
                  + origin.kind()
                  + " at "
                  + origin.location()
                  + " has a primary already: close that one first.");
        }
        try {
          primary.begin(!silent.isEmpty());
        } catch (RuntimeException | Error e) {
          Closing.after(e, primary::close); // else the next attempt finds this one
          throw e;
        }
        return primary;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Those that do not answer; throws if one has a higher term. */
    private List<InetSocketAddress> askPeers(Sockets sockets) {
      long term = origin.term();
      List<InetSocketAddress> silent = new ArrayList<>();
      for (InetSocketAddress peer : peers) {
        ReplicationStatus other = Status.tell(sockets, peer, origin.uuid(), term);
        if (other == null) {
          silent.add(peer);
        } else if (other.term() > term) {
          throw origin.fence(other.term(), peer.toString());
        }
      }
      return silent;
    }
  }

  private void begin(boolean announce) {
    if (acceptor != null) {
      Threads.start(acceptor);
    }
    Threads.start(ticker);
    if (announce) {
      announcement.start();
    }
  }

  private void accept(ServerSocket from) {
    while (!closed) {
      try {
        serveOrRefuse(from.accept());
      } catch (IOException | RuntimeException | Error e) { // replicas could not connect any more
        if (!closed) {
          tryToWarn("a connection was not accepted", e);
          LockSupport.parkNanos(PAUSE_NANOS); // too many files may be open, or memory be short
        }
      }
    }
  }

  private void serveOrRefuse(Socket socket) {
    try {
      if (connections.size() < MOST_CONNECTIONS + Newcomers.MAX) {
        serveInThread(socket, false);
      } else {
        refuse(socket, new IOException("there are too many connections"));
      }
    } catch (RuntimeException | Error e) {
      discard(socket);
      throw e;
    }
  }

  private void serveInThread(Socket socket, boolean inside) {
    Thread thread =
        threads.apply(
            "everheap-replica " + socket.getRemoteSocketAddress(),
            () -> {
              try {
                serve(socket, inside);
              } finally {
                newcomers.remove(Thread.currentThread());
                connections.remove(Thread.currentThread());
              }
            });
    connections.put(thread, socket);
    try {
      if (!inside) {
        newcomers.add(thread, socket);
      }
      Threads.start(thread);
    } catch (MediumException e) { // the operating system cannot create a thread
      forget(thread);
      refuse(socket, new IOException(e.getMessage(), e));
    } catch (RuntimeException | Error e) {
      forget(thread);
      throw e;
    }
  }

  private void forget(Thread thread) {
    newcomers.remove(thread);
    connections.remove(thread);
  }

  private void serve(Socket socket, boolean inside) {
    Sockets greeter = sockets;
    try {
      Connection connection =
          inside || greeter == null
              ? new Connection(socket, SILENCE_MILLIS, true)
              : greeter.welcome(socket, SILENCE_MILLIS);
      Session session = origin.session(this, copies, connection);
      sessions.add(session);
      try {
        if (closed) {
          session.close();
        }
        session.run();
      } finally {
        sessions.remove(session);
      }
      if (newcomers.remove(Thread.currentThread())) {
        warn(
            "a connection was refused: " + socket.getRemoteSocketAddress(),
            new IOException("it did not introduce itself"));
      }
    } catch (EOFException e) { // as those leave who only look whether the port is open
      discard(socket);
    } catch (IOException e) {
      refuse(socket, e);
    } catch (RuntimeException e) { // also that of a predicate for certificates
      warn("a connection failed", e);
      discard(socket);
    }
  }

  /**
   * The connection that this thread serves has introduced itself.
   *
   * @throws Refusal.RefusedException if there are too many
   */
  void admit() {
    if (newcomers.remove(Thread.currentThread())
        && connections.size() - newcomers.size() > MOST_CONNECTIONS) {
      throw new Refusal.RefusedException(
          Refusal.Reason.LATER, "there are " + MOST_CONNECTIONS + " connections");
    }
  }

  private void refuse(Socket socket, IOException why) {
    if (closed) {
      discard(socket);
      return;
    }
    warn("a connection was refused: " + socket.getRemoteSocketAddress(), why);
    discard(socket);
  }

  private void tick() {
    while (!closed) {
      long nanos = PAUSE_NANOS;
      try {
        endIfFenced();
        nanos = copies.tick();
        sessions.forEach(Session::endIfStuck);
      } catch (RuntimeException | Error e) { // commits would wait for ever without this thread
        tryToWarn("a tick of the replication failed", e);
      }
      LockSupport.parkNanos(nanos);
    }
  }

  /**
   * The address that it listens on.
   *
   * @throws IllegalStateException if it was opened without one
   */
  public InetSocketAddress address() {
    if (server == null) {
      throw new IllegalStateException("the primary of " + origin.location() + " does not listen");
    }
    return (InetSocketAddress) server.getLocalSocketAddress();
  }

  /**
   * Keeps a mirror of the heap in another directory of this machine, best on another disk: a
   * replica in this process, which is made if there is none, and goes on from its state otherwise.
   * One that cannot is made anew; its directory is kept beside it as {@code NAME.aside}. A mirror
   * counts as one of the {@link #copies(int)}.
   *
   * <p>If the heap's disk is lost, {@link Replica#promote()} makes the mirror the heap. If only
   * pages of it are damaged, {@code HeapBuilder.repairFrom} takes them from the mirror.
   *
   * @param directory of the mirror
   * @return the mirror, for reads and its status; closed with this primary, unless promoted
   * @throws ReplicationException if it cannot be made
   * @throws FencedException if the mirror, or another replica, was promoted
   * @throws io.everheap.error.EverheapException if its directory cannot be used
   * @throws IllegalStateException inside a transaction, or if it is the primary of a journal
   */
  public Replica mirror(Path directory) {
    return mirror(Replica.of(directory), directory);
  }

  /**
   * Keeps an encrypted mirror, like {@link #mirror(Path)}: the only one that an encrypted heap may
   * have.
   *
   * @param directory of the mirror
   * @param keys gives the wrapping key of the mirror, which has a data key of its own
   * @return the mirror, for reads and its status; closed with this primary, unless promoted
   * @throws ReplicationException if it cannot be made
   * @throws FencedException if the mirror was promoted
   * @throws io.everheap.error.EverheapException if its directory cannot be used, or is not
   *     encrypted with this key
   * @throws IllegalStateException inside a transaction
   */
  public Replica mirror(Path directory, KeyProvider keys) {
    return mirror(Replica.of(directory).encrypt(keys), directory);
  }

  private Replica mirror(Replica.Builder settings, Path directory) {
    if (!(origin instanceof HeapOrigin(Engine engine))) {
      throw new IllegalStateException(
          "the journal at " + origin.location() + " has no mirrors: make a JournalReplica of it");
    }
    origin.requireOutside("a mirror");
    origin.requireNotFenced();
    EngineOptions sizes = engine.options();
    Replica mirror =
        settings
            .primary(HERE)
            .name(directory.toAbsolutePath().toString())
            .anew()
            .heap(heap -> heap.maxSize(sizes.maxCapacity()).maxTransaction(sizes.maxTransaction()))
            .open(to -> connectHere());
    mirrors.add(mirror);
    FencedException why = origin.fenced();
    if (closed) {
      mirror.closeWithPrimary();
    } else if (why != null) {
      mirror.close();
      throw new FencedException(
          "The heap at "
              + engine.location()
              + " was replaced by one of term "
              + why.term()
              + ", perhaps by the mirror in "
              + directory
              + ": it commits nothing any more. Open that one, and mirror it here.",
          why.term());
    }
    return mirror;
  }

  private Connection connectHere() throws IOException {
    if (closed) {
      throw new IOException("the primary is closed");
    }
    SocketPair pair = SocketPair.open();
    serveInThread(pair.far(), true);
    return new Connection(pair.near(), SILENCE_MILLIS, true);
  }

  /**
   * Sets for how many replicas a commit waits, without a limit of time: while fewer acknowledge, no
   * commit returns.
   *
   * @param replicas at least 0; 0 to wait for none
   */
  public void copies(int replicas) {
    want(replicas, null);
  }

  /**
   * Sets for how many replicas a commit waits, and for how long. If too few acknowledge in that
   * time, commits do not wait any more until enough replicas have all of the log, or get what is
   * committed within that time; a warning is logged, and {@link #status} shows it. What is
   * committed meanwhile may be lost with this machine.
   *
   * @param replicas at least 0; 0 to wait for none
   * @param patience how long a commit waits at most
   */
  public void copies(int replicas, Duration patience) {
    if (patience.isNegative()) {
      throw new IllegalArgumentException("a patience of " + patience);
    }
    want(replicas, patience);
  }

  private void want(int replicas, @Nullable Duration patience) {
    if (replicas < 0) {
      throw new IllegalArgumentException(replicas + " replicas");
    }
    copies.want(replicas, patience);
    LockSupport.unpark(ticker);
  }

  /** What it does now. */
  public ReplicationStatus status() {
    return new ReplicationStatus(
        origin.kind(),
        origin.location(),
        origin.uuid(),
        term(),
        origin.fenced() != null,
        origin.durable(),
        copies.number(),
        copies.isDegraded(),
        copies.sessions().stream().map(Session::describe).toList());
  }

  long term() {
    return origin.term();
  }

  /** Someone knows a term. */
  void heard(long term, String from) {
    if (term > term() && origin.fenced() == null) {
      origin.fence(term, from);
      endIfFenced();
    }
  }

  /**
   * If there is a primary of a higher term, replicas have to look for it. {@link Replica#promote}
   * may hear of a term, too, after which this was opened.
   */
  private void endIfFenced() {
    FencedException why = origin.fenced();
    if (why != null) {
      copies.end(why);
      copies.sessions().forEach(Session::close);
    }
  }

  /** Throws if the heap is fenced. */
  void requireServing() {
    FencedException why = origin.fenced();
    if (why != null) {
      throw new Refusal.RefusedException(
          Refusal.Reason.FENCED, "it was replaced by a primary of term " + why.term());
    }
  }

  void warn(String what, Throwable cause) {
    warnings.warn(what, cause);
  }

  private void tryToWarn(String what, Throwable cause) {
    try {
      warn(what, cause);
    } catch (RuntimeException | Error e) {
      // it has no memory
    }
  }

  /**
   * Ends all connections. Commits do not wait for replicas any more; the heap stays open. On return
   * nothing of the primary runs any more.
   *
   * @throws IllegalStateException inside a transaction, for which a connection may wait
   */
  @Override
  public void close() {
    origin.requireOutside("close of a primary");
    closed = true;
    origin.copies().compareAndSet(copies, null);
    var ended = new ReplicationException("The replication of " + origin.location() + " ended.");
    try {
      copies.end(ended);
    } finally {
      end();
    }
    copies.end(ended); // what a connection left because of an error of the virtual machine
  }

  private void end() {
    stopListening();
    announcement.close();
    LockSupport.unpark(ticker);
    if (acceptor != null) {
      LockSupport.unpark(acceptor);
      Threads.join(acceptor); // first: no connection is added any more
    }
    mirrors.forEach(Replica::closeWithPrimary); // they add none either
    Threads.join(ticker);
    connections.values().forEach(Primary::discard);
    sessions.forEach(Session::close);
    connections.keySet().forEach(Threads::join);
  }

  private void stopListening() {
    if (server != null) {
      try {
        server.close();
      } catch (IOException e) {
        warn("the port was not closed", e);
      }
    }
  }

  private static void discard(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // it is of no use any more
    }
  }
}
