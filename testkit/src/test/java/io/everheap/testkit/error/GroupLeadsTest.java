package io.everheap.testkit.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GroupLeadsTest {
  @ParameterizedTest
  @ValueSource(strings = {"await", "close"})
  void anErrorAnywhereInALeadLosesNoAction(String lead) throws ReflectiveOperationException {
    Object wrong =
        new InstrumentingLoader()
            .loadClass(GroupLeads.class.getName())
            .getMethod(lead)
            .invoke(null);
    assertThat((List<?>) wrong).isEmpty();
  }
}
