package io.everheap.cli;

import io.everheap.Heap;
import io.everheap.encryption.KeyProvider;
import io.everheap.replication.Primary;
import io.everheap.replication.Replica;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code everheap mirror DIR TO}: brings a mirror up to date. */
@Command(
    name = "mirror",
    description = {
      "Makes a mirror of a heap in another directory, or brings it up to date. No process may have"
          + " the heap open: a program that has it open keeps a mirror itself, or serves replicas.",
      "Exit code 0: the mirror has all of the heap; 1: it cannot be brought up to date."
    })
final class MirrorCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "DIR", description = "The directory of the heap.")
  private Path directory;

  @Parameters(
      index = "1",
      paramLabel = "TO",
      description = "The directory of the mirror, best on another disk.")
  private Path to;

  @Mixin private KeyOptions key;

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    try (Heap heap = key.apply(Heap.builder(directory)).mustExist().open();
        Primary primary = Primary.of(heap).open()) {
      KeyProvider provider = key.provider();
      Replica mirror = provider == null ? primary.mirror(to) : primary.mirror(to, provider);
      long end = heap.stats().durableLsn();
      while (mirror.status().lsn() < end && mirror.status().failure() == null) {
        TimeUnit.MILLISECONDS.sleep(5);
      }
      String failure = mirror.status().failure();
      if (failure != null) {
        out.println("The mirror is not up to date: " + failure);
      } else {
        out.println("The mirror has all up to LSN " + mirror.status().lsn() + ".");
      }
      out.flush();
      return failure == null ? ExitCode.OK : ExitCode.SOFTWARE;
    }
  }
}
