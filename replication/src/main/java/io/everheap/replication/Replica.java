package io.everheap.replication;

import io.everheap.Heap;
import io.everheap.HeapBuilder;
import io.everheap.engine.Engine;
import io.everheap.error.ReadOnlyException;
import io.everheap.error.ReplicationException;
import io.everheap.heap.HeapSettings;
import io.everheap.heap.OpenHeap;
import io.everheap.stability.Evolving;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A heap that follows a primary on another machine, serves reads, and can take over.
 *
 * <pre>{@code
 * try (Replica replica = Replica.of(Path.of("copy"))
 *     .primary(new InetSocketAddress("db1", 7400)).secret(Path.of("bank.secret")).open()) {
 *   DurableMap<String, Long> accounts = replica.heap().map("accounts", String.class, Long.class);
 *   ...                                     // reads, as of some moment ago
 *   Heap heap = replica.promote();          // the primary is lost: commits go here from now on
 * }
 * }</pre>
 *
 * <p>The replica is a heap with a log of its own: what it acknowledged survives its own crashes.
 * Its state is always one that the primary had, and each transaction is whole; {@code Heap.read}
 * gives several reads one state. Every change throws {@link ReadOnlyException}.
 *
 * <p>Thread-safe.
 *
 * @since 0.9
 */
@Evolving
public final class Replica implements AutoCloseable {
  private final Builder settings;
  private final Connector connector;
  private final Object changing = new Object();
  private volatile Heap heap;
  private volatile HeapFollowing following;
  private volatile boolean promoted;
  private @Nullable Announcement announcement; // guarded by changing

  private Replica(Builder settings, Connector connector, Heap heap, HeapFollowing following) {
    this.settings = settings;
    this.connector = connector;
    this.heap = heap;
    this.following = following;
  }

  /** Settings of the replica in a directory, which is made when it is opened first. */
  public static Builder of(Path directory) {
    return new Builder(Objects.requireNonNull(directory, "directory"));
  }

  /** Settings of a replica. Not thread-safe. */
  public static final class Builder extends PeerBuilder<Builder> {
    private UnaryOperator<HeapBuilder> heap = UnaryOperator.identity();

    private Builder(Path directory) {
      super(directory);
    }

    @Override
    Builder self() {
      return this;
    }

    /** Settings of the heap, for example of its sizes. */
    public Builder heap(UnaryOperator<HeapBuilder> newSettings) {
      heap = Objects.requireNonNull(newSettings, "newSettings");
      return this;
    }

    /**
     * Opens the replica. If the directory has no heap, it is made from a copy of the primary's,
     * after those of other replicas; else a primary need not answer now.
     *
     * @throws ReplicationException if the primary refuses, or none answers and there is no heap
     *     yet, or the secret cannot be used
     * @throws IllegalStateException if no primary is named, or none of {@code secret}, {@code tls}
     *     and {@code insecure} was called
     * @throws io.everheap.error.EverheapException if the heap cannot be opened
     */
    public Replica open() {
      return open(sockets());
    }

    /** Opens the replica of a primary that is reached in another way. */
    Replica open(Connector connector) {
      Joining joining = new Joining(directory, connector, name, keys);
      if (!Files.exists(directory.resolve("heap"))) {
        joining.join(primaries);
      }
      try {
        return follow(connector);
      } catch (Refusal.RefusedException e) {
        if (!anew || e.reason() != Refusal.Reason.ANEW) {
          throw Aside.refused(directory, e);
        }
        Aside.move(directory);
        joining.join(primaries);
        return follow(connector);
      }
    }

    /** Opens the heap, and connects to a primary, if one answers. */
    private Replica follow(Connector connector) {
      Heap opened = open(HeapSettings.Role.REPLICA);
      try {
        HeapFollowing following =
            new HeapFollowing(OpenHeap.engine(opened), connector, primaries, name);
        try {
          following.start(following.connectToAny());
          return new Replica(this, connector, opened, following);
        } catch (RuntimeException | Error e) {
          following.end();
          throw e;
        }
      } catch (RuntimeException | Error e) {
        opened.close();
        throw e;
      }
    }

    /**
     * Promotes the replica in the directory, which no process has open: the next {@code Heap.open}
     * makes it a primary.
     *
     * @return its new term
     * @throws ReplicationException if the heap never was a replica
     * @throws io.everheap.error.EverheapException if it cannot be opened
     */
    public long promote() {
      try (Heap opened = open(HeapSettings.Role.REPLICA)) {
        Engine engine = OpenHeap.engine(opened);
        engine.applier().requireReplica();
        engine.applier().begin();
        return engine.applier().decidePromotion();
      }
    }

    private Heap openPromoted() {
      return open(HeapSettings.Role.PROMOTED);
    }

    private Heap open(HeapSettings.Role role) {
      HeapBuilder builder = heap.apply(Heap.builder(directory).mustExist());
      return HeapSettings.role(keys == null ? builder : builder.encrypt(keys), role).open();
    }
  }

  /** The heap: for reads only until {@link #promote}, which replaces it. */
  public Heap heap() {
    return heap;
  }

  /** What it does now; after its promotion or its end what it did last. */
  public ReplicaStatus status() {
    return following.status();
  }

  /**
   * Ends the following, and makes the heap one that can be written, with a new term that is durable
   * before its first commit. The former primary is told as soon as it can be reached, until this is
   * closed; it must not go on as one: see {@link Primary.Builder#peers}.
   *
   * <p>Call it only when the primary is known to be lost: who decides that is outside of this
   * library. Of several replicas promote the one with the highest {@link ReplicaStatus#lsn}: with
   * {@code copies(k)} it has all that was acknowledged, if fewer than k replicas are missing when
   * they are compared.
   *
   * @return the heap, which {@link #close} closes; the former one is closed, and its structures
   *     have to be taken from this one again
   * @throws ReplicationException if the heap is a former primary that has not followed yet; nothing
   *     is changed then
   */
  public Heap promote() {
    synchronized (changing) {
      if (!promoted) {
        OpenHeap.engine(heap).applier().requireReplica();
        following.end();
        OpenHeap.engine(heap)
            .refuseTransactions(
                () -> ReadOnlyException.heap("The replica was promoted: use its new heap."));
        heap.close(); // refusing first: no checkpoint delays it, the log is recovered from
        heap = settings.openPromoted();
        promoted = true;
      }
      if (announcement == null && heap.isOpen()) { // may fail, and be repeated
        Origin origin = new HeapOrigin(OpenHeap.engine(heap));
        following.learned(origin.term());
        announcement = Announcement.start(connector, settings.primaries, origin);
      }
      return heap;
    }
  }

  /** Closes it as its primary in this process ends, unless it took over. */
  void closeWithPrimary() {
    synchronized (changing) {
      if (!promoted) {
        close();
      }
    }
  }

  /** Ends the following, and closes the heap. */
  @Override
  public void close() {
    synchronized (changing) {
      if (!promoted) {
        following.end();
      }
      if (announcement != null) {
        announcement.close();
      }
      heap.close();
    }
  }
}
