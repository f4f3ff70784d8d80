package io.everheap.it.journal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Another Java process with the class path of this one. */
final class Child {
  private Child() {}

  static ProcessBuilder java(List<String> options, Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command);
  }

  /** Starts the command-line tool. */
  static ProcessBuilder everheap(String... arguments) throws IOException {
    return java(List.of("-XX:TieredStopAtLevel=1", "-Xmx128m"), commandLine(), arguments);
  }

  private static Class<?> commandLine() throws IOException {
    try {
      return Class.forName("io.everheap.cli.Main");
    } catch (ClassNotFoundException e) {
      throw new IOException(e);
    }
  }
}
