package io.everheap.cli.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A worker in a Java process of its own, with the same Java and class path. Its standard output
 * consists of frames of one length, which one thread hands to the consumer in order; {@link #kill}
 * returns after the last one.
 */
public final class WorkerProcess implements AutoCloseable {
  private static final int KEPT_LINES = 60;
  private static final int EXIT_BY_SIGINT = 128 + 2;
  private static final int EXIT_BY_SIGTERM = 128 + 15;

  private final Process process;
  private final Thread frames;
  private final Thread errors;
  private final Deque<String> errorLines = new ArrayDeque<>();
  private volatile @Nullable Throwable broken;

  private WorkerProcess(Process process, int frameBytes, Consumer<byte[]> consumer) {
    this.process = process;
    frames =
        Thread.ofPlatform()
            .daemon()
            .name("acknowledgements")
            .start(() -> listen(frameBytes, consumer));
    errors = Thread.ofPlatform().daemon().name("worker-errors").start(this::keepErrors);
  }

  static WorkerProcess start(BankWorker.Order order, Consumer<Frame> consumer) throws IOException {
    return start(
        BankWorker.class,
        List.of(),
        List.of(order.toArguments()),
        Frame.BYTES,
        bytes -> consumer.accept(Frame.decode(bytes)));
  }

  /**
   * Starts a worker.
   *
   * @param main its main class
   * @param options of its Java
   * @param arguments of its main method
   * @param frameBytes length of a frame, at most the 512 that one write to a pipe takes at once
   * @param consumer receives each frame, in an array that it must not keep
   * @throws IOException if the process cannot be started
   */
  public static WorkerProcess start(
      Class<?> main,
      List<String> options,
      List<String> arguments,
      int frameBytes,
      Consumer<byte[]> consumer)
      throws IOException {
    return start(List.of(), main, options, arguments, frameBytes, consumer);
  }

  /**
   * Starts a worker by another program, such as one that changes its network and then becomes Java.
   *
   * @param before the command of that program, to which that of Java is appended
   * @param main its main class
   * @param options of its Java
   * @param arguments of its main method
   * @param frameBytes length of a frame, at most the 512 that one write to a pipe takes at once
   * @param consumer receives each frame, in an array that it must not keep
   * @throws IOException if the process cannot be started
   */
  public static WorkerProcess start(
      List<String> before,
      Class<?> main,
      List<String> options,
      List<String> arguments,
      int frameBytes,
      Consumer<byte[]> consumer)
      throws IOException {
    List<String> command = new ArrayList<>(before);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // A killed Java would leave its performance data file behind.
    command.add("-XX:-UsePerfData");
    command.addAll(options);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(arguments);
    return new WorkerProcess(new ProcessBuilder(command).start(), frameBytes, consumer);
  }

  private void listen(int frameBytes, Consumer<byte[]> consumer) {
    byte[] bytes = new byte[frameBytes];
    try (var in = new DataInputStream(process.getInputStream())) {
      while (true) {
        int first = in.read();
        if (first < 0) {
          return;
        }
        bytes[0] = (byte) first;
        in.readFully(bytes, 1, frameBytes - 1);
        consumer.accept(bytes);
      }
    } catch (EOFException e) {
      broken = new IOException("the worker's last acknowledgement is cut off", e);
    } catch (IOException | RuntimeException e) {
      broken = e;
    }
  }

  private void keepErrors() {
    try (BufferedReader in = process.errorReader(UTF_8)) {
      in.lines().forEach(this::keep);
    } catch (IOException | UncheckedIOException e) {
      keep(e.toString());
    }
  }

  private void keep(String line) {
    synchronized (errorLines) {
      errorLines.add(line);
      if (errorLines.size() > KEPT_LINES) {
        errorLines.remove();
      }
    }
  }

  /** Whether the process runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  long pid() {
    return process.pid();
  }

  /**
   * Ends the process with SIGKILL, and waits until it has ended and everything that it wrote was
   * passed to the consumer.
   *
   * @throws IOException if its output cannot be parsed
   * @throws InterruptedException if this thread is interrupted
   */
  public void kill() throws IOException, InterruptedException {
    // Not by Process.destroyForcibly: that would close the pipe with everything that is still in
    // it.
    process.toHandle().destroyForcibly();
    join();
    Throwable cause = broken;
    if (cause != null) {
      throw new IOException("the acknowledgements of the worker cannot be used: " + cause, cause);
    }
  }

  /** Whether the process was ended from outside, as control-C does for both. */
  boolean wasAskedToEnd() throws InterruptedException {
    int code = process.waitFor();
    return code == EXIT_BY_SIGINT || code == EXIT_BY_SIGTERM;
  }

  /**
   * Waits for the end of a process that was not killed, and describes it.
   *
   * @return its exit code and the last lines of its error output
   * @throws InterruptedException if this thread is interrupted
   */
  public String describeEnd() throws InterruptedException {
    join();
    synchronized (errorLines) {
      return String.format(
          Locale.ROOT,
          "exit code %d%s",
          process.exitValue(),
          errorLines.isEmpty() ? "" : ", saying\n  " + String.join("\n  ", errorLines));
    }
  }

  private void join() throws InterruptedException {
    process.waitFor();
    frames.join();
    errors.join();
  }

  /** Ends the process if it still runs. */
  @Override
  public void close() {
    process.toHandle().destroyForcibly();
    try {
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
