package io.everheap.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OwnerTest {
  /** Processes of other releases compare this text with theirs. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-11-25T19:07:21.120Z",
        "2026-11-25T19:07:21Z",
        "2026-11-25T19:07:00Z",
        "2026-11-25T19:07:00.010Z",
        "2026-11-25T00:00:00Z",
        "1970-01-01T00:00:00Z",
        "2026-11-25T19:07:21.000001Z",
        "2026-11-25T19:07:21.120000001Z"
      })
  void theStartOfAProcessIsWrittenAsAnInstantIs(String text) {
    Instant instant = Instant.parse(text);

    assertThat(Owner.text(instant)).isEqualTo(instant.toString()).isEqualTo(text);
  }
}
