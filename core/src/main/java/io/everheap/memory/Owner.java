package io.everheap.memory;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the file {@code owner} says of the process that writes in a directory.
 *
 * <p>The process id alone says little: it is used again, and other containers count their own. So
 * the life of the kernel, the namespace of process ids and the time when the process started stand
 * beside it, and a process that cannot compare all of them knows nothing.
 *
 * @param pid of the process
 * @param kernel the life of the kernel and the namespace that the id belongs to
 * @param started when the process did
 * @param directory the identity of the directory, which a copy of it has not
 * @param token of this opening, different for each
 */
record Owner(long pid, String kernel, String started, String directory, String token) {
  private static final int MOST_BYTES = 1024;
  private static final String KERNEL = Incarnation.BOOT + " " + namespace();

  /** This process, for one opening of a directory. */
  static Owner here(String directory) {
    return new Owner(
        ProcessHandle.current().pid(),
        KERNEL,
        started(ProcessHandle.current()),
        directory,
        Token.next());
  }

  /** Reads a file; null if it is missing or says nothing that makes sense. */
  static @Nullable Owner read(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      List<String> lines =
          new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8).lines().toList();
      return lines.size() < 5
          ? null
          : new Owner(
              Long.parseLong(lines.get(0)), lines.get(1), lines.get(2), lines.get(3), lines.get(4));
    } catch (IOException | NumberFormatException e) {
      return null;
    }
  }

  String text() {
    return String.join("\n", Long.toString(pid), kernel, started, directory, token) + "\n";
  }

  /** Whether that process certainly runs now. A zombie does not. */
  boolean runs() {
    return kernel.equals(KERNEL)
        && ProcessHandle.of(pid)
            .filter(process -> process.isAlive() && started(process).equals(started))
            .isPresent()
        && !isZombie(pid);
  }

  boolean isThisProcess() {
    return pid == ProcessHandle.current().pid();
  }

  private static String started(ProcessHandle process) {
    return process.info().startInstant().map(Object::toString).orElse("");
  }

  private static String namespace() {
    try {
      return Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
    } catch (IOException | UnsupportedOperationException e) {
      return "";
    }
  }

  /** What proc(5) says; false where there is no such thing. */
  private static boolean isZombie(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      int name = stat.lastIndexOf(')'); // which may hold anything
      char state = name + 2 < stat.length() ? stat.charAt(name + 2) : ' ';
      return state == 'Z' || state == 'X';
    } catch (IOException e) {
      return false;
    }
  }
}
