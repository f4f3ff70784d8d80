package io.everheap.memory;

import io.everheap.files.FileChecks;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The contents of the file {@code owner}: the process that writes to a directory.
 *
 * <p>The process id alone is not sufficient: ids are reused, and each container has its own. So the
 * file also has the kernel's boot id, the namespace of process ids and the start time of the
 * process; only if all of them match, the process is known to run.
 *
 * @param pid of the process
 * @param kernel the kernel's boot id and the namespace of the process id
 * @param started the start time of the process
 * @param directory the identity of the directory, which differs from that of a copy
 * @param token a random text of this opening
 */
record Owner(long pid, String kernel, String started, String directory, String token) {
  private static final int MAX_BYTES = 1024;
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

  /** Reads a file; null if it is missing or invalid. */
  static @Nullable Owner read(Path file) {
    try (InputStream in = Files.newInputStream(FileChecks.refusePipe(file))) {
      return parse(new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8));
    } catch (IOException e) {
      return null;
    }
  }

  /** The inverse of {@link #text}; null if the text is invalid. */
  static @Nullable Owner parse(String text) {
    List<String> lines = text.lines().toList();
    try {
      return lines.size() < 5
          ? null
          : new Owner(
              Long.parseLong(lines.get(0)), lines.get(1), lines.get(2), lines.get(3), lines.get(4));
    } catch (NumberFormatException e) {
      return null;
    }
  }

  String text() {
    return String.join("\n", Long.toString(pid), kernel, started, directory, token) + "\n";
  }

  /** Whether the process certainly runs now; false for a zombie, and if it is not known. */
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
    Instant start = process.info().startInstant().orElse(null);
    return start == null ? "" : text(start);
  }

  /** The same text as {@link Instant#toString}, without loading the classes of formats. */
  static String text(Instant instant) {
    String text =
        LocalDateTime.ofEpochSecond(instant.getEpochSecond(), instant.getNano(), ZoneOffset.UTC)
            .toString();
    boolean cut =
        text.length() == "2000-01-01T00:00".length(); // it leaves seconds out if all are 0
    return text + (cut ? ":00Z" : "Z");
  }

  private static String namespace() {
    try {
      return Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
    } catch (IOException | UnsupportedOperationException e) {
      return "";
    }
  }

  /** Whether a process is a zombie according to proc(5); false on systems without it. */
  private static boolean isZombie(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      int name = stat.lastIndexOf(')'); // the name before it may contain any character
      char state = name + 2 < stat.length() ? stat.charAt(name + 2) : ' ';
      return state == 'Z' || state == 'X';
    } catch (IOException e) {
      return false;
    }
  }
}
