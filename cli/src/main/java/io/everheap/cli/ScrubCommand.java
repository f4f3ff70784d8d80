package io.everheap.cli;

import io.everheap.Backups;
import io.everheap.error.BackupException;
import io.everheap.error.CorruptLogException;
import io.everheap.report.RestorePoint;
import io.everheap.report.ScrubReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
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
      "Compares all pages of a heap with their checksums, also while another process has it open;"
          + " or repairs damaged pages of a heap that is not open. 'verify' says what the pages mean.",
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
              + " from which the newest state is restored beside DIR for a while. Can be given"
              + " several times.")
  private List<Path> copies = List.of();

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    Bar bar = new Bar(out, !arguments.json() && Bar.onTerminal());
    List<Path> restored = new ArrayList<>();
    ScrubReport report;
    try {
      List<Path> sources = new ArrayList<>();
      for (Path copy : copies) {
        sources.add(Files.exists(copy.resolve("heap")) ? copy : restore(copy, restored, bar));
      }
      report = arguments.builder().scrub(sources, bar::update);
    } finally {
      bar.clear();
      for (Path directory : restored) {
        delete(directory);
      }
    }
    if (arguments.json()) {
      json(out, report);
    } else {
      print(out, report);
    }
    return report.ok() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  /** Restores beside the heap, where there should be space for it, into a directory of its own. */
  private Path restore(Path from, List<Path> restored, Bar bar) throws IOException {
    Path heap = arguments.directory().toAbsolutePath().normalize();
    Backups backups = Backups.in(from);
    RestorePoint newest = new RestorePoint.Newest();
    Path beside =
        Files.createTempDirectory(heap.resolveSibling(""), heap.getFileName() + ".repair");
    restored.add(beside);
    Path directory = beside.resolve("heap");
    try {
      backups.restore(backups.before(newest), newest, directory, bar::update);
    } catch (BackupException | CorruptLogException e) { // there is no archive, or it has a gap
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

  private void print(PrintWriter out, ScrubReport report) {
    for (ScrubReport.Page page : report.damaged()) {
      out.println(
          page.repaired().isEmpty()
              ? "DAMAGED " + page.message()
              : "REPAIRED " + page.message() + "; from " + page.repaired());
    }
    long left = report.damaged().stream().filter(page -> page.repaired().isEmpty()).count();
    if (left > 0 && report.torn()) {
      out.println(
          "The heap was not closed: these may be pages that a crash tore, which its log repairs"
              + " when it is opened.");
    } else if (left > 0 && copies.isEmpty()) {
      out.println("Repair them with --repair-from, or restore a backup.");
    } else if (left > 0) {
      out.println("The copies do not have these pages in the state in which they were.");
    }
    out.println(
        "%s: %s pages, %s damaged, %s repaired."
            .formatted(
                left == 0 ? "OK" : "DAMAGED",
                Text.count(report.pages()),
                Text.count(report.damaged().size()),
                Text.count(report.damaged().size() - left)));
    out.flush();
  }

  private static void json(PrintWriter out, ScrubReport report) throws IOException {
    Json.document(
        out,
        json -> {
          json.writeStartObject();
          json.writeBooleanField("ok", report.ok());
          json.writeNumberField("pages", report.pages());
          json.writeBooleanField("torn", report.torn());
          json.writeArrayFieldStart("damaged");
          for (ScrubReport.Page page : report.damaged()) {
            json.writeStartObject();
            json.writeNumberField("page", page.number());
            json.writeStringField("message", page.message());
            json.writeStringField("repairedFrom", page.repaired());
            json.writeEndObject();
          }
          json.writeEndArray();
          json.writeEndObject();
        });
  }
}
