package io.everheap.benchmarks.store;

import io.everheap.benchmarks.harness.Launch;
import io.everheap.benchmarks.harness.Run;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Starts the JVMs of peers, and knows which peers can be started. Not thread-safe. */
public final class PeerLaunch {
  private final Map<String, String> facts = new LinkedHashMap<>();
  private @Nullable String classPath;

  /** Makes a launcher. */
  public PeerLaunch() {}

  /**
   * Leaves out peers whose jars are not available, and notes them as not run.
   *
   * @param run the run
   * @param wanted what is wanted
   * @param peer the peer of each
   * @return the others, as a list that can be changed
   */
  public <T> List<T> available(Run run, List<T> wanted, Function<T, Peer> peer) {
    List<T> found = new ArrayList<>();
    for (T each : wanted) {
      String obstacle = obstacle(peer.apply(each));
      if (obstacle == null) {
        found.add(each);
      } else {
        run.samples().notRun(peer.apply(each).name(), obstacle);
      }
    }
    return found;
  }

  private @Nullable String obstacle(Peer peer) {
    String artifact = peer.artifact();
    if (artifact == null) {
      facts.put(peer.name(), peer.how());
      return null;
    }
    if (classPath == null) {
      try {
        classPath = PeerClassPath.find();
      } catch (IOException e) {
        classPath = "";
      }
    }
    String version = PeerClassPath.version(classPath, artifact).orElse(null);
    if (version == null) {
      return "its jar " + artifact + " is not there: the peers could not be fetched";
    }
    facts.put(peer.name(), artifact + " " + version + ": " + peer.how());
    return null;
  }

  /**
   * Returns what the peers that were asked about are, and how they are configured.
   *
   * @return by name
   */
  public Map<String, String> facts() {
    return facts;
  }

  /**
   * Returns how a peer's JVM is started. It touches its whole heap at once, so that what the
   * process takes more later is the store's.
   *
   * @param peer the peer
   * @param label names its log
   * @param heap the size of its heap, as {@code -Xmx} takes it
   * @param touched whether it touches its whole heap at once, so that what the process takes more
   *     later is the store's
   * @param limit the size of all its memory with that of its files, such as {@code 512M}, or {@code
   *     null}
   */
  public Launch of(Peer peer, String label, String heap, boolean touched, @Nullable String limit) {
    List<String> options = new ArrayList<>(List.of("-Xmx" + heap));
    if (touched) {
      options.addAll(List.of("-Xms" + heap, "-XX:+AlwaysPreTouch"));
    }
    if (limit != null) {
      options.add(MemoryLimit.option(limit));
    }
    options.addAll(peer.options());
    return new Launch(
        label,
        limit == null ? List.of() : MemoryLimit.command(limit),
        options,
        peer.artifact() == null ? null : classPath);
  }
}
