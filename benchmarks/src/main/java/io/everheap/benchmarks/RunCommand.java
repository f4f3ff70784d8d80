package io.everheap.benchmarks;

import io.everheap.benchmarks.harness.Directories;
import io.everheap.benchmarks.harness.Experiment;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.harness.Progress;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.harness.Settings;
import io.everheap.benchmarks.report.Chart;
import io.everheap.benchmarks.result.Measurement;
import io.everheap.benchmarks.result.ResultFiles;
import io.everheap.benchmarks.result.Samples;
import io.everheap.benchmarks.result.Table;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs one experiment, prints its table and writes its files. */
@Command(mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {
  private static final String ALL = "all";
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");
  private static final double SECONDS_PER_MINUTE = 60;

  private final Experiment experiment;

  @Spec private CommandSpec spec;

  @Option(names = "--quick", description = "Short rounds and less data: within two minutes.")
  private boolean quick;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "How many interleaved rounds each case has (${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      description =
          "How long each part of the experiment may take; what does not fit is left out, and named."
              + " scaling: 20 unless given, the others: any time.")
  private @Nullable Integer minutes;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where the results go; target/bench/NAME unless given.")
  private @Nullable Path out;

  @Option(
      names = "--peers",
      split = ",",
      paramLabel = "PEER",
      arity = "0..1",
      fallbackValue = ALL,
      description = "Which other libraries to measure, or none; all unless given.")
  private @Nullable Set<String> peers;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "A directory on the disk to measure; the temporary directory unless given.")
  private @Nullable Path dir;

  @Option(
      names = "--memory",
      paramLabel = "DIR",
      description = "A directory in memory, for emulated persistent memory; /dev/shm unless given.")
  private @Nullable Path memory;

  @Option(
      names = "--only",
      paramLabel = "REGEX",
      description = "Measure only the cases whose name has a match, and their floors.")
  private @Nullable Pattern only;

  @Mixin private DocumentOptions documents = new DocumentOptions();

  RunCommand(Experiment experiment) {
    this.experiment = experiment;
  }

  @Override
  public Integer call() throws IOException {
    if (rounds < 1) {
      throw new ParameterException(spec.commandLine(), "--rounds is at least 1");
    }
    PrintWriter output = spec.commandLine().getOut();
    Path results = out != null ? out : Path.of("target", "bench", experiment.name());
    Path logs = Files.createDirectories(results.resolve("log"));
    Path disk = Directories.create(diskDirectory());
    Path shared = memory != null ? memory : SHARED_MEMORY;
    Path inMemory = Directories.create(Files.isDirectory(shared) ? shared : disk);
    try {
      Settings settings =
          new Settings(
              quick,
              rounds,
              peers == null || peers.contains(ALL) ? experiment.peers() : peers,
              only);
      Map<String, Object> environment =
          Environment.of(experiment.name(), commandLine(), settings, disk, inMemory);
      Samples samples = new Samples();
      Run.Keeper keeper = run -> results(environment, run).write(results, experiment.targets());
      Run run = measure(settings, disk, inMemory, logs, samples, keeper);
      run.keep();
      documents.add(List.of(results(environment, run)));
      List<Measurement> rows = samples.measurements(experiment.name());
      print(output, environment, rows, samples.notRun());
      chart(output, results, rows);
      output.flush();
      return rows.isEmpty() ? ExitCode.SOFTWARE : ExitCode.OK;
    } finally {
      Directories.delete(inMemory);
      Directories.delete(disk);
    }
  }

  /** The directory given, or the temporary one, or one here if that is in memory. */
  private Path diskDirectory() throws IOException {
    Path given = dir;
    if (given != null) {
      Files.createDirectories(given);
      if (Directories.inMemory(given)) {
        throw new ParameterException(
            spec.commandLine(), given + " is in memory; --dir has to be on a disk");
      }
      return given;
    }
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    Path chosen = Directories.inMemory(temporary) ? Path.of("target") : temporary;
    Files.createDirectories(chosen);
    if (Directories.inMemory(chosen)) {
      throw new ParameterException(
          spec.commandLine(), chosen.toAbsolutePath() + " is in memory; give --dir on a disk");
    }
    return chosen;
  }

  /** The command that the user gave, without the directories of this machine. */
  private String commandLine() {
    StringBuilder command = new StringBuilder("./everheap bench ").append(experiment.name());
    for (OptionSpec option : spec.commandLine().getParseResult().matchedOptions()) {
      if (!option.paramLabel().equals("DIR")) {
        command.append(' ').append(option.longestName());
        if (option.arity().max() > 0) {
          command.append(' ').append(String.join(",", option.originalStringValues()));
        }
      }
    }
    return command.toString();
  }

  private ResultFiles results(Map<String, Object> environment, Run run) {
    environment.putAll(experiment.facts(run));
    environment.put("load_average_after", Environment.load());
    environment.put("not_run", run.samples().notRun());
    return new ResultFiles(environment, run.samples().measurements(experiment.name()));
  }

  private Run measure(
      Settings settings, Path disk, Path inMemory, Path logs, Samples samples, Run.Keeper keeper) {
    Progress counting = new Progress(System.err, false, 0);
    Run plan = new Run(settings, disk, inMemory, logs, samples, counting, unwritten -> {});
    List<Part> parts = experiment.parts().stream().filter(p -> p.steps(plan) > 0).toList();
    int steps = parts.stream().mapToInt(p -> p.steps(plan)).sum();
    Progress progress = new Progress(System.err, terminal(), steps);
    Run run = new Run(settings, disk, inMemory, logs, samples, progress, keeper);
    int most = minutes != null ? minutes : experiment.minutes();
    for (Part part : parts) {
      progress.part(most > 0 ? SECONDS_PER_MINUTE * most : Double.POSITIVE_INFINITY);
      try {
        part.measure(run);
      } catch (Exception e) {
        samples.notRun(part.name(), String.valueOf(e.getMessage() == null ? e : e.getMessage()));
      }
    }
    progress.end();
    return run;
  }

  @SuppressWarnings(
      "SystemConsoleNull") // whether it is null depends on the release and on a property
  private static boolean terminal() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  private void print(
      PrintWriter output,
      Map<String, Object> environment,
      List<Measurement> rows,
      Map<String, String> notRun) {
    environment.forEach(
        (name, value) -> {
          if (!name.equals("not_run")) {
            output.println(name + ": " + value);
          }
        });
    output.println();
    List<Measurement> printed = rows.stream().filter(experiment::prints).toList();
    output.println(new Table(printed, experiment.targets()).text());
    notRun.forEach((what, why) -> output.println("not run: " + what + ": " + why));
  }

  /** A missing picture does not fail the run: a machine without fonts cannot draw one. */
  private void chart(PrintWriter output, Path results, List<Measurement> rows) {
    output.println("results: " + results.resolve(ResultFiles.JSON_LINES));
    try {
      for (Path file : Chart.write(results, experiment.name(), rows)) {
        output.println("picture: " + file);
      }
    } catch (IOException | RuntimeException | LinkageError e) {
      output.println("no picture: " + e);
    }
  }
}
