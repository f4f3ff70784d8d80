package io.everheap.testkit.error;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.tier.Campaign;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Campaign
class LockWaitsTest {
  @ParameterizedTest
  @ValueSource(strings = {"briefLock", "writerLock"})
  void anErrorAnywhereInAWaitForALockLeavesItFree(String lock) throws ReflectiveOperationException {
    Object wrong =
        new InstrumentingLoader().loadClass(LockWaits.class.getName()).getMethod(lock).invoke(null);
    assertThat((List<?>) wrong).isEmpty();
  }
}
