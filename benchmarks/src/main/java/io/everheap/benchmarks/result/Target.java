package io.everheap.benchmarks.result;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A target for a row of this library.
 *
 * @param name the case
 * @param threads of the case
 * @param metric of the case
 * @param text the expectation in words
 * @param atMost whether the quantity has to be at most the limit, else at least
 * @param limit the limit
 * @param quantity what is compared with the limit
 */
public record Target(
    String name,
    int threads,
    String metric,
    String text,
    boolean atMost,
    double limit,
    Quantity quantity) {

  /** A number about a row. */
  @FunctionalInterface
  public interface Quantity {
    /**
     * Returns the number.
     *
     * @param row the row
     * @param all all rows of the experiment
     * @return the number, or {@code null} if a row that it needs was not measured
     */
    @Nullable Double of(Measurement row, List<Measurement> all);
  }

  /** A time of at most so many times the floor's. */
  public static Target atMostTimesFloor(String name, double factor) {
    return new Target(
        name,
        1,
        Case.NS_PER_OP,
        "<= " + number(factor) + " x floor",
        true,
        factor,
        (row, all) -> row.ratioToFloor());
  }

  /** A value below a limit. */
  public static Target below(String name, String metric, double limit) {
    return new Target(
        name, 1, metric, "< " + number(limit), true, limit, (row, all) -> row.value());
  }

  /** A time of at most so many times another peer's in the same case. */
  public static Target atMostTimesPeer(String name, int threads, double factor, String peer) {
    return atMostTimesPeer(name, threads, factor, peer, name);
  }

  /** A time of at most so many times another peer's in a case that has another name. */
  public static Target atMostTimesPeer(
      String name, int threads, double factor, String peer, String of) {
    return new Target(
        name,
        threads,
        Case.NS_PER_OP,
        "<= " + number(factor) + " x " + peer,
        true,
        factor,
        (row, all) ->
            find(all, of, peer, threads, row.metric()).map(p -> row.value() / p).orElse(null));
  }

  /** A time that is at least so many times shorter than another peer's in the same case. */
  public static Target timesFasterThan(String name, double factor, String peer) {
    return new Target(
        name,
        1,
        Case.NS_PER_OP,
        ">= " + number(factor) + " x faster than " + peer,
        false,
        factor,
        (row, all) ->
            find(all, name, peer, 1, row.metric()).map(p -> p / row.value()).orElse(null));
  }

  /** A throughput of at least so many times that of one thread in another case of this library. */
  public static Target timesOneThread(String name, int threads, double factor, String of) {
    return new Target(
        name,
        threads,
        Case.OPS_PER_S,
        ">= " + number(factor) + " x one writer",
        false,
        factor,
        (row, all) ->
            find(all, of, Case.EVERHEAP, 1, Case.OPS_PER_S).map(p -> row.value() / p).orElse(null));
  }

  /** A throughput of at least so many times another peer's in the same case, at a level. */
  public static Target timesPeer(
      String name, int threads, double factor, String peer, Level level) {
    return new Target(
        name,
        threads,
        Case.OPS_PER_S,
        ">= " + number(factor) + " x " + peer + " at level " + level,
        false,
        factor,
        (row, all) ->
            all.stream()
                .filter(m -> m.durability() == level && m.durability() == row.durability())
                .filter(m -> m.name().equals(name) && m.peer().equals(peer))
                .filter(m -> m.threads() == threads && m.metric().equals(Case.OPS_PER_S))
                .map(m -> row.value() / m.value())
                .findFirst()
                .orElse(null));
  }

  /** A name for every case and number of threads. */
  private static final String ANY = "";

  /**
   * A value better than any other peer's that has the same durability on the same medium.
   *
   * @param metric of the cases
   * @param most whether more is better
   */
  public static Target firstAtItsLevel(String metric, boolean most) {
    return new Target(
        ANY,
        0,
        metric,
        most ? ">= 1 x the best peer" : "<= 1 x the best peer",
        !most,
        1,
        (row, all) ->
            all.stream()
                .filter(m -> m.name().equals(row.name()) && m.threads() == row.threads())
                .filter(m -> m.metric().equals(metric) && !m.peer().startsWith(Case.EVERHEAP))
                .filter(m -> m.durability() == row.durability() && m.medium().equals(row.medium()))
                .map(Measurement::value)
                .reduce((a, b) -> most ? Math.max(a, b) : Math.min(a, b))
                .map(best -> row.value() / best)
                .orElse(null));
  }

  /**
   * Tells whether this is about a row.
   *
   * @param row the row
   */
  public boolean concerns(Measurement row) {
    if (name.equals(ANY)) {
      return row.peer().startsWith(Case.EVERHEAP) && row.metric().equals(metric);
    }
    return row.peer().equals(Case.EVERHEAP)
        && row.name().equals(name)
        && row.threads() == threads
        && row.metric().equals(metric);
  }

  /**
   * Tells in words whether a row reaches this target.
   *
   * @param row a row that this is about
   * @param all all rows of the experiment
   * @return the verdict
   */
  public String verdict(Measurement row, List<Measurement> all) {
    Double found = quantity.of(row, all);
    if (found == null) {
      return text + ": unknown";
    }
    boolean met = atMost ? found <= limit : found >= limit;
    return text + ": " + (met ? "yes" : "NO") + " (" + number(found) + ")";
  }

  private static Optional<Double> find(
      List<Measurement> all, String name, String peer, int threads, String metric) {
    return all.stream()
        .filter(m -> m.name().equals(name) && m.peer().equals(peer))
        .filter(m -> m.threads() == threads && m.metric().equals(metric))
        .map(Measurement::value)
        .findFirst();
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.3g", value)
        .replaceFirst("(\\.\\d*?)0+$", "$1")
        .replaceFirst("\\.$", "");
  }
}
