package io.everheap.benchmarks.store;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The class path with the peers' jars, which are large and belong to no other command. The launcher
 * fetches them when they are first needed.
 */
public final class PeerClassPath {
  /** The environment variable with the path of the launcher. */
  private static final String LAUNCHER = "EVERHEAP_LAUNCHER";

  private PeerClassPath() {}

  /**
   * Finds it: asks the launcher, or takes this JVM's own where no launcher started it.
   *
   * @return the class path
   * @throws IOException if the jars cannot be fetched; the message tells why
   */
  public static String find() throws IOException {
    return find("peers");
  }

  /**
   * Finds that of some peers.
   *
   * @param module the directory of the module that has them
   * @return the class path
   * @throws IOException if the jars cannot be fetched; the message tells why
   */
  public static String find(String module) throws IOException {
    String launcher = System.getenv(LAUNCHER);
    if (launcher == null) {
      return System.getProperty("java.class.path");
    }
    Process process =
        new ProcessBuilder(launcher, "bench", "--peers-class-path", module)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.onExit().join().exitValue() != 0) {
      throw new IOException("the peers could not be fetched or built");
    }
    return output.strip();
  }

  /**
   * Finds the version of a peer by the name of its jar.
   *
   * @param classPath with its jar
   * @param artifact the start of the jar's name
   * @return the version, if it is there
   */
  public static Optional<String> version(String classPath, String artifact) {
    Pattern name = Pattern.compile(".*[/\\\\]" + Pattern.quote(artifact) + "-(\\d.*)\\.jar");
    for (String entry : classPath.split(Pattern.quote(File.pathSeparator), -1)) {
      Matcher matcher = name.matcher(entry);
      if (matcher.matches()) {
        return Optional.of(matcher.group(1));
      }
    }
    return Optional.empty();
  }
}
