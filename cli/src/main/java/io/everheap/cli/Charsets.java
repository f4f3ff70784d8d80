package io.everheap.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The character set of arguments and output: UTF-8, whatever the environment says. Otherwise a
 * locale such as C would store and print replacement characters without a word. Terminals of
 * Windows have another character set, which the JVM knows.
 */
final class Charsets {
  private Charsets() {}

  /** Makes the standard output and the standard error UTF-8, except on Windows. */
  static void useForOutput() {
    boolean windows =
        System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("windows");
    if (!windows) {
      System.setOut(stream(FileDescriptor.out));
      System.setErr(stream(FileDescriptor.err));
    }
  }

  private static PrintStream stream(FileDescriptor to) {
    return new PrintStream(new FileOutputStream(to), true, UTF_8);
  }

  /**
   * Why the arguments cannot be used; null if they can. The JVM decodes arguments, and encodes
   * names of files, with the character set of the locale.
   *
   * @param encoding the name of that character set
   */
  static @Nullable String refusal(String[] args, String encoding) {
    if (encoding.equalsIgnoreCase("UTF-8")) {
      return null;
    }
    for (String arg : args) {
      if (arg.chars().anyMatch(c -> c >= 128)) {
        return "everheap: an argument has characters that are not ASCII, and the locale has the"
            + " character set "
            + encoding
            + ", so they cannot be read. Nothing was done. Set a locale with UTF-8, for example"
            + " LC_ALL=C.UTF-8.";
      }
    }
    return null;
  }
}
