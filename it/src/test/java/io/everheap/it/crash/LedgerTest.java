package io.everheap.it.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The check after a crash must notice what it is there for. */
class LedgerTest {
  private static final int COMMITS = 200;

  @TempDir private Path directory;

  private Ledger ledger;

  @BeforeEach
  void someCommits() {
    ledger =
        Ledger.open(
            new Order(
                Order.Kind.HEAP, 0, "file", 1_000, false, 1, 42, 0, directory.resolve("heap")));
    for (int n = 1; n <= COMMITS; n++) {
      assertThat(ledger.commit()).isEqualTo(n);
    }
  }

  @AfterEach
  void close() {
    ledger.close();
  }

  @Test
  void whatWasCommittedPasses() {
    ledger.abort();

    assertThat(ledger.check()).isEqualTo(COMMITS);
  }

  @Test
  void aCommitWithoutItsValuesIsNoticed() {
    ledger.heap().map("counts", Long.class, Long.class).put(0L, COMMITS + 1L);

    assertThatThrownBy(ledger::check).isInstanceOf(AssertionError.class);
  }

  @Test
  void aLostValueIsNoticed() {
    var rows = ledger.heap().map("rows", Long.class, byte[].class);
    rows.remove(rows.keySet().iterator().next());

    assertThatThrownBy(ledger::check)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("ROWS has");
  }

  @Test
  void aTornValueIsNoticed() {
    var blobs = ledger.heap().map("blobs", Long.class, byte[].class);
    long key = blobs.keySet().iterator().next();
    byte[] value = blobs.get(key);
    value[value.length - 1]++;
    blobs.put(key, value);

    assertThatThrownBy(ledger::check)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("BLOBS " + key + " is not as commit");
  }
}
