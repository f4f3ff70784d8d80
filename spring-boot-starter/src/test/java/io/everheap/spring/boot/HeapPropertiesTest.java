package io.everheap.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.HeapAnchor;
import io.everheap.error.EncryptionException;
import io.everheap.error.MissingException;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The properties of a heap, each with a program that is started for it. */
@Campaign
class HeapPropertiesTest {
  @TempDir private Path directory;

  @Test
  void propertiesAreSettingsOfTheHeap() {
    try (var other =
        HeapAutoConfigurationTest.start(
            Map.of(
                "everheap.heap.directory", directory.resolve("other").toString(),
                "everheap.heap.async-interval", "20ms",
                "everheap.heap.max-size", "1GB",
                "everheap.heap.log-size", "32MB",
                "everheap.heap.memory-budget", "64MB",
                "everheap.heap.lock-timeout", "10s",
                "everheap.heap.collect-growth", "0.5",
                "everheap.heap.archive", directory.resolve("backups").toString()))) {
      Heap opened = other.getBean(Heap.class);
      assertThat(opened.durability()).isInstanceOf(Durability.Async.class);
      assertThat(opened.stats().maxSize()).isEqualTo(1L << 30);
      assertThat(opened.stats().logSize()).isEqualTo(32L << 20);
      assertThat(directory.resolve("backups")).isNotEmptyDirectory();
    }
  }

  @Test
  void anEmptyDirectoryIsRefusedByItsProperty() {
    assertThatThrownBy(() -> HeapAutoConfigurationTest.start(Map.of("everheap.heap.directory", "")))
        .rootCause()
        .hasMessageContaining("everheap.heap.directory")
        .hasMessageContaining("empty");
  }

  @Test
  void aMissingHeapIsNotMadeIfItMustExist() {
    Path missing = directory.resolve("missing");
    assertThatThrownBy(
            () ->
                HeapAutoConfigurationTest.start(
                    Map.of(
                        "everheap.heap.directory",
                        missing.toString(),
                        "everheap.heap.must-exist",
                        "true")))
        .hasStackTraceContaining(MissingException.class.getName());
    assertThat(missing).doesNotExist();
  }

  @Test
  void aHeapIsEncryptedAndNotOlderThanItsAnchor() throws IOException {
    Path key = Files.writeString(directory.resolve("key"), "0123456789abcdef".repeat(4));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    Map<String, Object> properties =
        new HashMap<>(
            Map.of(
                "everheap.heap.directory",
                directory.resolve("secret").toString(),
                "everheap.heap.key",
                "file:" + key));
    String anchor;
    try (var first = HeapAutoConfigurationTest.start(properties)) {
      Heap secret = first.getBean(Heap.class);
      HeapAutoConfigurationTest.put(secret, "a", 1);
      anchor = HeapAnchor.of(secret).toString();
    }
    properties.put("everheap.heap.not-older-than", anchor);
    try (var second = HeapAutoConfigurationTest.start(properties)) {
      assertThat(second.getBean(Heap.class).map("accounts", String.class, Long.class))
          .containsOnlyKeys("a");
    }
    HeapAnchor known = HeapAnchor.parse(anchor);
    properties.put(
        "everheap.heap.not-older-than",
        new HeapAnchor(known.history(), known.lsn() + (1L << 30)).toString());
    assertThatThrownBy(() -> HeapAutoConfigurationTest.start(properties))
        .rootCause()
        .hasMessageContaining("anchor");
    properties.remove("everheap.heap.key");
    assertThatThrownBy(() -> HeapAutoConfigurationTest.start(properties))
        .rootCause()
        .isInstanceOf(EncryptionException.class);
  }
}
