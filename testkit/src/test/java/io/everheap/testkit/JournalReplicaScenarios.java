package io.everheap.testkit;

import io.everheap.encryption.KeyProvider;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the tests of the tests run against deliberate mistakes in replicas of journals. */
public final class JournalReplicaScenarios {
  private JournalReplicaScenarios() {}

  /** Follows on a file, crashed now and then. */
  public static void follow() {
    List<Explorer.Effort> efforts =
        List.of(new Explorer.Effort(12, 60, 5), new Explorer.Effort(1, 2, 1));
    for (int seed = 1; seed <= 4; seed++) {
      follow(false, false, seed, efforts, new CrashReport());
    }
  }

  /** Takes over, crashed at almost every moment. */
  public static void takeOver() {
    List<Explorer.Effort> efforts =
        List.of(new Explorer.Effort(30, 120, 5), new Explorer.Effort(2, 4, 2));
    for (int seed = 1; seed <= 6; seed++) {
      follow(seed % 3 == 0, false, seed, efforts, new CrashReport());
    }
  }

  static void follow(
      boolean primaryDax,
      boolean replicaDax,
      int seed,
      List<Explorer.Effort> efforts,
      CrashReport report) {
    follow(primaryDax, replicaDax, null, seed, efforts, report);
  }

  /** With the key of an encrypted replica and its encrypted primary, or null. */
  static void follow(
      boolean primaryDax,
      boolean replicaDax,
      @Nullable KeyProvider key,
      int seed,
      List<Explorer.Effort> efforts,
      CrashReport report) {
    SimulatedMedium primary =
        primaryDax ? SimulatedMedium.dax(seed + 50) : SimulatedMedium.file(seed + 50);
    SimulatedMedium replica = replicaDax ? SimulatedMedium.dax(seed) : SimulatedMedium.file(seed);
    new Explorer(seed, efforts, report)
        .explore(
            new JournalReplicaProcess(
                seed, 40, new JournalReplicaProcess.Primary(primary, seed % 2 == 0, key), key),
            replica);
  }
}
