package io.everheap.support.report;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.ToIntFunction;

/** Writes reports as Surefire does, and runs a program on them. */
final class Reports {
  private Reports() {}

  /** The exit code of a program, and the lines that it printed. */
  record Result(int exitCode, List<String> lines) {
    String text() {
      return String.join("\n", lines);
    }
  }

  static Result run(ToIntFunction<PrintStream> program) {
    var bytes = new ByteArrayOutputStream();
    int exitCode;
    try (var out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      exitCode = program.applyAsInt(out);
    }
    return new Result(exitCode, bytes.toString(StandardCharsets.UTF_8).lines().toList());
  }

  /** Writes the report of a suite whose test cases are given as XML. */
  static Path write(Path directory, String suite, String seconds, String... cases) {
    return writeFile(
        directory.resolve("TEST-" + suite + ".xml"),
        String.format(
            Locale.ROOT,
            """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuite name="%s" time="%s" tests="%d">
          <properties><property name="testcase" value="none"/></properties>
        %s
        </testsuite>
        """,
            suite,
            seconds,
            cases.length,
            String.join("\n", cases)));
  }

  /** Writes a report of tests that passed. */
  static Path writePassed(Path directory, String suite, String... names) {
    String[] cases = new String[names.length];
    for (int i = 0; i < names.length; i++) {
      cases[i] = passed(suite, names[i], "0.1");
    }
    return write(directory, suite, "0.5", cases);
  }

  static Path writeFile(Path file, String text) {
    try {
      Files.createDirectories(file.getParent());
      return Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String passed(String className, String name, String seconds) {
    return testCase(className, name, seconds, "<system-out><![CDATA[<skipped/>]]></system-out>");
  }

  static String failed(String className, String name, String message) {
    return testCase(
        className,
        name,
        "0.1",
        String.format(
            Locale.ROOT,
            "<failure message=\"%s\" type=\"E\"><![CDATA[E: trace]]></failure>",
            message));
  }

  static String skipped(String className, String name, String message) {
    return testCase(
        className, name, "0", String.format(Locale.ROOT, "<skipped message=\"%s\"/>", message));
  }

  static String testCase(String className, String name, String seconds, String content) {
    return String.format(
        Locale.ROOT,
        "<testcase name=\"%s\" classname=\"%s\" time=\"%s\">%s</testcase>",
        name,
        className,
        seconds,
        content);
  }
}
