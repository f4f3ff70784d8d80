package io.everheap.benchmarks.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.everheap.benchmarks.harness.Directories;
import io.everheap.benchmarks.harness.Progress;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.harness.Settings;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Measurement;
import io.everheap.benchmarks.result.Samples;
import io.everheap.support.tier.Processes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Processes
class PostgresClusterTest {
  @TempDir private Path logs;

  @Test
  void aDirectoryWithoutThePrograms() {
    assertThat(PostgresCluster.programs(List.of(logs))).isEmpty();
  }

  @Test
  void aStandbyIsMeasuredAndPromoted() throws IOException {
    assumeTrue(PostgresCluster.programs().isPresent(), "PostgreSQL is not installed");
    Path disk = Directories.create(Path.of(System.getProperty("java.io.tmpdir")));
    Samples samples = new Samples();
    try {
      new PostgresPart()
          .measure(
              new Run(
                  new Settings(true, 1, Set.of(PostgresPart.PEER), null),
                  disk,
                  disk,
                  logs,
                  samples,
                  new Progress(System.err, false, 0),
                  unwritten -> {}));
    } finally {
      Directories.delete(disk);
    }

    assertThat(samples.notRun()).isEmpty();
    assertThat(samples.measurements("replication"))
        .extracting(Measurement::name)
        .contains(UpdatesPart.ASYNC, UpdatesPart.COPIES, FailoverPart.JOIN, FailoverPart.FAILOVER);
    assertThat(samples.measurements("replication"))
        .filteredOn(row -> row.metric().equals(Case.OPS_PER_S))
        .allMatch(row -> row.value() > 0);
  }
}
