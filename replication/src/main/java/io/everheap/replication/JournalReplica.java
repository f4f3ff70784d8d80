package io.everheap.replication;

import io.everheap.error.LockedException;
import io.everheap.error.ReplicationException;
import io.everheap.journal.Journal;
import io.everheap.journal.JournalBuilder;
import io.everheap.journal.replica.JournalReplication;
import io.everheap.journal.replica.JournalTarget;
import io.everheap.memory.Closing;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Media;
import io.everheap.memory.Medium;
import io.everheap.stability.Evolving;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A journal that follows a primary on another machine, is read there, and can take over.
 *
 * <pre>{@code
 * try (JournalReplica replica = JournalReplica.of(Path.of("copy"))
 *         .primary(new InetSocketAddress("db1", 7400)).secret(Path.of("events.secret")).open();
 *     JournalReader reader = replica.journal().reader()) {
 *   while (reader.next(timeout)) {
 *     ...                                        // records, soon after they were appended
 *   }
 *   Journal journal = replica.promote();         // the primary is lost: appends go here
 * }
 * }</pre>
 *
 * <p>Its records are those of the primary byte by byte, in segments with the same names. What it
 * acknowledged survives its own crashes. It has what is durable on the primary, releases what that
 * releases, and cuts off what that cuts off. Other processes can read it like any journal.
 *
 * <p>Thread-safe.
 *
 * @since 0.9
 */
@Evolving
public final class JournalReplica implements AutoCloseable {
  private final Builder settings;
  private final Connector connector;
  private final JournalTarget target;
  private final JournalFollowing following;
  private final Object changing = new Object();
  private volatile Journal journal;
  private long decided = -1; // the term of a durable promotion, or -1; guarded by changing
  private boolean promoted; // guarded by changing
  private @Nullable Announcement announcement; // guarded by changing

  private JournalReplica(
      Builder settings,
      Connector connector,
      JournalTarget target,
      JournalFollowing following,
      Journal journal) {
    this.settings = settings;
    this.connector = connector;
    this.target = target;
    this.following = following;
    this.journal = journal;
  }

  /** Settings of the replica in a directory, which is made when it is opened first. */
  public static Builder of(Path directory) {
    return new Builder(Objects.requireNonNull(directory, "directory"));
  }

  /** Settings of a replica of a journal. Not thread-safe. */
  public static final class Builder extends PeerBuilder<Builder> {
    private UnaryOperator<JournalBuilder> journal = UnaryOperator.identity();

    private Builder(Path directory) {
      super(directory);
    }

    @Override
    Builder self() {
      return this;
    }

    /** Settings of the journal once it is promoted. */
    public Builder journal(UnaryOperator<JournalBuilder> newSettings) {
      journal = Objects.requireNonNull(newSettings, "newSettings");
      return this;
    }

    /**
     * Opens the replica. If the directory has no journal, it is made from the primary's; else a
     * primary need not answer now. On return there may be less than the primary has.
     *
     * @throws ReplicationException if the primary refuses, or none answers and there is no journal
     *     yet, or the secret cannot be used
     * @throws IllegalStateException if no primary is named, or none of {@code secret}, {@code tls}
     *     and {@code insecure} was called
     * @throws LockedException if another process has it open
     * @throws io.everheap.error.EverheapException if the journal cannot be opened
     */
    public JournalReplica open() {
      Connector connector = sockets();
      try {
        return open(connector);
      } catch (Refusal.RefusedException e) {
        if (!anew || e.reason() != Refusal.Reason.ANEW) {
          throw Aside.refused(directory, e);
        }
        Aside.move(directory);
        return open(connector);
      }
    }

    private JournalReplica open(Connector connector) {
      JournalTarget target = target();
      try {
        JournalFollowing following = new JournalFollowing(target, connector, primaries, name);
        try {
          return open(connector, target, following);
        } catch (RuntimeException | Error e) {
          Closing.after(e, following::end);
          throw e;
        }
      } catch (RuntimeException | Error e) {
        Closing.after(e, target::close);
        throw e;
      }
    }

    private JournalReplica open(
        Connector connector, JournalTarget target, JournalFollowing following) {
      Following.Established<JournalStart> first = following.connectToAny();
      if (target.uuid() == null) {
        throw new ReplicationException(
            "The replica in "
                + directory
                + " cannot be made: no answer from "
                + primaries
                + " ("
                + following.status().problem()
                + "). Is a primary there?");
      }
      Journal reading = existing().readOnly().open();
      try {
        following.start(first);
        return new JournalReplica(this, connector, target, following, reading);
      } catch (RuntimeException | Error e) {
        Closing.after(e, reading::close);
        throw e;
      }
    }

    private JournalTarget target() {
      Medium medium;
      try {
        medium =
            keys == null
                ? Media.open(directory, false, true)
                : FileMedium.open(directory, false, true);
      } catch (LockedException e) {
        throw LockedException.journal(directory.toString(), e.pid(), e);
      }
      try {
        return JournalReplication.target(Journal.builder(directory), medium, keys);
      } catch (RuntimeException | Error e) {
        Closing.after(e, medium::close);
        throw e;
      }
    }

    /**
     * Promotes the replica in the directory, which no process has open: {@code Journal.open} opens
     * it for appending from now on.
     *
     * @return its new term
     * @throws ReplicationException if it is no replica
     * @throws io.everheap.error.EverheapException if it cannot be opened
     */
    public long promote() {
      try (JournalTarget target = target()) {
        return target.promote();
      }
    }

    private Journal openPromoted() {
      return journal.apply(existing()).open();
    }

    private JournalBuilder existing() {
      JournalBuilder builder = Journal.builder(directory).mustExist();
      return keys == null ? builder : builder.encrypt(keys);
    }
  }

  /** The journal: for reads only until {@link #promote}, which replaces it. */
  public Journal journal() {
    return journal;
  }

  /** What it does now; after its promotion or its end what it did last. */
  public ReplicaStatus status() {
    return following.status();
  }

  /**
   * Ends the following, and makes the journal one that can be appended to, with a new term that is
   * durable before its first append. The former primary is told as soon as it can be reached, until
   * this is closed. See {@link Replica#promote()} for when, and which replica.
   *
   * @return the journal, which {@link #close} closes; the former one is closed
   */
  public Journal promote() {
    synchronized (changing) {
      if (decided < 0) {
        following.end();
        decided = target.promote();
        target.close();
        journal.close();
      }
      if (!promoted) {
        journal = settings.openPromoted(); // may fail, and be repeated
        promoted = true;
        following.learned(decided);
      }
      if (announcement == null) { // may fail, and be repeated
        announcement = Announcement.start(connector, settings.primaries, JournalSource.of(journal));
      }
      return journal;
    }
  }

  /** Ends the following, and closes the journal. */
  @Override
  public void close() {
    synchronized (changing) {
      Closing closing = new Closing();
      if (decided < 0) {
        closing.then(following::end).then(target::close);
      }
      Announcement telling = announcement;
      if (telling != null) {
        closing.then(telling::close);
      }
      closing.then(journal::close).end();
    }
  }
}
