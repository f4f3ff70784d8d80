package io.everheap.benchmarks.encryption;

import io.everheap.benchmarks.harness.Experiment;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.result.Target;
import io.everheap.benchmarks.store.PeerLaunch;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Encrypted heaps beside heaps that are not. */
public final class EncryptionExperiment implements Experiment {
  private static final double OF_SYNC = 1.15;
  private static final double OF_ASYNC = 1.5;
  private static final double OF_READS = 1.1;
  private static final double OF_OPENINGS = 2;

  private final PeerLaunch launches = new PeerLaunch();

  /** Makes the experiment. */
  public EncryptionExperiment() {}

  @Override
  public String name() {
    return "encryption";
  }

  @Override
  public String description() {
    return "encrypted heaps, caches and stores beside those in plaintext, and beside an encrypted peer";
  }

  @Override
  public Set<String> peers() {
    return Set.of(EncryptedStoresPart.MVSTORE);
  }

  @Override
  public List<Part> parts() {
    return List.of(new EncryptionPart(), new EncryptedStoresPart(launches));
  }

  @Override
  public Map<String, Object> facts(Run run) {
    return Map.of("peers", launches.facts());
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
