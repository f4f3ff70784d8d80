package io.everheap.benchmarks.ycsb;

import java.util.Properties;
import site.ycsb.workloads.CoreWorkload;

/**
 * The six core workloads of YCSB, as its files {@code workloada} to {@code workloadf} have them.
 */
enum WorkloadMix {
  /** Half reads, half updates. */
  A(0.5, 0.5, 0, 0, 0, "zipfian"),
  /** 95 % reads, 5 % updates. */
  B(0.95, 0.05, 0, 0, 0, "zipfian"),
  /** Reads only. */
  C(1, 0, 0, 0, 0, "zipfian"),
  /** 95 % reads of what was inserted lately, 5 % inserts. */
  D(0.95, 0, 0.05, 0, 0, "latest"),
  /** 95 % scans of up to 100 records, 5 % inserts. */
  E(0, 0, 0.05, 0.95, 0, "zipfian"),
  /** Half reads, half read-modify-writes. */
  F(0.5, 0, 0, 0, 0.5, "zipfian");

  private final double reads;
  private final double updates;
  private final double inserts;
  private final double scans;
  private final double modifications;
  private final String distribution;

  WorkloadMix(
      double reads,
      double updates,
      double inserts,
      double scans,
      double modifications,
      String distribution) {
    this.reads = reads;
    this.updates = updates;
    this.inserts = inserts;
    this.scans = scans;
    this.modifications = modifications;
    this.distribution = distribution;
  }

  /** Whether it needs the order of the keys. */
  boolean scans() {
    return scans > 0;
  }

  /** The properties of YCSB for this workload, with a distribution in place of its own or not. */
  Properties properties(RecordShape shape, long records, String otherDistribution) {
    Properties p = loading(shape, records);
    p.setProperty(CoreWorkload.READ_PROPORTION_PROPERTY, Double.toString(reads));
    p.setProperty(CoreWorkload.UPDATE_PROPORTION_PROPERTY, Double.toString(updates));
    p.setProperty(CoreWorkload.INSERT_PROPORTION_PROPERTY, Double.toString(inserts));
    p.setProperty(CoreWorkload.SCAN_PROPORTION_PROPERTY, Double.toString(scans));
    p.setProperty(CoreWorkload.READMODIFYWRITE_PROPORTION_PROPERTY, Double.toString(modifications));
    // Runs end by time; the number only tells the zipfian generator how many inserts to expect.
    p.setProperty("operationcount", Long.toString(Math.min(records, Integer.MAX_VALUE)));
    boolean own = otherDistribution.isEmpty() || distribution.equals("latest");
    p.setProperty(
        CoreWorkload.REQUEST_DISTRIBUTION_PROPERTY, own ? distribution : otherDistribution);
    return p;
  }

  /** The properties for loading so many records. */
  static Properties loading(RecordShape shape, long records) {
    Properties p = new Properties();
    p.setProperty("workload", CoreWorkload.class.getName());
    p.setProperty("recordcount", Long.toString(records));
    p.setProperty(CoreWorkload.FIELD_COUNT_PROPERTY, Integer.toString(shape.fields()));
    p.setProperty(CoreWorkload.FIELD_LENGTH_PROPERTY, Integer.toString(shape.fieldBytes()));
    return p;
  }
}
