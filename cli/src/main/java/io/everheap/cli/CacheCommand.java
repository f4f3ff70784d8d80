package io.everheap.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code everheap cache ...}: shows and checks a cache that no process has open. */
@Command(
    name = "cache",
    description = "Show and check a cache that no process has open.",
    subcommands = {CacheInfoCommand.class, CacheVerifyCommand.class, CacheKeysCommand.class})
final class CacheCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitCode.USAGE;
  }
}
