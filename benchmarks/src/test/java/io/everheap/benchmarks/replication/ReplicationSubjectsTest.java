package io.everheap.benchmarks.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.benchmarks.harness.Curve;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplicationSubjectsTest {
  @TempDir private Path directory;

  private Map<String, String> parameters(String name, String... more) {
    Map<String, String> parameters = new HashMap<>();
    parameters.put("directory", directory.resolve(name).toString());
    parameters.put("records", "500");
    for (int i = 0; i < more.length; i += 2) {
      parameters.put(more[i], more[i + 1]);
    }
    return parameters;
  }

  private static String[] words(String request) {
    return request.split(" ", -1);
  }

  @Test
  void aReplicaJoinsKeepsUpCatchesUpAndTakesOver() throws Exception {
    try (PrimarySubject primary = new PrimarySubject();
        ReplicaSubject replica = new ReplicaSubject()) {
      primary.open(
          parameters("primary", "sync", "false", "archive", directory.resolve("log").toString()));
      Double port = primary.measure(words("listen")).get("port");
      replica.open(parameters("replica", "port", String.valueOf(port)));

      Map<String, Double> joined = replica.measure(words("join"));
      assertThat(joined.get("bytes")).isGreaterThan(500 * Records.BYTES);
      assertThat(primary.measure(words("settle"))).containsKey("settled");
      assertThat(primary.measure(words("run platform 2 50")).get("ops")).isPositive();

      Map<String, Double> lag = primary.measure(words("lag 250"));
      assertThat(Curve.read(lag, "lag")).isNotEmpty();
      assertThat(lag).containsKeys("ops", "rate", "settled");

      replica.measure(words("leave"));
      Map<String, Double> missed = primary.measure(words("burst 50"));
      assertThat(missed.get("log")).isPositive();
      assertThat(replica.measure(words("follow " + missed.get("lsn")))).containsKey("seconds");

      assertThat(replica.measure(words("promote"))).containsKeys("seconds", "promoted");
    }
  }

  @Test
  void aReplicaOfAJournalJoinsAndCatchesUp() throws Exception {
    try (JournalPrimarySubject primary = new JournalPrimarySubject();
        JournalReplicaSubject replica = new JournalReplicaSubject()) {
      primary.open(parameters("primary", "sync", "true"));
      Double port = primary.measure(words("listen")).get("port");
      replica.open(parameters("replica", "port", String.valueOf(port)));
      replica.measure(words("join"));
      primary.measure(words("copies 1"));
      assertThat(primary.measure(words("run virtual 16 50")).get("ops")).isPositive();
      assertThat(primary.measure(words("settle"))).containsKey("settled");

      replica.measure(words("leave"));
      primary.measure(words("copies 0"));
      Map<String, Double> missed = primary.measure(words("burst 50"));
      assertThat(missed.get("log")).isPositive();
      assertThat(replica.measure(words("follow " + missed.get("lsn")))).containsKey("seconds");
    }
  }

  @Test
  void commitsThatWaitForAReplicaAreCounted() throws Exception {
    try (PrimarySubject primary = new PrimarySubject();
        ReplicaSubject replica = new ReplicaSubject()) {
      primary.open(parameters("primary", "sync", "true"));
      Double port = primary.measure(words("listen")).get("port");
      replica.open(parameters("replica", "port", String.valueOf(port)));
      replica.measure(words("join"));
      primary.measure(words("settle"));

      primary.measure(words("copies 1"));

      assertThat(primary.measure(words("run virtual 16 50")).get("ops")).isPositive();
    }
  }
}
