package io.everheap.cli;

import io.everheap.Backups;
import io.everheap.HeapCheck;
import io.everheap.error.BackupException;
import io.everheap.error.CorruptException;
import io.everheap.memory.NewFiles;
import io.everheap.report.RestorePoint;
import io.everheap.report.ScrubReport;
import io.everheap.store.ShardedStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code everheap scrub DIR}: compares pages with their checksums, and repairs them. */
@Command(
    name = "scrub",
    description = {
      "Compares the pages of a heap or a store with their checksums, or repairs them. Compares also"
          + " while another process has it open; repairs damaged pages of a heap that is not open."
          + " 'verify' checks the contents of the pages.",
      "Exit code 0: all pages are sound now; 1: some are damaged; 2: it cannot be checked, because it"
          + " is missing, in use, no heap or has no checksums."
    },
    exitCodeOnExecutionException = VerifyCommand.CANNOT_CHECK)
final class ScrubCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private HeapArguments arguments;

  @Option(
      names = "--repair-from",
      paramLabel = "COPY",
      description =
          "Repair from this: a copy of the heap's directory, a replica, or a directory of backups,"
              + " from which the newest state is restored beside DIR for a while; for a store, a copy"
              + " of its directory, or one of its backups. Can be given several times.")
  private List<Path> copies = List.of();

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    Bar bar = new Bar(out, !arguments.json() && Bar.onTerminal());
    Path directory = arguments.directory();
    Map<String, ScrubReport> reports = new LinkedHashMap<>();
    try {
      if (ShardedStore.exists(directory)) {
        if (arguments.key() != null) {
          throw new RefusedException("an encrypted store is not scrubbed: verify it");
        }
        for (Path shard : ShardedStore.shardDirectories(directory)) {
          String name = shard.getFileName().toString();
          reports.put(name, scrub(shard, copy -> copy.resolve(name), bar));
        }
      } else {
        reports.put("", scrub(directory, copy -> copy, bar));
      }
    } finally {
      bar.clear();
    }
    ScrubReportText text = new ScrubReportText(reports);
    if (arguments.json()) {
      text.json(out);
    } else {
      text.print(out, !copies.isEmpty());
    }
    return text.ok() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  /**
   * Scrubs one heap.
   *
   * @param within where a copy has this heap, or its backups
   */
  private ScrubReport scrub(Path heap, UnaryOperator<Path> within, Bar bar) throws IOException {
    List<Path> restored = new ArrayList<>();
    try {
      List<Path> sources = new ArrayList<>();
      for (Path given : copies) {
        Path copy = within.apply(given);
        boolean isHeap = Files.exists(copy.resolve("heap"));
        sources.add(isHeap ? copy : restore(heap, copy, restored, bar));
      }
      return HeapCheck.scrub(heap, sources, arguments.key(), bar::update);
    } finally {
      for (Path directory : restored) {
        delete(directory);
      }
    }
  }

  /** Restores beside the heap, where there should be space for it, into a directory of its own. */
  private Path restore(Path damaged, Path from, List<Path> restored, Bar bar) throws IOException {
    Path heap = damaged.toAbsolutePath().normalize();
    Backups backups = arguments.backups(from);
    RestorePoint newest = new RestorePoint.Newest();
    Path beside =
        NewFiles.createTempDirectory(heap.resolveSibling(""), heap.getFileName() + ".repair");
    restored.add(beside);
    Path directory = beside.resolve("heap");
    try {
      backups.restore(backups.before(newest), newest, directory, bar::update);
    } catch (BackupException | CorruptException e) { // there is no archive, or it has a gap
      if (e instanceof CorruptException damage && damage.kind() != CorruptException.Kind.LOG) {
        throw e;
      }
      delete(directory);
      RestorePoint point = new RestorePoint.OfBackup();
      backups.restore(backups.before(point), point, directory, bar::update);
    }
    return directory;
  }

  private static void delete(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> all = Files.walk(directory)) {
        for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
  }
}
