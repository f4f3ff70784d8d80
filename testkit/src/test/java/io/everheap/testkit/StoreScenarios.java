package io.everheap.testkit;

import java.util.List;

/** What the tests of the tests run against deliberate mistakes in the store. */
public final class StoreScenarios {
  private static final int SEEDS = 2 * Integer.getInteger("everheap.crash.effort", 1);

  private StoreScenarios() {}

  public static void file() {
    explore(true);
  }

  public static void async() {
    explore(false);
  }

  public static void removed() {
    ReshardedStores.removedKeysDoNotComeBack();
  }

  public static void moving() {
    ReshardedStores.aRemovedKeyDoesNotComeBackBehindALaterWrite();
  }

  /** Parts of other sessions. */
  public static void sessions() {
    MixedStores stores = new MixedStores(null);
    stores.stops(2);
    stores.putsBack(7);
    stores.mixes(200, 1);
  }

  public static void backups() {
    List<Explorer.Effort> efforts = List.of(new Explorer.Effort(3, 16, 3));
    for (int seed = 1; seed <= SEEDS; seed++) {
      new Explorer(seed, efforts, new CrashReport())
          .explore(new StoreBackupProcess(true, seed, 8), SimulatedMedium.file(seed));
    }
  }

  private static void explore(boolean sync) {
    List<Explorer.Effort> efforts =
        List.of(new Explorer.Effort(4, 40, 3), new Explorer.Effort(1, 1, 1));
    for (int seed = 1; seed <= SEEDS; seed++) {
      new Explorer(seed, efforts, new CrashReport())
          .explore(new StoreProcess(sync, seed, 8), SimulatedMedium.file(seed));
    }
  }
}
