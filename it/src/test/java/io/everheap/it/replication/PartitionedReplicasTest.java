package io.everheap.it.replication;

import static org.junit.jupiter.api.Assumptions.abort;

import io.everheap.support.Seeds;
import io.everheap.support.tier.Processes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A primary and its replica in two network namespaces: the network is cut in both directions or in
 * one, delays and loses packets; the processes are killed; the replica takes over while the former
 * primary is dead, or alive and out of reach. Clients read, write, and compare and set registers in
 * a heap or a journal all the time, and what all of them saw must be linearizable: with a copy all
 * of it, without one what is left when the operations behind the last one that the new primary has
 * are dropped.
 *
 * <p>{@code -Deverheap.crash.rounds=N} sets how many blows, {@code -Deverheap.crash.seed=N} repeats
 * the choices of a run. Needs root, for the namespaces.
 */
@Processes
class PartitionedReplicasTest {
  private static final int ROUNDS = Integer.getInteger("everheap.crash.rounds", 6);
  private static final long SEED = Seeds.seed();
  private static final int BLOWS = 6;

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({"HEAP, 1", "HEAP, 0", "JOURNAL, 1", "JOURNAL, 0"})
  void whatClientsSawIsLinearizable(Registers.Place place, int copies) throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    List<String> blows = new ArrayList<>(List.of("seed " + SEED));
    try (Network network = network();
        Cluster cluster = new Cluster(network, place, directory, copies, blows)) {
      int first = random.nextInt(BLOWS); // each kind comes as often as the others
      for (int round = 0; round < ROUNDS; round++) {
        cluster.awaitOperations(random.nextInt(10, 200));
        blows.add(strike((first + round) % BLOWS, cluster, network, random));
      }
      cluster.awaitOperations(50);
      String result = cluster.check();
      String limitation = network.limitation();
      System.out.printf(
          Locale.ROOT,
          "%s, %d copies: %s; %d blows%s, seed %d%n",
          place,
          copies,
          result,
          ROUNDS,
          limitation == null ? "" : " " + limitation,
          SEED);
    }
  }

  private static Network network() {
    try {
      return Network.create();
    } catch (IOException e) {
      System.err.println("!!! NOT RUN: replicas in network namespaces: " + e.getMessage());
      return abort("this machine has no network namespaces for us: " + e.getMessage());
    }
  }

  private static String strike(int blow, Cluster cluster, Network network, SplittableRandom random)
      throws Exception {
    boolean mistake = random.nextBoolean();
    return switch (blow) {
      case 0 -> {
        String what = network.disturb(random);
        cluster.awaitOperations(random.nextInt(5, 50));
        if (random.nextBoolean()) {
          cluster.killPrimary(mistake);
          what += ", and a failover";
        }
        network.mend();
        yield what;
      }
      case 1 -> {
        separate(random).begin(network);
        LockSupport.parkNanos(1_000_000L * random.nextInt(10, 1500)); // how long is random as well
        network.mend();
        yield "a cut";
      }
      case 2 -> {
        cluster.killReplica();
        yield "a killed replica";
      }
      case 3 -> {
        cluster.killBoth();
        yield "both killed";
      }
      case 4 -> {
        cluster.killPrimary(mistake);
        yield "a failover" + after(mistake);
      }
      default -> {
        cluster.split(separate(random), mistake);
        yield "a failover beside a primary that lives" + after(mistake);
      }
    };
  }

  private static String after(boolean mistake) {
    return mistake ? ", after which the former primary is started as one" : "";
  }

  private static Cluster.Damage separate(SplittableRandom random) {
    int direction = random.nextInt(3);
    return network -> {
      if (direction == 2) {
        network.cut();
      } else {
        network.silence(direction);
      }
    };
  }
}
