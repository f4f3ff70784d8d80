package io.everheap.benchmarks.harness;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The parent's side of a {@link Worker}, which ends when the end of its parent closes its input.
 */
public final class WorkerProcess implements AutoCloseable {
  private static final double PATIENCE_SECONDS = 1800;
  private static final double NANOS = 1e9;
  private static final int END_SECONDS = 60;

  private final Process process;
  private final BufferedReader answers;
  private final BufferedWriter requests;
  private final Path log;
  private long deadline = Long.MAX_VALUE; // of System.nanoTime

  private WorkerProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
    this.answers = process.inputReader(StandardCharsets.UTF_8);
    this.requests = process.outputWriter(StandardCharsets.UTF_8);
  }

  /**
   * Starts a child JVM. Its first answer, which {@link #ready} takes, tells that it is prepared.
   *
   * @param logs the directory for its output
   * @param subject what it holds
   * @param parameters of the subject; neither names nor values have line breaks
   * @return the process
   * @throws IOException if it cannot be started
   */
  public static WorkerProcess start(
      Path logs, Class<? extends Subject> subject, Map<String, String> parameters)
      throws IOException {
    return start(logs, Launch.PLAIN, subject, parameters);
  }

  /**
   * The same with options of Java that the subject needs.
   *
   * @param logs the directory for its output
   * @param options of Java
   * @param subject what it holds
   * @param parameters of the subject
   * @return the process
   * @throws IOException if it cannot be started
   */
  public static WorkerProcess start(
      Path logs,
      List<String> options,
      Class<? extends Subject> subject,
      Map<String, String> parameters)
      throws IOException {
    return start(logs, new Launch("", List.of(), options, null), subject, parameters);
  }

  /**
   * Starts a child JVM with options of its own.
   *
   * @param logs the directory for its output
   * @param launch its options
   * @param subject what it holds
   * @param parameters of the subject; neither names nor values have line breaks
   * @return the process
   * @throws IOException if it cannot be started
   */
  public static WorkerProcess start(
      Path logs, Launch launch, Class<? extends Subject> subject, Map<String, String> parameters)
      throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.add(subject.getName());
    parameters.forEach((name, value) -> arguments.add(name + "=" + value));
    Path log =
        logs.resolve(
            launch.label().isEmpty()
                ? subject.getSimpleName() + ".log"
                : subject.getSimpleName() + "-" + launch.label() + ".log");
    Process process =
        new ProcessBuilder(Java.command(launch, Worker.class, arguments))
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    return new WorkerProcess(process, log);
  }

  /**
   * Limits the time of all requests together.
   *
   * @param seconds the time; infinite if only single requests are limited, to half an hour
   * @return this
   */
  public WorkerProcess within(double seconds) {
    if (Double.isFinite(seconds)) {
      deadline = System.nanoTime() + Math.round(seconds * NANOS);
    }
    return this;
  }

  private double patience() {
    return deadline == Long.MAX_VALUE
        ? PATIENCE_SECONDS
        : Math.min(PATIENCE_SECONDS, (deadline - System.nanoTime()) / NANOS);
  }

  /**
   * Waits until the subject is open.
   *
   * @return this
   * @throws IOException if it cannot be opened
   */
  public WorkerProcess ready() throws IOException {
    try {
      answer();
      return this;
    } catch (IOException | RuntimeException e) {
      kill();
      throw e;
    }
  }

  /**
   * Sends a request and waits for the answer.
   *
   * @param words the request, one word each
   * @return values by name
   * @throws IOException if that fails
   */
  public Map<String, Double> ask(Object... words) throws IOException {
    StringBuilder line = new StringBuilder();
    for (Object word : words) {
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    requests.write(line.append('\n').toString());
    requests.flush();
    return answer();
  }

  private Map<String, Double> answer() throws IOException {
    String line = nextLine();
    if (line == null) {
      throw new IOException("a child JVM ended early; it printed to " + log);
    }
    if (!line.startsWith("ok")) {
      throw new IOException(line.replaceFirst("^failed ", "") + " (more in " + log + ")");
    }
    Map<String, Double> values = new HashMap<>();
    for (String word : line.substring(2).trim().split(" ", -1)) {
      int split = word.indexOf('=');
      if (split > 0) {
        values.put(word.substring(0, split), Double.valueOf(word.substring(split + 1)));
      }
    }
    return values;
  }

  private @Nullable String nextLine() throws IOException {
    CompletableFuture<@Nullable String> line =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return answers.readLine();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    double patience = patience();
    try {
      return line.get(Math.round(patience * NANOS), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      kill();
      throw new IOException(
          String.format(
              Locale.ROOT, "it was not done after another %.0f s; it printed to %s", patience, log),
          e);
    } catch (ExecutionException e) {
      kill();
      throw new IOException("a child JVM does not answer; it printed to " + log, e);
    } catch (InterruptedException e) {
      kill();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** Ends it at once, as {@code kill -9} does, and waits until it is gone. */
  public void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  /** Lets it close its subject and end. */
  @Override
  public void close() throws IOException {
    try {
      requests.close();
    } catch (IOException e) {
      // It has ended already.
    }
    try {
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        kill();
      }
    } catch (InterruptedException e) {
      kill();
      Thread.currentThread().interrupt();
    }
    answers.close();
  }
}
