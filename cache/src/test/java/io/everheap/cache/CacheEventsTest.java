package io.everheap.cache;

import static io.everheap.cache.Caches.key;
import static io.everheap.cache.Caches.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the flight recorder tells of a cache, and what is refused before there is one. */
class CacheEventsTest {
  @TempDir Path directory;

  @Test
  void recoveriesSyncsAndEvictionsAreRecorded() throws IOException {
    List<RecordedEvent> events;
    try (Recording recording = new Recording()) {
      recording.enable("io.everheap.CacheRecovery");
      recording.enable("io.everheap.CacheSync");
      recording.enable("io.everheap.CacheEviction");
      recording.start();
      try (BlockCache cache = Caches.small(directory).open()) {
        for (int i = 0; i < 20; i++) {
          cache.put(key(i), value(i, 60_000)); // more than fit
        }
        cache.sync();
      }
      try (BlockCache cache = Caches.small(directory).open()) {
        cache.awaitIndexed();
      }
      recording.stop();
      Path file = directory.resolve("recording.jfr");
      recording.dump(file);
      events = RecordingFile.readAllEvents(file);
    }
    assertThat(named(events, "CacheRecovery"))
        .anySatisfy(event -> assertThat(event.getLong("entries")).isEqualTo(8))
        .allSatisfy(event -> assertThat(event.getLong("damaged")).isZero());
    assertThat(named(events, "CacheSync"))
        .anySatisfy(event -> assertThat(event.getLong("sequence")).isEqualTo(20));
    assertThat(named(events, "CacheEviction"))
        .hasSize(12)
        .allSatisfy(event -> assertThat(event.getLong("entries")).isEqualTo(1))
        .allSatisfy(event -> assertThat(event.getLong("bytes")).isEqualTo(60_000));
  }

  private static List<RecordedEvent> named(List<RecordedEvent> events, String name) {
    return events.stream()
        .filter(event -> event.getEventType().getName().equals("io.everheap." + name))
        .toList();
  }

  @Test
  void aCapacityWithoutRoomForASegmentIsRefused() {
    long least = 8192 + 4096 + Caches.SEGMENT;
    for (long capacity : new long[] {1, least - 1}) {
      assertThatThrownBy(() -> BlockCache.builder(directory, capacity).onFile().open())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("at least " + least);
    }
    assertThat(directory.resolve("cache")).doesNotExist();
    try (BlockCache cache = BlockCache.builder(directory, least).onFile().open()) {
      assertThat(cache.put(key(1), value(1, 1000))).isTrue();
    }
  }
}
