package io.everheap.benchmarks;

/** Runs the benchmarks: the arguments are JMH's own, {@code -l} lists what there is. */
public final class BenchMain {
  private BenchMain() {}

  /**
   * Runs JMH.
   *
   * @param args the options and benchmark names, as JMH defines them
   * @throws Exception if JMH cannot run
   */
  public static void main(String[] args) throws Exception {
    org.openjdk.jmh.Main.main(args);
  }
}
