package io.everheap.benchmarks.journal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Compiles the peer in C on demand, with {@code cc} and libpmemlog of the machine. */
final class PmemLogBuild {
  private PmemLogBuild() {}

  /** Makes the program that runs the loop in C. */
  static Path program(Path directory) throws IOException {
    Path result = directory.resolve("pmemlog");
    compile(directory, List.of("-o", result.toString()));
    return result;
  }

  /** Makes the library for {@link PmemLogJni}. */
  static Path library(Path directory) throws IOException {
    Path result = directory.resolve("libpmemlogjni.so");
    compile(directory, List.of("-DAS_LIBRARY", "-shared", "-fPIC", "-o", result.toString()));
    return result;
  }

  private static void compile(Path directory, List<String> options) throws IOException {
    Path source = directory.resolve("pmemlog.c");
    try (InputStream in = PmemLogBuild.class.getResourceAsStream("pmemlog.c")) {
      if (in == null) {
        throw new IOException("pmemlog.c is not on the class path");
      }
      Files.write(source, in.readAllBytes());
    }
    Path include = Path.of(System.getProperty("java.home"), "include");
    List<String> command = new ArrayList<>(List.of("cc", "-O2", "-Wall"));
    command.addAll(List.of("-I" + include, "-I" + include.resolve("linux")));
    command.addAll(options);
    command.addAll(List.of(source.toString(), "-lpmemlog", "-lpmem"));
    Process compiler;
    try {
      compiler = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      throw new IOException("no C compiler: install gcc", e);
    }
    String output = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (compiler.onExit().join().exitValue() != 0) {
      throw new IOException(
          output.contains("pmemlog")
              ? "libpmemlog is missing: install libpmemlog-dev and libpmem-dev"
              : "cc failed: " + output.lines().findFirst().orElse(""));
    }
  }
}
