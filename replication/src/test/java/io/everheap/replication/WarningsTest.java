package io.everheap.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What is logged of other machines. */
class WarningsTest {
  @Test
  void messagesAreFewAndHaveNoStacksOfConnections() {
    try (Log log = new Log(WarningsTest.class)) {
      Warnings warnings = new Warnings(WarningsTest.class);
      for (int i = 0; i < 10_000; i++) {
        warnings.warn("a connection was refused: " + i, new IOException("it said nothing"));
      }
      assertThat(log.lines).hasSize(Warnings.MAX);
      assertThat(log.lines.getFirst()).isEqualTo("a connection was refused: 0: it said nothing");
      assertThat(log.stacks).isEmpty();
    }
  }

  @Test
  void messagesOfOthersHaveNoControlCharactersAndAnEnd() {
    try (Log log = new Log(WarningsTest.class)) {
      Warnings warnings = new Warnings(WarningsTest.class);
      warnings.warn("of \u001b[31m", new IOException("a\r\nfaked line {0}" + "x".repeat(100_000)));
      assertThat(log.lines).singleElement().asString().startsWith("of ?[31m: a??faked line {0}xx");
      assertThat(log.lines.getFirst()).hasSizeLessThan(2_100);
    }
  }

  @Test
  void aFailureOfThisLibraryHasItsStack() {
    try (Log log = new Log(WarningsTest.class)) {
      Warnings warnings = new Warnings(WarningsTest.class);
      warnings.warn("a tick failed", new IllegalStateException("of the test"));
      assertThat(log.stacks).hasSize(1);
    }
  }
}
