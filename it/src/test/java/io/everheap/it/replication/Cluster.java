package io.everheap.it.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.cli.demo.WorkerProcess;
import io.everheap.support.Limit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A primary and a replica on the two sides of a network, each in a process of its own, which change
 * places.
 */
final class Cluster implements AutoCloseable {
  private static final List<String> FAST = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
  private static final int LOST_AT_LEAST = 20;
  private static final Duration LIMIT = Limit.of(Duration.ofMinutes(5));

  private final Network network;
  private final Registers.Place place;
  private final Path directory;
  private final int copies;
  private final Object seed;
  private final History history = new History();
  private int primarySide;
  private @Nullable Member primary;
  private @Nullable Member replica;
  private final List<Member> members = new ArrayList<>(); // those that were not killed
  private long started;

  /** A process, and what it told. */
  private final class Member {
    private final String role;
    private final int side;
    private final History.Node node = history.node();
    private final WorkerProcess process;
    private volatile int follows;
    private volatile int fenced;
    private volatile long serves = -1;

    private Member(String role, int side) throws IOException {
      this.role = role;
      this.side = side;
      members.add(this);
      List<String> arguments =
          List.of(
              role,
              place.name(),
              directory.resolve("registers" + side).toString(),
              directory.resolve("archives" + side).toString(),
              Integer.toString(copies),
              Network.address(side),
              Network.address(1 - side),
              promotion(side).toString(),
              Long.toString(++started));
      process =
          WorkerProcess.start(
              network.on(side),
              RegisterNode.class,
              FAST,
              arguments,
              Report.BYTES,
              bytes -> hear(Report.decode(bytes)));
    }

    private void hear(Report report) {
      switch (report.about()) {
        case Report.FOLLOWS -> follows = 1;
        case Report.FENCED -> fenced = 1;
        case Report.SERVES -> serves = report.sequence();
        case Report.CALLED -> node.called(report);
        default -> node.returned(report);
      }
    }

    private void await(String what, BooleanSupplier reached) throws InterruptedException {
      long end = System.nanoTime() + LIMIT.toNanos();
      while (!reached.getAsBoolean()) {
        if (!process.isAlive() || System.nanoTime() - end > 0) {
          throw new AssertionError("it was awaited that " + what + ", " + seed + "\n" + describe());
        }
        LockSupport.parkNanos(1_000_000);
      }
    }

    private void kill() throws IOException, InterruptedException {
      process.kill();
      members.remove(this);
      history.end(node);
    }
  }

  /** What the processes said, which are ended. */
  private String describe() throws InterruptedException {
    StringBuilder text = new StringBuilder();
    for (Member member : members) {
      boolean alive = member.process.isAlive();
      member.process.close();
      text.append(
              String.format(
                  Locale.ROOT,
                  "%s on side %d, %s: ",
                  member.role,
                  member.side,
                  alive ? "alive" : "ended"))
          .append(member.process.describeEnd())
          .append('\n');
    }
    return text.toString();
  }

  /** Starts both; the seed is for messages. */
  Cluster(Network network, Registers.Place place, Path directory, int copies, Object seed)
      throws Exception {
    this.network = network;
    this.place = place;
    this.directory = directory;
    this.copies = copies;
    this.seed = seed;
    servePrimary();
    followPrimary();
  }

  private Path promotion(int side) {
    return directory.resolve("promotion" + side);
  }

  private static Member require(@Nullable Member member) {
    if (member == null) {
      throw new IllegalStateException("not started");
    }
    return member;
  }

  private void servePrimary() throws Exception {
    Member started = new Member("primary", primarySide);
    primary = started;
    started.await("a primary serves", () -> started.serves >= 0);
    goOn(started, true);
  }

  private void followPrimary() throws Exception {
    Member started = new Member("replica", 1 - primarySide);
    replica = started;
    started.await("a replica follows", () -> started.follows > 0);
  }

  private void goOn(Member heir, boolean hasAll) {
    int lost = history.goOn(heir.node, heir.serves);
    assertThat(hasAll ? lost : 0).as("acknowledged operations that are lost, %s", seed).isZero();
  }

  /** Waits for operations that begin and end from now on. */
  void awaitOperations(int number) throws InterruptedException {
    Member serving = require(primary);
    long until = serving.node.returned() + number;
    serving.await("clients go on", () -> serving.node.returned() >= until);
  }

  void killReplica() throws Exception {
    require(replica).kill();
    followPrimary();
  }

  /** Both come back as what they were. */
  void killBoth() throws Exception {
    require(primary).kill();
    require(replica).kill();
    servePrimary();
    followPrimary();
  }

  /** The primary is killed, and the replica takes over. */
  void killPrimary(boolean mistake) throws Exception {
    Member former = require(primary);
    former.kill();
    promote();
    // Who waits for nobody fills the log faster than a bad wire takes a copy; and who is started by
    // mistake, and does not hear the other one over a bad wire, is not refused.
    if (copies == 0 || mistake) {
      network.mend();
    }
    rejoin(former, mistake);
  }

  /**
   * The network is cut and the replica takes over, while the former primary is alive; it is killed
   * when the network is back.
   */
  void split(Damage damage, boolean mistake) throws Exception {
    Member former = require(primary);
    damage.begin(network);
    promote();
    if (copies == 0) { // it goes on, and all of that is lost: so this test does notice
      long until = former.node.returned() + LOST_AT_LEAST;
      former.await("a former primary goes on", () -> former.node.returned() >= until);
      assertThat(history.lost()).as("what nobody else has, %s", seed).isPositive();
    }
    network.mend();
    former.kill();
    rejoin(former, mistake);
    assertThat(copies > 0 ? history.lost() : 0)
        .as("operations that two primaries acknowledged, %s", seed)
        .isZero();
  }

  /** A way to separate the sides. */
  interface Damage {
    void begin(Network network) throws IOException;
  }

  private void promote() throws Exception {
    Member heir = require(replica);
    Files.createFile(promotion(heir.side));
    heir.await("a replica takes over", () -> heir.serves >= 0);
    goOn(heir, copies > 0);
    primarySide = heir.side;
    primary = heir;
  }

  /** The former primary becomes the replica, maybe after it was started as a primary again. */
  private void rejoin(Member former, boolean mistake) throws Exception {
    if (mistake) {
      Member again = new Member("mistake", former.side);
      try {
        again.await("the former primary is refused", () -> again.fenced > 0);
        assertThat(again.serves).as("it serves, %s", seed).isNegative();
      } finally {
        again.kill();
      }
    }
    followPrimary();
  }

  /** The history is explained, and what was acknowledged is there if it was copied. */
  String check() throws Exception {
    require(primary).kill();
    require(replica).kill();
    assertThat(history.violation()).as("an operation that nothing explains, %s", seed).isEmpty();
    int lost = history.lost();
    assertThat(copies > 0 ? lost : 0).as("operations that are lost, %s", seed).isZero();
    return String.format(
        Locale.ROOT, "%,d operations, %,d acknowledged ones lost", history.size(), lost);
  }

  @Override
  public void close() {
    members.forEach(member -> member.process.close());
  }
}
