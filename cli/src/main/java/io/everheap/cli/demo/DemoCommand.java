package io.everheap.cli.demo;

import io.everheap.error.EverheapException;
import io.everheap.memory.NewFiles;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code everheap demo}: shows that a killed process loses nothing. */
@Command(
    name = "demo",
    description = {
      "Kills a process that moves money in a heap, again and again, and checks the heap. Each time"
          + " the heap must hold every acknowledged transfer and every cent.",
      "Takes less than a minute with the defaults."
    },
    sortOptions = false)
public final class DemoCommand implements Callable<Integer> {
  private static final int MAX_SECONDS = 86_400;
  private static final int MAX_KILLS = 1_000;

  @Spec private CommandSpec spec;

  @Option(
      names = "--scale",
      paramLabel = "N",
      defaultValue = "1",
      description = "Branches of the bank, 100,000 accounts each (default: ${DEFAULT-VALUE}).")
  private int scale;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "40",
      description =
          "The duration of the demo, with loading and checks (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "4",
      description = "Threads that make transfers (default: ${DEFAULT-VALUE}).")
  private int threads;

  @Option(
      names = "--durability",
      paramLabel = "HOW",
      defaultValue = "sync",
      converter = DurabilityConverter.class,
      description =
          "sync: a commit waits for the disk. async[:10ms]: it does not, and a power cut may lose"
              + " that much (default: ${DEFAULT-VALUE}).")
  private DurabilityOption durability;

  @Option(
      names = "--kills",
      paramLabel = "N",
      defaultValue = "5",
      description = "How many times the process is killed (default: ${DEFAULT-VALUE}).")
  private int kills;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description =
          "Where to make the heap: an empty or new directory, which is kept (default: a temporary"
              + " one).")
  private @Nullable Path directory;

  @Option(names = "--keep", description = "Keep the temporary directory.")
  private boolean keep;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Repeat the random choices of another demo (default: random).")
  private @Nullable Long seed;

  @Option(names = "--json", description = "Print only the result, as JSON.")
  private boolean json;

  @Option(
      names = "--tamper",
      hidden = true,
      description = "Remove an acknowledged transfer before the last check, which then must fail.")
  private boolean tamper;

  private final AtomicBoolean running = new AtomicBoolean();
  private volatile boolean interrupted;

  @Override
  public Integer call() throws IOException, InterruptedException {
    checkRange("--scale", scale, Layout.MAX_SCALE);
    checkRange("--seconds", seconds, MAX_SECONDS);
    checkRange("--threads", threads, TransferId.MAX_THREADS);
    checkRange("--kills", kills, MAX_KILLS);
    boolean temporary = directory == null;
    Path heap =
        directory == null
            ? NewFiles.createTempDirectory(NewFiles.temporary(), "everheap-demo-")
            : directory;
    if (!temporary) {
      makeEmpty(heap);
    }
    DemoPlan plan =
        new DemoPlan(
            heap.toAbsolutePath().normalize(),
            new Layout(scale),
            Duration.ofSeconds(seconds),
            threads,
            durability,
            kills,
            seed == null ? new SplittableRandom().nextInt(1_000_000) : seed,
            tamper);
    running.set(temporary && !keep);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> abandon(heap), "demo-cleaner"));
    boolean passed;
    try {
      passed = run(plan, temporary && !keep);
    } catch (InterruptedException e) {
      spec.commandLine().getErr().println("everheap: interrupted");
      return ExitCode.SOFTWARE;
    } catch (RuntimeException e) {
      running.set(false);
      throw e;
    }
    running.set(false);
    if (passed && temporary && !keep) {
      deleteQuietly(heap);
    }
    return passed ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private boolean run(DemoPlan plan, boolean temporary) throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out = new PrintWriter(spec.commandLine().getErr()); // where what fails is told
    }
    var progress = new Progress(out, !json && onTerminal());
    var summary = new Summary(out);
    if (!json) {
      summary.opening(plan, Files.getFileStore(plan.directory()).type());
    }
    try {
      DemoResult result = new Demo(plan, progress).run();
      if (json) {
        DemoJson.write(spec.commandLine().getOut(), plan, result);
      } else {
        summary.closing(plan, result, !temporary || !result.passed());
      }
      return result.passed();
    } catch (IOException e) {
      progress.clear();
      if (interrupted) {
        throw new InterruptedException();
      }
      summary.failure(String.valueOf(e.getMessage()), plan);
    } catch (EverheapException e) {
      progress.clear();
      summary.failure("the heap failed: " + e.getMessage(), plan);
    } catch (RuntimeException e) {
      progress.clear();
      summary.failure("an unexpected error", plan);
      throw e;
    }
    return false;
  }

  private void checkRange(String option, int value, int most) {
    if (value < 1 || value > most) {
      throw wrong(String.format(Locale.ROOT, "%s must be 1 to %d, not %d", option, most, value));
    }
  }

  private void makeEmpty(Path heap) throws IOException {
    if (Files.exists(heap) && !Files.isDirectory(heap)) {
      throw wrong("--dir " + heap + " is not a directory");
    }
    NewFiles.createDirectories(heap);
    try (Stream<Path> files = Files.list(heap)) {
      if (!files.allMatch(file -> file.endsWith("lost+found"))) {
        throw wrong("--dir " + heap + " is not empty; the demo makes a new heap");
      }
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private static boolean onTerminal() {
    // JDK 22 to 24 return a console without a terminal, others return none.
    return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent()
        && !"dumb".equals(System.getenv("TERM"));
  }

  /** A demo that was interrupted (control-C) leaves nothing behind; one that failed is kept. */
  private void abandon(Path heap) {
    if (running.get()) {
      interrupted = true;
      ProcessHandle.current().children().forEach(ProcessHandle::destroyForcibly);
      deleteQuietly(heap);
    }
  }

  private static void deleteQuietly(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      System.err.println("everheap: could not delete " + directory + ": " + e.getMessage());
    }
  }
}
