package io.everheap.benchmarks.harness;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How child JVMs are started: this JDK, this class path, and options that every case gets. */
final class Java {
  private static final List<String> OPTIONS =
      List.of(
          "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED", // emulated persistent memory
          "--enable-native-access=ALL-UNNAMED", // peers with native parts
          "--sun-misc-unsafe-memory-access=allow", // peers older than the foreign memory API
          "-Xmx3g");

  private Java() {}

  static String executable() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  static List<String> options() {
    return OPTIONS;
  }

  static List<String> command(Launch launch, Class<?> main, List<String> arguments) {
    List<String> command = new ArrayList<>(launch.before());
    command.add(executable());
    command.addAll(OPTIONS);
    command.addAll(launch.options());
    command.add("-cp");
    String own = launch.classPath();
    command.add(own == null ? System.getProperty("java.class.path") : own);
    command.add(main.getName());
    command.addAll(arguments);
    return command;
  }
}
