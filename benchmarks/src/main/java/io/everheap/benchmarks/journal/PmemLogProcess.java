package io.everheap.benchmarks.journal;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The loop in C in a process of its own. */
final class PmemLogProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader answers;
  private final BufferedWriter requests;

  private PmemLogProcess(Process process) {
    this.process = process;
    this.answers = process.inputReader(StandardCharsets.UTF_8);
    this.requests = process.outputWriter(StandardCharsets.UTF_8);
  }

  /** Compiles and starts it with a log of a size. */
  static PmemLogProcess start(Path directory, long bytes) throws IOException {
    Path program = PmemLogBuild.program(directory);
    ProcessBuilder builder =
        new ProcessBuilder(
            program.toString(), directory.resolve("c.log").toString(), Long.toString(bytes));
    builder.environment().put("PMEM_IS_PMEM_FORCE", "1");
    PmemLogProcess started =
        new PmemLogProcess(builder.redirectError(ProcessBuilder.Redirect.DISCARD).start());
    started.answer();
    return started;
  }

  /** Appends so many records, {@code framed} or {@code plain}; returns the seconds it took. */
  double measure(String how, long count) throws IOException {
    requests.write(how + " " + count + "\n");
    requests.flush();
    String answer = answer();
    return Double.parseDouble(answer.substring(answer.indexOf('=') + 1));
  }

  private String answer() throws IOException {
    String line = answers.readLine();
    if (line == null || !line.startsWith("ok")) {
      throw new IOException("libpmemlog: " + (line == null ? "ended early" : line));
    }
    return line;
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
  }
}
