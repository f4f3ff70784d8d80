package io.everheap.benchmarks.harness;

import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Level;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Cases on maps of several sizes, this library's and others, each in a process of its own. */
public abstract class MapPart implements Part {
  private static final int MILLION = 1_000_000;

  /** The numbers of entries whose cases were asked for. */
  protected abstract List<Integer> sizes(Run run);

  /** The subjects with the maps, by peer. */
  protected abstract Map<String, Class<? extends Subject>> subjects(Run run);

  /** This library's map and, if it was asked for, the JDK's, both in subjects of one class. */
  protected static Map<String, Class<? extends Subject>> both(
      Run run, Class<? extends Subject> subject, String jdk) {
    Map<String, Class<? extends Subject>> subjects = new LinkedHashMap<>();
    subjects.put(Case.EVERHEAP, subject);
    if (run.settings().peers().contains(jdk)) {
      subjects.put(jdk, subject);
    }
    return subjects;
  }

  /** Measures the cases of one size; the maps are filled. */
  protected abstract void rounds(Run run, Map<String, WorkerProcess> workers, int entries)
      throws IOException;

  /** A number of entries as names of cases have it, such as {@code 10k}. */
  protected static String size(int entries) {
    return entries >= MILLION ? entries / MILLION + "m" : entries / 1000 + "k";
  }

  /** A case in nanoseconds, at level P if the peer is this library and volatile otherwise. */
  protected static Case what(String name, String peer, int threads, @Nullable String floor) {
    boolean durable = peer.equals(Case.EVERHEAP);
    return new Case(
        name,
        peer,
        durable ? Level.P : Level.V,
        durable ? "file" : "java-heap",
        threads,
        Case.NS_PER_OP,
        durable ? floor : null);
  }

  @Override
  public final int steps(Run run) {
    return sizes(run).size() * (run.settings().rounds() + 1);
  }

  @Override
  public final void measure(Run run) throws IOException {
    for (int entries : sizes(run)) {
      Path directory = Directories.create(run.disk());
      Map<String, WorkerProcess> workers = new LinkedHashMap<>();
      try {
        run.progress().step(name() + ": filling maps with " + size(entries) + " entries");
        for (Map.Entry<String, Class<? extends Subject>> subject : subjects(run).entrySet()) {
          Map<String, String> parameters =
              Map.of(
                  "peer", subject.getKey(),
                  "entries", Integer.toString(entries),
                  "directory", directory.resolve("heap").toString());
          workers.put(
              subject.getKey(),
              WorkerProcess.start(run.logs(), subject.getValue(), parameters).ready());
        }
        rounds(run, workers, entries);
      } finally {
        for (WorkerProcess worker : workers.values()) {
          worker.close();
        }
      }
      Directories.delete(directory);
    }
  }
}
