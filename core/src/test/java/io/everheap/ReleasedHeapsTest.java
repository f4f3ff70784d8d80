package io.everheap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.journal.Journal;
import io.everheap.support.release.Release;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What each release wrote is read and written by this build. */
@Campaign
class ReleasedHeapsTest {
  private static final String RELEASES = "io.everheap.support.release.Release#all";

  @TempDir Path dir;

  @ParameterizedTest
  @MethodSource(RELEASES)
  void aHeapThatWasClosedIsReadAndWritten(Release release) throws Exception {
    release.unzip(ReleasedFiles.CLOSED, dir);
    try (Heap heap = Heap.builder(dir).readOnly().open()) {
      assertThat(ReleasedFiles.contents(heap)).isEqualTo(release.contents(ReleasedFiles.CONTENTS));
    }
    assertThat(HeapCheck.verify(dir).problems()).isEmpty();
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
  @MethodSource(RELEASES)
  void aHeapWhoseProcessWasKilledIsRecovered(Release release) throws IOException {
    release.unzip(ReleasedFiles.KILLED, dir);
    try (Heap heap = Heap.open(dir)) {
      assertThat(heap.stats().recovery().clean()).isFalse();
      assertThat(heap.map("words", Long.class, Long.class).remove(1_000L)).isEqualTo(1);
      assertThat(ReleasedFiles.contents(heap)).isEqualTo(release.contents(ReleasedFiles.CONTENTS));
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource(RELEASES)
  void aJournalIsReadAndWritten(Release release) throws IOException {
    release.unzip(ReleasedFiles.JOURNAL, dir);
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
