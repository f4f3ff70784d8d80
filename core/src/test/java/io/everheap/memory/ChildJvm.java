package io.everheap.memory;

import io.everheap.support.Limit;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Another JVM with this one's class path, which answers line by line. */
public final class ChildJvm implements AutoCloseable {
  private final Process process;
  private final BufferedReader out;
  private final PrintStream in;

  /** Starts the main method of a class. */
  public ChildJvm(List<String> options, Class<?> main, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Limit.guard(process, Duration.ofMinutes(10));
    out = process.inputReader(StandardCharsets.UTF_8);
    in = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
  }

  public long pid() {
    return process.pid();
  }

  /** Waits for the next line of output; {@code null} at its end. */
  public String line() throws IOException {
    return out.readLine();
  }

  public void send(String line) {
    in.println(line);
  }

  /** Ends the process at once, as {@code kill -9} does. */
  public void kill() {
    process.destroyForcibly();
    Limit.until("the child has ended", () -> !process.isAlive());
  }

  @Override
  public void close() {
    kill();
  }
}
