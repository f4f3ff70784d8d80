package io.everheap.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.everheap.cli.doctor.Doctor;
import io.everheap.cli.doctor.Finding;
import io.everheap.cli.doctor.Finding.Verdict;
import io.everheap.cli.doctor.Machine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code everheap doctor DIR}: can this place keep a heap's promises. */
@Command(
    name = "doctor",
    description = {
      "Says whether a heap in DIR can keep its promises, and if not, what to change. Looks at the"
          + " file system, the disk, the kernel and the JDK. Makes a small heap in DIR to measure"
          + " commits, and deletes it. selftest tries the promises themselves.",
      "Exit code 0: no problem, perhaps warnings; 1: a problem; 2: it could not look."
    },
    exitCodeOnExecutionException = DoctorCommand.COULD_NOT_LOOK)
final class DoctorCommand implements Callable<Integer> {
  static final int COULD_NOT_LOOK = 2;

  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      paramLabel = "DIR",
      description = "A directory on the file system in question.")
  private Path directory;

  @Option(names = "--json", description = "Print JSON instead of text.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (!Files.isDirectory(directory)) {
      throw new RefusedException(
          directory + " is not a directory; make it, or name the one that will hold the heap");
    }
    List<Finding> findings = Doctor.examine(Machine.here(), directory);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      Json.document(out, generator -> write(generator, findings));
    } else {
      print(out, findings);
    }
    return worst(findings) == Verdict.PROBLEM ? ExitCode.SOFTWARE : ExitCode.OK;
  }

  static Verdict worst(List<Finding> findings) {
    return findings.stream().map(Finding::verdict).max(Verdict::compareTo).orElse(Verdict.OK);
  }

  static void print(PrintWriter out, List<Finding> findings) {
    var table = new Table("Subject", "Verdict", "Found");
    for (Finding finding : findings) {
      table.row(finding.name(), name(finding.verdict()), finding.detail());
      if (!finding.advice().isEmpty()) {
        table.row("", "", "-> " + finding.advice());
      }
    }
    table.print(out);
    out.println();
    out.println(
        switch (worst(findings)) {
          case OK -> "A heap can keep its promises here, as far as the system tells.";
          case WARNING -> "Nothing forbids a heap here; see the warnings.";
          case PROBLEM -> "A heap cannot keep its promises here: see the problems.";
        });
    out.println(
        "docs/symptoms.md has file systems, permissions, limits of memory and all error codes.");
    out.flush();
  }

  static void write(JsonGenerator json, List<Finding> findings) throws IOException {
    json.writeStartObject();
    json.writeStringField("verdict", name(worst(findings)));
    json.writeArrayFieldStart("findings");
    for (Finding finding : findings) {
      json.writeStartObject();
      json.writeStringField("name", finding.name());
      json.writeStringField("verdict", name(finding.verdict()));
      json.writeStringField("detail", finding.detail());
      json.writeStringField("advice", finding.advice());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static String name(Verdict verdict) {
    return verdict.name().toLowerCase(Locale.ROOT);
  }
}
