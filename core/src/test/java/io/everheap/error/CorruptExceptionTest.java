package io.everheap.error;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.everheap.error.CorruptException.Kind;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a program learns from the exception about damage. */
class CorruptExceptionTest {
  @Test
  void eachKindHasItsCode() {
    assertThat(
            Stream.of(
                CorruptException.heap("h/heap", 4096, "page 1 is damaged"),
                CorruptException.log("h/log/0", 7, "a record is missing"),
                CorruptException.journal("j/0", 8, "a record is missing"),
                CorruptException.truncated("h/heap", 10, 8192)))
        .extracting(CorruptException::kind, EverheapException::code)
        .containsExactly(
            tuple(Kind.HEAP, "EH-CORRUPT"),
            tuple(Kind.LOG, "EH-CORRUPT-LOG"),
            tuple(Kind.JOURNAL, "EH-CORRUPT-JOURNAL"),
            tuple(Kind.TRUNCATED, "EH-TRUNCATED"));
  }

  @Test
  void namesThePathAndTheOffset() {
    CorruptException e = CorruptException.log("h/log/0", 7, "a record is missing");
    assertThat(e.path()).hasValue("h/log/0");
    assertThat(e.offset()).hasValue(7);
    assertThat(e).hasMessageContaining("h/log/0 is damaged at byte 7: a record is missing");
  }

  @Test
  void namesTheEndOfAFileThatIsTooShort() {
    assertThat(CorruptException.truncated("h/heap", 10, 8192).offset()).hasValue(10);
  }

  @Test
  void hasNoPlaceWithoutAFile() {
    CorruptException e = CorruptException.heap("a structure leads nowhere");
    assertThat(e.path()).isEmpty();
    assertThat(e.offset()).isEmpty();
  }
}
