package io.everheap.testkit;

import org.junit.jupiter.api.Test;

/** Single rules of the cache, on simulated media. */
class CacheRulesTest {
  @Test
  void whatRecoveryReadIsDurable() {
    CacheScenarios.whatRecoveryReadIsDurable();
  }

  @Test
  void aPutDuringARecoveryReplacesWhatIsNotKnown() {
    CacheScenarios.aPutDuringARecoveryReplacesWhatIsNotKnown();
  }

  @Test
  void theEndOfAnEntryThatACrashLeftTwiceIsThatOfBoth() {
    CacheScenarios.theEndOfAnEntryThatACrashLeftTwiceIsThatOfBoth();
  }

  @Test
  void aRemovalOutlivesARecoveryThatDidNotEnd() {
    CacheScenarios.aRemovalOutlivesARecoveryThatDidNotEnd();
  }

  @Test
  void whatAKilledProcessLeftIsDurableInStrictMode() {
    CacheScenarios.whatAKilledProcessLeftIsDurableInStrictMode();
  }

  @Test
  void anExpiredEntryStaysAwayIfTheClockGoesBack() {
    CacheScenarios.anExpiredEntryStaysAwayIfTheClockGoesBack();
  }

  @Test
  void aDamagedSegmentStaysEmpty() {
    CacheScenarios.aDamagedSegmentStaysEmpty();
  }

  @Test
  void damagedBlocksAreMisses() {
    CacheScenarios.damagedBlocksAreMisses();
  }

  @Test
  void whatIsPinnedStays() {
    CacheScenarios.whatIsPinnedStays();
  }

  @Test
  void aSoonerExpiryIsDurable() {
    CacheScenarios.aSoonerExpiryIsDurable();
  }

  @Test
  void nothingIsChangedAfterAFailedSync() {
    CacheScenarios.nothingIsChangedAfterAFailedSync();
  }

  @Test
  void aFullDiskIsASmallerCache() {
    CacheScenarios.aFullDiskIsASmallerCache();
  }

  @Test
  void allAreInvalidatedDurably() {
    CacheScenarios.allAreInvalidatedDurably();
  }
}
