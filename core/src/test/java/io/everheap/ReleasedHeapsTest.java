package io.everheap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.journal.Journal;
import io.everheap.report.VerifyProgress;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What each release wrote is read and written by this build. A release adds its files by {@link
 * ReleasedFiles}, and its name here.
 */
@Campaign
class ReleasedHeapsTest {
  @TempDir Path dir;

  private static List<String> releases() {
    return List.of("0.9.0");
  }

  private static Map<String, String> contents(String release) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    String path = ReleasedFiles.path(release, ReleasedFiles.CONTENTS);
    try (InputStream in = ReleasedHeapsTest.class.getResourceAsStream(path)) {
      for (String line : new String(in.readAllBytes(), UTF_8).lines().toList()) {
        String[] parts = line.split("=", 2);
        contents.put(parts[0], parts[1]);
      }
    }
    return contents;
  }

  @ParameterizedTest
  @MethodSource("releases")
  void aHeapThatWasClosedIsReadAndWritten(String release) throws Exception {
    ReleasedFiles.unzip(release, ReleasedFiles.CLOSED, dir);
    try (Heap heap = Heap.builder(dir).readOnly().open()) {
      assertThat(ReleasedFiles.contents(heap)).isEqualTo(contents(release));
    }
    assertThat(Heap.builder(dir).verify(VerifyProgress.NONE).problems()).isEmpty();
    Map<String, String> changed;
    try (Heap heap = Heap.open(dir)) {
      EveryRead every = new EveryRead(heap);
      every.results();
      heap.transact(every::change);
      changed = ReleasedFiles.contents(heap);
      heap.collect();
    }
    try (Heap heap = Heap.open(dir)) {
      assertThat(ReleasedFiles.contents(heap)).isEqualTo(changed);
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("releases")
  void aHeapWhoseProcessWasKilledIsRecovered(String release) throws IOException {
    ReleasedFiles.unzip(release, ReleasedFiles.KILLED, dir);
    try (Heap heap = Heap.open(dir)) {
      assertThat(heap.stats().recovery().clean()).isFalse();
      assertThat(heap.map("words", Long.class, Long.class).remove(1_000L)).isEqualTo(1);
      assertThat(ReleasedFiles.contents(heap)).isEqualTo(contents(release));
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("releases")
  void aJournalIsReadAndWritten(String release) {
    ReleasedFiles.unzip(release, ReleasedFiles.JOURNAL, dir);
    for (int more = 0; more < 2; more++) {
      try (Journal journal = Journal.open(dir)) {
        Map<Long, String> records = ReleasedFiles.records(journal);
        assertThat(journal.nextSequence()).isEqualTo(5_000 + more);
        assertThat(journal.firstSequence()).isLessThanOrEqualTo(1_000);
        for (int i = 1_000; i < 5_000 + more; i++) {
          assertThat(records).containsEntry((long) i, ReleasedFiles.record(i));
        }
        journal.append(ReleasedFiles.record(5_000 + more).getBytes(UTF_8));
      }
    }
  }
}
