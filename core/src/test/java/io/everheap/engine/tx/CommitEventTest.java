package io.everheap.engine.tx;

import static io.everheap.engine.tx.TransactionsRig.AT;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.engine.log.KeptLog;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The event that the JDK Flight Recorder gets of each record. */
@Campaign
class CommitEventTest {
  @TempDir Path temp;

  @Test
  void eachRecordIsAnEventWithItsLsnSizeAndDuration() throws Exception {
    try (TransactionsRig rig = new TransactionsRig();
        Recording recording = new Recording()) {
      recording.enable("io.everheap.Commit");
      recording.start();
      rig.participant.applied =
          () -> {
            long begin = System.nanoTime();
            Limit.spinUntil("time has passed", () -> System.nanoTime() - begin > 3_000_000);
          };
      rig.transact(() -> rig.memory.putLong(Stripes.NONE, AT, 1));
      rig.transact(() -> {});
      rig.transact(() -> rig.memory.putBytes(Stripes.NONE, AT, new byte[24], 0, 24));
      recording.stop();
      Path file = temp.resolve("commits.jfr");
      recording.dump(file);
      List<RecordedEvent> events =
          RecordingFile.readAllEvents(file).stream()
              .filter(event -> event.getEventType().getName().equals("io.everheap.Commit"))
              .toList();
      assertThat(events)
          .extracting(event -> event.getLong("lsn"))
          .containsExactly(KeptLog.START + 32, KeptLog.START + 32 + 48);
      assertThat(events).extracting(event -> event.getLong("bytes")).containsExactly(16L, 32L);
      assertThat(events)
          .allSatisfy(event -> assertThat(event.getDuration()).isGreaterThan(Duration.ofMillis(2)));
    }
  }
}
