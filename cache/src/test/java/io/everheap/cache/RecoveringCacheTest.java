package io.everheap.cache;

import static io.everheap.cache.Caches.get;
import static io.everheap.cache.Caches.key;
import static io.everheap.cache.Caches.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.cache.format.State;
import io.everheap.cache.format.Superblock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is put and removed before all entries of earlier openings are known. */
class RecoveringCacheTest {
  private static final int COUNT = 5000; // more than the cache holds

  @TempDir Path directory;

  private void fill() {
    try (BlockCache cache = open()) {
      for (int i = 0; i < COUNT; i++) {
        cache.put(key(i), value(i, 100));
      }
      assertThat(cache.stats().evictions()).isPositive();
    }
  }

  private BlockCache open() {
    return Caches.small(directory).open();
  }

  @Test
  void whatIsPutIntoAFullCacheDoesNotWaitUntilAllIsKnown() {
    fill();
    try (BlockCache cache = open()) {
      for (int i = 0; i < 2 * COUNT; i++) {
        assertThat(cache.put(key(i), value(-i, 100))).isTrue();
        assertThat(get(cache, i)).isEqualTo(value(-i, 100));
      }
      assertThat(cache.isIndexed()).isFalse();
      cache.awaitIndexed();
      for (int i = 0; i < COUNT; i++) {
        byte[] found = get(cache, i);
        assertThat(found == null || Arrays.equals(found, value(-i, 100)))
            .as("block %s is not the old one", i)
            .isTrue();
      }
      assertThat(cache.stats().rejects()).isZero();
    }
  }

  @Test
  void removalsDoNotWaitUntilAllIsKnown() {
    fill();
    try (BlockCache cache = open()) {
      for (int i = 0; i < 10 * COUNT; i++) {
        cache.invalidate(key(i));
      }
      assertThat(cache.isIndexed()).isFalse();
      cache.awaitIndexed();
      assertThat(cache.stats().entries()).isZero();
    }
  }

  @Test
  void aBlockThatNeedsMoreRoomThanIsKnownWaitsForIt() {
    int most = Caches.SEGMENT - 4160 - key("large").length;
    fill();
    try (BlockCache cache = open()) {
      assertThat(cache.put(key("large"), value(1, most))).isTrue();
      assertThat(get(cache, "large")).isEqualTo(value(1, most));
      assertThat(cache.stats().rejects()).isZero();
    }
  }

  @Test
  void segmentsThatWereNeverUsedAreFilledBeforeAnythingIsEvicted() {
    try (BlockCache cache = open()) {
      for (int i = 0; i < 4; i++) {
        cache.put(key(i), value(i, 60_000));
      }
    }
    try (BlockCache cache = open()) {
      for (int i = 4; i < 8; i++) {
        assertThat(cache.put(key(i), value(i, 60_000))).isTrue();
      }
      cache.awaitIndexed();
      for (int i = 0; i < 8; i++) {
        assertThat(get(cache, i)).isEqualTo(value(i, 60_000));
      }
    }
  }

  @Test
  void whatWasPutDuringARecoveryIsThereAfterTheNextOne() {
    try (BlockCache cache = open()) {
      cache.awaitIndexed();
      for (int i = 0; i < 500; i++) {
        cache.put(key(i), value(i, 100));
      }
    }
    try (BlockCache cache = open()) {
      for (int i = 0; i < 100; i++) {
        cache.put(key(i), value(-i, 100));
      }
      cache.invalidate(key(100));
      assertThat(cache.isIndexed()).isFalse();
    }
    try (BlockCache cache = open()) {
      cache.invalidate(key(101));
      cache.awaitIndexed();
      int present = 0;
      for (int i = 0; i < 100; i++) {
        byte[] found = get(cache, i);
        present += Arrays.equals(found, value(-i, 100)) ? 1 : 0;
        assertThat(found == null || Arrays.equals(found, value(-i, 100)))
            .as("block %s is not the old one", i)
            .isTrue();
      }
      assertThat(present).as("all but those that share a bit with block 101").isGreaterThan(95);
      assertThat(get(cache, 100)).isNull();
      assertThat(get(cache, 101)).isNull();
    }
    try (BlockCache cache = open()) {
      cache.awaitIndexed();
      assertThat(cache.stats().recovered()).as("the map is empty again").isGreaterThan(480);
    }
  }

  @Test
  void theMapIsEmptyWhenAllIsKnown() throws IOException {
    fill();
    try (BlockCache cache = open()) {
      cache.invalidate(key(1));
      assertThat(map()).isNotEqualTo(new byte[4096]);
      cache.awaitIndexed();
      assertThat(map()).isEqualTo(new byte[4096]);
    }
  }

  private byte[] map() throws IOException {
    byte[] bytes = Files.readAllBytes(directory.resolve("cache"));
    return Arrays.copyOfRange(bytes, 8192, 8192 + 4096);
  }

  /** Version 1 of the format had a list of pairs in the place of the map. */
  @Test
  void aCacheOfTheVersionBeforeIsReadUnlessItsRecoveryDidNotEnd() throws IOException {
    for (boolean scanning : new boolean[] {false, true}) {
      Files.deleteIfExists(directory.resolve("cache"));
      try (BlockCache cache = open()) {
        cache.put(key(1), value(1, 100));
        cache.awaitIndexed();
      }
      toVersion1(scanning);
      try (BlockCache cache = open()) {
        cache.put(key(2), value(2, 100));
        cache.awaitIndexed();
        assertThat(get(cache, 1)).isEqualTo(scanning ? null : value(1, 100));
        assertThat(get(cache, 2)).isEqualTo(value(2, 100));
      }
      assertThat(
              Superblock.version(ByteBuffer.wrap(Files.readAllBytes(directory.resolve("cache")))))
          .isEqualTo(Superblock.VERSION);
      try (BlockCache cache = open()) {
        cache.awaitIndexed();
        assertThat(get(cache, 1)).isEqualTo(scanning ? null : value(1, 100));
        assertThat(get(cache, 2)).isEqualTo(value(2, 100));
      }
    }
  }

  private void toVersion1(boolean scanning) throws IOException {
    Path file = directory.resolve("cache");
    byte[] bytes = Files.readAllBytes(file);
    for (int at = 0; at < 8192; at += Superblock.SIZE) {
      ByteBuffer block = ByteBuffer.wrap(bytes, at, Superblock.SIZE).slice();
      Superblock its = Superblock.read(block, null);
      assertThat(its).isNotNull();
      new Superblock(
              its.cache(),
              its.device(),
              its.fileSize(),
              its.segmentSize(),
              its.removalBytes(),
              its.hashSeed(),
              its.state().flag(State.SCANNING, scanning))
          .write(block, null);
      block.order(ByteOrder.LITTLE_ENDIAN).putInt(8, 1);
      var crc = new CRC32C();
      crc.update(block.slice(0, 12));
      crc.update(block.slice(16, Superblock.SIZE - 16));
      block.putInt(12, (int) crc.getValue());
    }
    if (scanning) {
      ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(8192, 7).putLong(8200, 9);
    }
    Files.write(file, bytes);
  }
}
