package io.everheap.benchmarks.journal;

import io.everheap.benchmarks.harness.Launch;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.store.PeerClassPath;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Logs of other libraries, whose classes and jars are in the module {@code peers}. */
enum LogPeer {
  /** Chronicle Queue. */
  CHRONICLE("chronicle-queue", "ChronicleLoop", LogPeer.chronicle()),

  /** Aeron Archive on Agrona's buffers: a publication that is recorded in files. */
  AERON(
      "aeron-archive",
      "AeronLoop",
      List.of(
          "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
          "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
          "--add-opens=java.base/java.util.zip=ALL-UNNAMED")),

  /** The append-only log of Red Hat's mashona. */
  MASHONA(
      "mashona-logwriting", "MashonaLoop", List.of("--add-opens=java.base/java.nio=ALL-UNNAMED"));

  private final String artifact;
  private final String loop;
  private final String options;

  LogPeer(String artifact, String loop, List<String> options) {
    this.artifact = artifact;
    this.loop = loop;
    this.options = String.join(" ", options);
  }

  private static List<String> chronicle() {
    return List.of(
        "-Dchronicle.analytics.disable=true",
        "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
        "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
        "--add-exports=jdk.unsupported/sun.misc=ALL-UNNAMED",
        "--add-exports=jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED",
        "--add-opens=jdk.compiler/com.sun.tools.javac=ALL-UNNAMED",
        "--add-opens=java.base/java.lang=ALL-UNNAMED",
        "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
        "--add-opens=java.base/java.io=ALL-UNNAMED",
        "--add-opens=java.base/java.util=ALL-UNNAMED",
        "--add-opens=java.base/java.nio=ALL-UNNAMED",
        "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
        "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED");
  }

  /** The name in results. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  static LogPeer of(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }

  /** Opens the log; in the process that {@link #launch} starts. */
  AppendLoop open(Path directory, long records) throws IOException {
    try {
      return Class.forName("io.everheap.benchmarks.peers." + loop)
          .asSubclass(AppendLoop.class)
          .getConstructor(Path.class, long.class)
          .newInstance(directory, records);
    } catch (InvocationTargetException e) {
      throw new IOException(label() + ": " + e.getCause(), e);
    } catch (ReflectiveOperationException e) {
      throw new IOException("the peer " + label() + " is not on the class path", e);
    }
  }

  /** How its process is started, or null, with a note, if it is not wanted or not available. */
  @Nullable Launch launch(Run run) {
    if (!run.settings().peers().contains(label())) {
      return null;
    }
    try {
      String classPath = PeerClassPath.find();
      if (PeerClassPath.version(classPath, artifact).isPresent()) {
        return new Launch(label(), List.of(), List.of(options.split(" ")), classPath);
      }
      run.samples().notRun(label(), "its jar " + artifact + " is not on the class path");
    } catch (IOException e) {
      run.samples().notRun(label(), String.valueOf(e.getMessage()));
    }
    return null;
  }
}
