package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.EncryptionException;
import io.everheap.support.tier.Campaign;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Crashes an encrypted cache, as {@link CacheCrashTest} does one that is not encrypted. */
@Campaign
class EncryptedCacheCrashTest {
  private static final int EFFORT = Integer.getInteger("everheap.crash.effort", 1);
  private static final int FIRST = Integer.getInteger("everheap.crash.seed", 1);

  @Test
  void aCrashAtAnyMomentOfTheFirstStartIsSurvived() {
    explore(
        CacheProcess.Mode.ENCRYPTED,
        3,
        List.of(new Explorer.Effort(20, 40, 3), new Explorer.Effort(1, 2, 2)));
  }

  @Test
  void onAnOrdinaryFile() {
    explore(CacheProcess.Mode.ENCRYPTED, 60, efforts());
  }

  @Test
  void onAnOrdinaryFileInStrictMode() {
    explore(CacheProcess.Mode.ENCRYPTED_STRICT, 60, efforts());
  }

  @Test
  void inTwoDirectories() {
    explore(CacheProcess.Mode.ENCRYPTED_TWO, 60, efforts());
  }

  private static List<Explorer.Effort> efforts() {
    return List.of(new Explorer.Effort(5, 50, 4), new Explorer.Effort(1, 3, 2));
  }

  private static void explore(CacheProcess.Mode mode, int work, List<Explorer.Effort> efforts) {
    var report = new CrashReport();
    for (int seed = FIRST; seed < FIRST + EFFORT; seed++) {
      int s = seed;
      new Explorer(seed, efforts, report)
          .explore(() -> new CacheProcess(mode, false, s, work), () -> SimulatedMedium.file(s));
    }
    CrashFigures.add(
        "encrypted cache, " + mode.name().toLowerCase(Locale.ROOT) + ", " + work, report);
    assertThat(report.states()).isPositive();
  }

  @Test
  void aClosedCacheIsWhole() {
    EncryptedCacheScenarios.closed();
  }

  @Test
  void nothingIsInItsFileAsItIs() {
    EncryptedCacheScenarios.plaintext();
  }

  @Test
  void byteAddressableStorageIsRefused() {
    assertThatThrownBy(() -> EncryptedCacheScenarios.open(SimulatedMedium.dax(1)))
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("byte-addressable");
  }
}
