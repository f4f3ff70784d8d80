package io.everheap.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/** Runs commands in this process, and keeps what the last one printed. */
abstract class CommandFixture {
  final StringWriter out = new StringWriter();

  /** Runs a command; returns its exit code. */
  final int run(String... arguments) {
    out.getBuffer().setLength(0);
    PrintWriter writer = new PrintWriter(out, true);
    return Main.commandLine().setOut(writer).setErr(writer).execute(arguments);
  }
}
