package io.everheap.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class TextTest {
  @Test
  void sizesAreShownInTheLargestFittingUnit() {
    assertThat(Text.bytes(0)).isEqualTo("0 B");
    assertThat(Text.bytes(1_023)).isEqualTo("1023 B");
    assertThat(Text.bytes(1_024)).isEqualTo("1.0 KiB");
    assertThat(Text.bytes(1_536)).isEqualTo("1.5 KiB");
    assertThat(Text.bytes((1 << 20) - 1)).isEqualTo("1.0 MiB");
    assertThat(Text.bytes(1L << 40)).isEqualTo("1.0 TiB");
    assertThat(Text.bytes(Long.MAX_VALUE)).isEqualTo("8.0 EiB");
  }

  @Test
  void countsAreGroupedAndTimesReadable() {
    assertThat(Text.count(1_234_567)).isEqualTo("1,234,567");
    assertThat(Text.nanos(999_999_999)).isEqualTo("999 ms");
    assertThat(Text.nanos(1_500_000_000)).isEqualTo("1.5 s");
  }

  @Test
  void tablesAlignTheirColumns() {
    var out = new StringWriter();
    var table = new Table("Name", "Size").right(1);
    table.row("a", "1,000");
    table.row("longer", "2");
    table.print(new PrintWriter(out, true));

    assertThat(out.toString().lines())
        .containsExactly("Name     Size", "a       1,000", "longer      2");
  }

  @Test
  void aRowMustFitTheTable() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Table("one").row("a", "b"));
  }
}
