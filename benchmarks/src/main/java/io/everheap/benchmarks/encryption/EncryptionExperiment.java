package io.everheap.benchmarks.encryption;

import io.everheap.benchmarks.harness.Experiment;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.result.Target;
import java.util.List;
import java.util.Set;

/** Encrypted heaps beside heaps that are not. */
public final class EncryptionExperiment implements Experiment {
  private static final double OF_SYNC = 1.15;
  private static final double OF_ASYNC = 1.5;
  private static final double OF_READS = 1.1;
  private static final double OF_OPENINGS = 2;

  /** Makes the experiment. */
  public EncryptionExperiment() {}

  @Override
  public String name() {
    return "encryption";
  }

  @Override
  public String description() {
    return "encrypted heaps: commits, updates, reads and openings, and hits of encrypted caches, beside those in plaintext";
  }

  @Override
  public Set<String> peers() {
    return Set.of();
  }

  @Override
  public List<Part> parts() {
    return List.of(new EncryptionPart());
  }

  @Override
  public List<Target> targets() {
    return List.of(
        ofPlain(EncryptionPart.SYNC, OF_SYNC),
        ofPlain(EncryptionPart.ASYNC, OF_ASYNC),
        ofPlain(EncryptionPart.READ, OF_READS),
        ofPlain(EncryptionPart.OPEN, OF_OPENINGS));
  }

  private static Target ofPlain(String name, double most) {
    return Target.atMostTimesPeer(name, 1, most, EncryptionPart.PLAIN);
  }
}
