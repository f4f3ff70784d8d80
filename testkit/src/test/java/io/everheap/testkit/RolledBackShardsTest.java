package io.everheap.testkit;

import io.everheap.encryption.KeyProvider;
import io.everheap.support.tier.Campaign;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parts of a store are put back to an earlier moment; see {@link MixedStores}. */
@Campaign
class RolledBackShardsTest {
  private static final int EFFORT = Integer.getInteger("everheap.crash.effort", 1);

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void nothingOfAnotherSessionIsAccepted(boolean encrypted) {
    MixedStores stores = new MixedStores(encrypted ? KeyProvider.of(new byte[32]) : null);
    stores.stops(3);
    stores.putsBack(5);
    stores.mixes(300 * EFFORT, EFFORT);
    stores.unusedShard();
    stores.stopsInARow(40 * EFFORT, EFFORT);
  }
}
