package io.everheap.benchmarks;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Hands its arguments to JMH, to run or list single benchmarks in JMH's own way. */
@Command(name = "jmh", description = "Run JMH with its own arguments, such as -l or a pattern.")
final class JmhCommand implements Callable<Integer> {
  @Parameters(arity = "0..*", paramLabel = "ARG", description = "An argument of JMH.")
  private List<String> arguments = List.of();

  @Override
  public Integer call() throws Exception {
    org.openjdk.jmh.Main.main(arguments.toArray(String[]::new));
    return 0;
  }
}
