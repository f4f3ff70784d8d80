package io.everheap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;

/**
 * Runs commands in this process, requires their exit codes, and keeps what the last one printed.
 */
abstract class CheckedCommandFixture {
  StringWriter out = new StringWriter();
  StringWriter err = new StringWriter();

  final void run(int code, String... arguments) {
    out = new StringWriter();
    err = new StringWriter();
    int found =
        Main.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(arguments);
    assertThat(found).as(err.toString() + out).isEqualTo(code);
  }
}
