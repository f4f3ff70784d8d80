package io.everheap.benchmarks.replication;

import io.everheap.benchmarks.harness.Experiment;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Target;
import java.util.List;
import java.util.Set;

/** Backups: their speed beside that of the disk, and what they cost writers. */
public final class BackupExperiment implements Experiment {
  private static final double OF_DISK = 0.8;
  private static final double OF_WRITERS = 0.9;
  private static final double OF_FULL = 0.02;

  /** Makes the experiment. */
  public BackupExperiment() {}

  @Override
  public String name() {
    return "backup";
  }

  @Override
  public String description() {
    return "backups: full, incremental, restored, and what they and the archive cost writers";
  }

  @Override
  public Set<String> peers() {
    return Set.of();
  }

  @Override
  public List<Part> parts() {
    return List.of(new BackupPart(), new ArchivePart());
  }

  @Override
  public List<Target> targets() {
    return List.of(
        speed(BackupPart.COLD, BackupPart.READ),
        speed(BackupPart.WARM, BackupPart.READ),
        speed(BackupPart.COLD, BackupPart.COPY),
        speed(BackupPart.WARM, BackupPart.COPY),
        Ratios.of(
            BackupPart.INCREMENTAL, Case.SECONDS, true, OF_FULL, BackupPart.WARM, Case.EVERHEAP),
        Ratios.ofAlone(BackupPart.WRITERS, 1, OF_WRITERS),
        Ratios.ofAlone(BackupPart.WRITERS_LIMITED, 1, OF_WRITERS),
        Ratios.ofAlone(ArchivePart.ARCHIVE, 1, OF_WRITERS));
  }

  private static Target speed(String name, String peer) {
    return Ratios.of(name, KeepUpPart.MB_PER_S, false, OF_DISK, name, peer);
  }
}
