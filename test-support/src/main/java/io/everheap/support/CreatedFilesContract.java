package io.everheap.support;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Files and directories of a module are for their owner alone, whatever the umask is; in a
 * directory that its group may write to, they are for the group as well.
 */
public abstract class CreatedFilesContract {
  @TempDir private Path temp;

  /** For subclasses. */
  protected CreatedFilesContract() {}

  /**
   * Makes files of every kind of the module, by programs that {@link #run} starts.
   *
   * @param umask of the programs
   * @param in the directory for the files
   * @return how many files and directories there are at least
   * @throws Exception if a program fails
   */
  protected abstract int make(String umask, Path in) throws Exception;

  /** Runs with several masks and directories. */
  @ParameterizedTest
  @CsvSource({
    "0, rwxr-xr-x, rw-------, rwx------",
    "027, rwxrwxrwx, rw-------, rwx------",
    "022, rwxrwx---, rw-rw----, rwxrwx---",
    "077, rwxrwxr-x, rw-rw----, rwxrwx---"
  })
  void haveTheModeOfTheirDirectory(String umask, String parent, String file, String directory)
      throws Exception {
    Path in = Files.createDirectory(temp.resolve("in"));
    Files.setPosixFilePermissions(in, PosixFilePermissions.fromString(parent));
    int least = make(umask, in);
    Map<String, String> others = new TreeMap<>();
    int files = 0;
    try (Stream<Path> all = Files.walk(in)) {
      for (Path each : all.filter(path -> !path.equals(in)).toList()) {
        String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(each));
        if (!mode.equals(Files.isDirectory(each) ? directory : file)) {
          others.put(in.relativize(each).toString(), mode);
        }
        files++;
      }
    }
    assertThat(others).isEmpty();
    assertThat(files).isGreaterThanOrEqualTo(least);
  }

  /**
   * Runs a program in a new JVM to its end.
   *
   * @param umask of its process
   * @param program its class
   * @param arguments of the program
   * @throws IOException if it cannot be started
   * @throws InterruptedException if this thread is interrupted
   */
  protected static void run(String umask, String program, String... arguments)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                "sh",
                "-c",
                "umask " + umask + "; exec \"$@\"",
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                program));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(Limit.waitFor(process)).as(output).isZero();
  }
}
