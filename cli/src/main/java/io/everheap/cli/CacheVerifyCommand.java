package io.everheap.cli;

import io.everheap.cache.CacheCheck;
import io.everheap.cache.CacheReport;
import io.everheap.report.VerifyProgress;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code everheap cache verify DIR}: reads everything and looks for damage. */
@Command(
    name = "verify",
    description = {
      "Reads all entries of a cache and looks for damage, without changing anything. A damaged entry"
          + " is a miss when the cache is used; nothing has to be repaired.",
      "Exit code 0: nothing found; 1: damage; 2: it cannot be checked, because it is missing, in"
          + " use, no cache or of another format."
    },
    exitCodeOnExecutionException = VerifyCommand.CANNOT_CHECK)
final class CacheVerifyCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private CacheArguments arguments;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    long start = System.nanoTime();
    CacheReport report =
        CacheCheck.verify(arguments.directory(), arguments.key(), VerifyProgress.NONE);
    boolean sound = report.problems().isEmpty();
    if (arguments.json()) {
      Json.document(out, json -> CacheInfoCommand.write(json, report));
    } else {
      report.problems().forEach(problem -> out.println("PROBLEM " + problem));
      out.println(
          String.format(
              Locale.ROOT,
              "%s: %s sound entries, %s, checked in %s.",
              sound ? "OK" : "DAMAGED",
              Text.count(report.entries()),
              Text.bytes(report.entryBytes()),
              Text.nanos(System.nanoTime() - start)));
      out.flush();
    }
    return sound ? ExitCode.OK : ExitCode.SOFTWARE;
  }
}
