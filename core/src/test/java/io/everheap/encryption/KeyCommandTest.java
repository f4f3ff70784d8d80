package io.everheap.encryption;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.EncryptionException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyCommandTest {
  /**
   * A shell that is ended leaves its child, which would keep the output open; one whose child is
   * ended first goes on, and may end well.
   */
  @Test
  void aCommandThatHangsIsEndedWithWhatItStarted() {
    List<String> hangs = List.of("sh", "-c", "sleep 1000; echo");
    assertThatThrownBy(() -> KeySources.command(hangs, Duration.ofMillis(200)))
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("The key command sh did not end within 200 ms, and was killed.");
  }
}
