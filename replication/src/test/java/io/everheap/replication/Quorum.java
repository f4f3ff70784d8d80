package io.everheap.replication;

import io.everheap.engine.ReplicaPosition;
import io.everheap.error.EverheapException;
import io.everheap.journal.Journal;
import io.everheap.memory.MediumSetting;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;

/**
 * The real {@link Copies} with real sessions, whose replicas do what a test says. Commits are
 * numbers that wait; the log is durable up to the LSN that a test sets.
 */
final class Quorum implements AutoCloseable {
  private final Journal journal =
      MediumSetting.medium(
              Journal.builder(Path.of("primary")).segmentSize(64 << 10), SimulatedMedium.file(1))
          .open();
  private final Primary primary = Primary.of(journal).open();
  private final List<ScriptedReplica> replicas = new ArrayList<>();
  private final Set<Long> returned = new ConcurrentSkipListSet<>();
  private final List<String> failed = new ArrayList<>();
  final ScriptedOrigin origin = new ScriptedOrigin();
  private Copies copies;

  /** Waits for so many replicas, without a limit of time. */
  Quorum(int wanted, long durable) {
    origin.durable = durable;
    copies = new Copies("here", origin::durable, origin::isOpen);
    copies.want(wanted, null);
  }

  Copies copies() {
    return copies;
  }

  /** Begins again, without replicas and commits. */
  void restart(int wanted, long durable) {
    leaveAll();
    returned.clear();
    failed.clear();
    origin.durable = durable;
    origin.open = true;
    copies = new Copies("here", origin::durable, origin::isOpen);
    copies.want(wanted, null);
  }

  /** A commit begins to wait for replicas. */
  void commit(long lsn) {
    copies.whenCopied(lsn, why -> ended(lsn, why));
  }

  private void ended(long lsn, @Nullable EverheapException why) {
    if (why == null) {
      returned.add(lsn);
    } else {
      failed.add(lsn + " " + why.getMessage());
    }
  }

  /** The commits that have returned. */
  Set<Long> returned() {
    return returned;
  }

  /** The commits that have failed, with the reason. */
  List<String> failed() {
    return failed;
  }

  /** A replica connects. */
  ScriptedReplica join(String name, long id) {
    return connect().join(copies, hello(name, id));
  }

  ScriptedReplica connect() {
    ScriptedReplica replica = new ScriptedReplica(c -> origin.session(primary, copies, c));
    replicas.add(replica);
    return replica;
  }

  /** There is a primary of a higher term. */
  void fence() {
    JournalSource.of(journal).fence(1, "the test");
  }

  /** A session that runs in no thread. */
  Session session(Connection connection) {
    return origin.session(primary, copies, connection);
  }

  static Hello hello(String name, long id) {
    return ScriptedReplica.hello(
        Hello.Purpose.FOLLOW, new UUID(3, 4), ReplicaPosition.NONE, name, id);
  }

  /** Replicas connect that have acknowledged these LSNs. */
  List<ScriptedReplica> joinAt(long... acknowledged) {
    List<ScriptedReplica> joined = new ArrayList<>();
    for (long lsn : acknowledged) {
      int number = replicas.size();
      joined.add(join("replica " + number, 1000 + number).acknowledge(lsn));
    }
    return joined;
  }

  private void leaveAll() {
    replicas.forEach(ScriptedReplica::close);
    replicas.clear();
  }

  @Override
  public void close() {
    leaveAll();
    primary.close();
    journal.close();
  }
}
