package io.everheap.support;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Runs a program in a new JVM, which gets the class path of this JVM. */
public final class FreshJvm {
  private FreshJvm() {}

  /**
   * Runs a program to its end, with the output of this JVM. One that does not end is killed and
   * fails the test.
   *
   * @return its exit code
   */
  public static int run(Class<?> program, String... arguments)
      throws IOException, InterruptedException {
    return run(List.of(), program, arguments);
  }

  /**
   * The same with options of the JVM.
   *
   * @return its exit code
   */
  public static int run(List<String> options, Class<?> program, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).inheritIO().start();
    Limit.guard(process, Duration.ofMinutes(2));
    return Limit.waitFor(process);
  }
}
