package io.everheap.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.error.ReplicationException;
import io.everheap.support.Seeds;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random commits and replicas that lag, stall, leave, connect again and lie, compared with a model
 * after each step. The model: a commit returns when as many connected replicas as are wanted have
 * acknowledged it, each counted once; or when patience is lost.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class QuorumModelTest {
  private static final int STEPS = 40;
  private static final int REPLICAS = 5;

  private final Quorum quorum = new Quorum(0, 0);
  private Random random;

  private Replicas replicas;

  // The model.
  private final Map<Integer, Long> acknowledged = new TreeMap<>();
  private final Set<Long> waiting = new TreeSet<>();
  private final Set<Long> returned = new TreeSet<>();
  private int wanted;
  private boolean impatient;
  private boolean degraded;
  private long reached; // by as many as are wanted, since that number was set
  private long next;

  @AfterEach
  void end() {
    quorum.close();
  }

  /** Over connections, with the threads of the primary. */
  @Test
  void commitsReturnWhenTheModelSaysSo() {
    run(10, new Connections());
  }

  /** Without threads, which take most of the time. */
  @Test
  @Campaign
  void commitsReturnWhenTheModelSaysSoInThousandsOfSequences() throws IOException {
    run(3_000, new Numbered());
  }

  private void run(int sequences, Replicas how) {
    replicas = how;
    for (int i = 0; i < sequences; i++) {
      long seed = Seeds.seed() + i;
      random = new Random(seed);
      begin();
      List<String> steps = new ArrayList<>();
      for (int j = 0; j < STEPS; j++) {
        steps.add(step());
        compare(seed, steps);
      }
      failAll(seed);
    }
  }

  private void begin() {
    replicas.clear();
    acknowledged.clear();
    waiting.clear();
    returned.clear();
    next = random.nextInt(1_000);
    wanted = random.nextInt(1, 4);
    impatient = false;
    degraded = false;
    reached = -1;
    quorum.restart(wanted, next);
  }

  private String step() {
    int replica = random.nextInt(REPLICAS);
    return switch (random.nextInt(12)) {
      case 0, 1, 2 -> commit();
      case 3, 4, 5, 6, 7 ->
          acknowledged.containsKey(replica) ? acknowledge(replica) : connect(replica);
      case 8 -> connect(replica);
      case 9 -> acknowledged.containsKey(replica) ? leave(replica) : commit();
      case 10 -> random.nextBoolean() ? want() : commit();
      default ->
          random.nextInt(4) == 0 && acknowledged.containsKey(replica) ? lie(replica) : tick();
    };
  }

  private String commit() {
    long lsn = next + 1 + random.nextInt(3);
    next = lsn;
    quorum.origin.durable = lsn + random.nextInt(2);
    next = quorum.origin.durable;
    quorum.commit(lsn);
    (wanted == 0 || degraded || lsn <= reached ? returned : waiting).add(lsn);
    return "commit " + lsn;
  }

  private String connect(int replica) {
    replicas.connect(replica);
    acknowledged.put(replica, -1L);
    update();
    return "connect " + replica;
  }

  private String acknowledge(int replica) {
    long lsn =
        switch (random.nextInt(4)) {
          case 0 -> quorum.origin.durable;
          case 1 -> waiting.isEmpty() ? next : pick() + random.nextInt(-1, 2);
          case 2 -> Math.max(0, acknowledged.get(replica) - random.nextInt(3));
          default -> Math.max(0, quorum.origin.durable - random.nextInt(6));
        };
    lsn = Math.min(lsn, quorum.origin.durable);
    replicas.acknowledge(replica, lsn);
    acknowledged.merge(replica, lsn, Math::max);
    update();
    return replica + " acknowledges " + lsn;
  }

  private long pick() {
    List<Long> all = List.copyOf(waiting);
    return all.get(random.nextInt(all.size()));
  }

  private String leave(int replica) {
    replicas.leave(replica);
    acknowledged.remove(replica);
    update();
    return replica + " leaves";
  }

  private String lie(int replica) {
    replicas.lie(replica, quorum.origin.durable + 1);
    acknowledged.remove(replica);
    update();
    return replica + " lies";
  }

  private String want() {
    wanted = random.nextInt(4);
    impatient = random.nextBoolean();
    degraded = false;
    reached = -1;
    quorum.origin.durable = next + 1; // no later commit is one that an earlier number allowed
    next = quorum.origin.durable;
    quorum.copies().want(wanted, impatient ? Duration.ZERO : null);
    update();
    return "want " + wanted + (impatient ? " without patience" : "");
  }

  private String tick() {
    quorum.copies().tick();
    if (impatient && !waiting.isEmpty()) {
      degraded = true;
      update();
    }
    return "tick";
  }

  /** The rule. */
  private void update() {
    long now = quorumNow();
    reached = Math.max(reached, now);
    if (now >= quorum.origin.durable) {
      degraded = false;
    }
    waiting.removeIf(
        lsn -> {
          boolean ends = wanted == 0 || degraded || lsn <= reached;
          return ends && returned.add(lsn);
        });
  }

  /** The highest LSN that as many replicas have as are wanted. */
  private long quorumNow() {
    for (long lsn = quorum.origin.durable; lsn >= 0; lsn--) {
      long each = lsn;
      if (acknowledged.values().stream().filter(has -> has >= each).count() >= wanted) {
        return lsn;
      }
    }
    return -1;
  }

  private void compare(long seed, List<String> steps) {
    assertThat(quorum.returned())
        .as("seed %s, %s", seed, steps)
        .containsExactlyInAnyOrderElementsOf(returned);
    assertThat(quorum.copies().isDegraded()).as("seed %s, %s", seed, steps).isEqualTo(degraded);
    assertThat(quorum.copies().sessions())
        .as("seed %s, %s", seed, steps)
        .containsExactlyInAnyOrderElementsOf(replicas.sessions());
  }

  private void failAll(long seed) {
    quorum.copies().end(new ReplicationException("the end"));
    assertThat(quorum.failed()).as("seed %s", seed).hasSize(waiting.size());
    assertThat(quorum.returned()).hasSameElementsAs(returned);
  }

  /** Of the replicas, 1 and 2 have one name. */
  private static String name(int replica) {
    return "replica " + (replica + 1) / 2;
  }

  private static long id(int replica) {
    return replica + 1L;
  }

  /** How replicas reach the primary. */
  private interface Replicas {
    void clear();

    void connect(int replica);

    void acknowledge(int replica, long lsn);

    void leave(int replica);

    void lie(int replica, long lsn);

    Collection<Session> sessions();
  }

  /** Each replica sends messages. */
  private final class Connections implements Replicas {
    private final Map<Integer, ScriptedReplica> connected = new TreeMap<>();

    @Override
    public void clear() {
      connected.clear();
    }

    @Override
    public void connect(int replica) {
      ScriptedReplica old = connected.put(replica, quorum.join(name(replica), id(replica)));
      if (old != null) {
        old.untilEnded();
      }
    }

    @Override
    public void acknowledge(int replica, long lsn) {
      connected.get(replica).acknowledge(lsn);
    }

    @Override
    public void leave(int replica) {
      connected.remove(replica).close();
    }

    @Override
    public void lie(int replica, long lsn) {
      connected.remove(replica).acknowledgeInVain(ByteBuffer.allocate(8).putLong(lsn).array());
    }

    @Override
    public Collection<Session> sessions() {
      return connected.values().stream().map(ScriptedReplica::session).toList();
    }
  }

  /** Each replica is a session whose numbers are set, as its threads would do that. */
  private final class Numbered implements Replicas {
    private final Map<Integer, Session> connected = new TreeMap<>();
    private final Connection connection =
        new Connection(MemorySocket.connect("primary", "replica").primary(), 0, true);

    Numbered() throws IOException {}

    @Override
    public void clear() {
      connected.clear();
    }

    @Override
    public void connect(int replica) {
      Session session = quorum.session(connection);
      session.identify(Quorum.hello(name(replica), id(replica)));
      quorum.copies().add(session);
      quorum.copies().update();
      Session old = connected.put(replica, session);
      if (old != null) {
        quorum.copies().remove(old);
      }
    }

    @Override
    public void acknowledge(int replica, long lsn) {
      connected.get(replica).acknowledge(lsn);
    }

    @Override
    public void leave(int replica) {
      quorum.copies().remove(connected.remove(replica));
    }

    @Override
    public void lie(int replica, long lsn) {
      leave(replica);
    }

    @Override
    public Collection<Session> sessions() {
      return connected.values();
    }
  }
}
