package io.everheap.cli.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Names that contain control characters send no commands to the terminal. */
class PlainOutputTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PlainOutput out = new PlainOutput(new PrintStream(bytes, true, UTF_8));

  private String printed() {
    out.flush();
    String text = bytes.toString(UTF_8);
    bytes.reset();
    return text;
  }

  @Test
  void controlCharactersAreShown() {
    out.println("root \033]0;title\007 and \u009b31m\r");
    assertThat(printed())
        .isEqualTo("root \\u001b]0;title\\u0007 and \\u009b31m\\u000d" + System.lineSeparator());
    out.print('\b');
    out.printf(Locale.ROOT, "%s", "a\u202eb\u2066c");
    out.write("x\u007fy".toCharArray(), 0, 3);
    out.write("-\0-", 1, 1);
    assertThat(printed()).isEqualTo("\\u0008a\\u202eb\\u2066cx\\u007fy\\u0000");
  }

  @Test
  void textAndLineEndsPass() {
    out.print("a\tb\r\nst\u00fcck \ud83d\ude00 \u0633");
    assertThat(printed()).isEqualTo("a\tb\r\nst\u00fcck \ud83d\ude00 \u0633");
  }

  @Test
  void aCommandControlsTheTerminalItself() {
    out.print("1");
    PlainOutput.control(out, "\033[H");
    out.print("2");
    assertThat(printed()).isEqualTo("1\033[H2");
  }
}
