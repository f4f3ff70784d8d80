package io.everheap.memory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Finds out whether this JVM can write back cache lines. HotSpot generates the code for it together
 * with the C2 compiler, and jumps to address 0 if that compiler is disabled. Stateless.
 */
final class Writeback {
  private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");
  private static final Pattern WITHOUT_C2 =
      Pattern.compile("-XX:(TieredStopAtLevel=[0-3]|CompilationMode=quick-only)(?![\\w-])");

  private Writeback() {}

  /** Returns whether writing back cache lines would crash this JVM. */
  static boolean missing() {
    return missing(System.getProperty("java.vm.info", ""), options());
  }

  /** Checks the VM's self-description and, for levels 0, 2 and 3, the options. */
  static boolean missing(String vmInfo, String options) {
    return vmInfo.contains("emulated-client")
        || vmInfo.contains("interpreted mode")
        || WITHOUT_C2.matcher(options).find();
  }

  private static String options() {
    var options = new StringBuilder();
    for (String variable :
        new String[] {"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"}) {
      String value = System.getenv(variable);
      options.append(value == null ? "" : value).append(' ');
    }
    try {
      byte[] arguments = Files.readAllBytes(COMMAND_LINE);
      options.append(new String(arguments, StandardCharsets.ISO_8859_1).replace('\0', ' '));
    } catch (IOException e) {
      // Not Linux, where there is no persistent memory anyway.
    }
    return options.toString();
  }
}
