package io.everheap.benchmarks.store;

import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.result.Case;
import java.util.List;

/**
 * A peer in one of its modes.
 *
 * @param peer who
 * @param mode how
 */
public record Entrant(Peer peer, Mode mode) {
  /** A word that names it. */
  public String label() {
    return peer.name() + "-" + mode.level() + "-" + mode.medium();
  }

  /** Whether one process can load it and another one open it: LLPL's heaps cannot be closed. */
  public boolean reopens() {
    return mode.onDisk();
  }

  /**
   * A case of its own.
   *
   * @param name what is done
   * @param threads how many do it
   * @param metric what the value is
   */
  public Case row(String name, int threads, String metric) {
    return new Case(name, peer.name(), mode.level(), mode.medium(), threads, metric, null);
  }

  /**
   * The peers that were asked for and can replace several entries atomically, in each mode that
   * survives the end of the process.
   *
   * @param run the run
   * @param structures whether this library's other structures also run without being named
   */
  public static List<Entrant> atomic(Run run, boolean structures) {
    return wanted(run, structures).stream()
        .filter(Peer::pairs)
        .flatMap(peer -> peer.modes().stream().map(mode -> new Entrant(peer, mode)))
        .filter(entrant -> entrant.mode != Mode.VOLATILE && entrant.mode != Mode.RELAXED)
        .toList();
  }

  /**
   * The peers that were asked for, this library always.
   *
   * @param run the run
   */
  public static List<Peer> wanted(Run run) {
    return wanted(run, true);
  }

  /**
   * The peers that were asked for, this library's {@code DurableMap} always.
   *
   * @param run the run
   * @param structures whether this library's other structures also run without being named
   */
  public static List<Peer> wanted(Run run, boolean structures) {
    return Peers.ALL.stream()
        .filter(
            peer ->
                peer.name().equals(Case.EVERHEAP)
                    || (structures && peer.name().startsWith(Case.EVERHEAP))
                    || run.settings().peers().contains(peer.name()))
        .toList();
  }
}
