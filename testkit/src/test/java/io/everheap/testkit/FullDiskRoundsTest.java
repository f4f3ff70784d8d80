package io.everheap.testkit;

import io.everheap.support.tier.Campaign;
import org.junit.jupiter.api.Test;

/** An encrypted heap on a disk that becomes full while checkpoints have many rounds. */
@Campaign
class FullDiskRoundsTest {
  @Test
  void checkpointsOfManyRoundsNeedNoSpace() {
    FullDiskScenarios.checkpointsOfManyRounds();
  }

  @Test
  void aDiskThatIsFullAtAnyPointLosesNothing() {
    FullDiskScenarios.atAnyPoint();
  }
}
