package io.everheap.testkit;

import io.everheap.testkit.machine.CrashImage;
import io.everheap.testkit.machine.CrashPoint;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * The moments of one process at which it is going to be crashed: of each {@linkplain
 * SimulatedProcess#phase phase} a random sample of each kind of event and kind of file, so that
 * rare ones are not lost among the stores.
 */
final class Moments {
  /** The bytes at the start of a file that count as its header. */
  private static final int HEADER = 8192;

  private final SimulatedProcess process;
  private final SimulatedMedium medium;
  private final Explorer.Effort effort;
  private final Random random;
  private final Map<String, List<Moment>> samples = new HashMap<>();
  private final Map<String, Integer> seen = new HashMap<>();

  /**
   * What a crash leaves behind.
   *
   * @param image on the medium
   * @param promise what of it the successor may rely on
   */
  record Moment(CrashPoint point, CrashImage image, SimulatedProcess.Promise promise) {}

  Moments(SimulatedProcess process, SimulatedMedium medium, Explorer.Effort effort, long seed) {
    this.process = process;
    this.medium = medium;
    this.effort = effort;
    this.random = new Random(seed);
  }

  /** Called with the medium's lock held. */
  void at(CrashPoint point) {
    String phase = process.phase();
    if (phase == null) {
      return;
    }
    String kind = phase + kind(point);
    List<Moment> sample = samples.computeIfAbsent(kind, k -> new ArrayList<>());
    int number = seen.merge(kind, 1, Integer::sum);
    int place = number <= effort.points() ? number - 1 : random.nextInt(number);
    if (place < effort.points()) {
      Moment moment = freeze(process, medium, point);
      if (place < sample.size()) {
        sample.set(place, moment);
      } else {
        sample.add(moment);
      }
    }
  }

  /** What a crash leaves behind now. */
  static Moment freeze(SimulatedProcess process, SimulatedMedium medium, CrashPoint point) {
    // The promise is taken first: it can only grow until the image is taken.
    var promise = process.promise();
    return new Moment(point, medium.image(), promise);
  }

  /** The moment after all others. */
  static CrashPoint end(SimulatedMedium medium) {
    return new CrashPoint(medium.points() + 1, CrashPoint.Kind.END, "", 0, 0);
  }

  /** What happened, to which file or to files of which directory, and whether to its header. */
  private static String kind(CrashPoint point) {
    int slash = point.file().indexOf('/');
    String file = slash < 0 ? point.file() : point.file().substring(0, slash);
    return point.kind() + " " + file + (point.position() < HEADER ? "" : " behind its header");
  }

  /** The chosen ones, the first one first. */
  List<Moment> chosen(Random order) {
    List<Moment> all = new ArrayList<>();
    samples.keySet().stream().sorted().forEach(kind -> all.addAll(samples.get(kind)));
    samples.clear();
    if (all.size() > effort.most()) {
      Collections.shuffle(all, order);
      all.subList(effort.most(), all.size()).clear();
    }
    all.sort(Comparator.comparingLong(moment -> moment.point().number()));
    return all;
  }
}
