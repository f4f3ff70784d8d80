package io.everheap.cache;

import static io.everheap.cache.Caches.key;
import static io.everheap.cache.Caches.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.cache.format.Superblock;
import io.everheap.error.EverheapException;
import io.everheap.error.ForeignException;
import io.everheap.support.tier.Campaign;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Caches whose file was changed by something else: opened or refused, never wrong. */
@Campaign
class DamagedCacheTest {
  private static final int KEYS = 300;

  @TempDir Path directory;
  private byte[] sound;

  @BeforeEach
  void make() throws Exception {
    try (BlockCache cache = Caches.small(directory).open()) {
      for (int i = 0; i < 2 * KEYS; i++) {
        cache.put(key(i % KEYS), value(i, i % 1500));
      }
    }
    sound = Files.readAllBytes(directory.resolve("cache"));
  }

  @Test
  void aFileWithDamagedBytesIsServedWithoutThem() throws Exception {
    Random random = new Random(1);
    for (int round = 0; round < 150; round++) {
      byte[] damaged = sound.clone();
      int count = 1 << random.nextInt(10);
      for (int i = 0; i < count; i++) {
        damaged[8192 + random.nextInt(damaged.length - 8192)] ^= (byte) (1 << random.nextInt(8));
      }
      survives(damaged, "round " + round);
    }
  }

  @Test
  void tablesAndHeadersOfRandomBytesAreServedWithoutThem() throws Exception {
    Random random = new Random(2);
    for (int round = 0; round < 150; round++) {
      byte[] damaged = sound.clone();
      int segment = 8192 + 4096 + random.nextInt(8) * Caches.SEGMENT;
      byte[] noise = new byte[1 + random.nextInt(random.nextBoolean() ? 16 : 5000)];
      random.nextBytes(noise);
      System.arraycopy(noise, 0, damaged, segment + random.nextInt(4200) / 8 * 8, noise.length);
      survives(damaged, "round " + round);
    }
  }

  @Test
  void aFileOfAnotherLengthIsServedAsFarAsItGoes() throws Exception {
    Random random = new Random(3);
    for (int round = 0; round < 50; round++) {
      survives(java.util.Arrays.copyOf(sound, random.nextInt(2 * sound.length)), "round " + round);
    }
  }

  @Test
  void aFileOfAnotherLengthIsReportedOrRefused() throws Exception {
    Random random = new Random(4);
    for (int round = 0; round < 50; round++) {
      byte[] file = java.util.Arrays.copyOf(sound, random.nextInt(2 * sound.length));
      Files.write(directory.resolve("cache"), file);
      try {
        assertThat(CacheCheck.verify(directory).entries()).isNotNegative();
      } catch (EverheapException e) {
        assertThat(e).hasMessageContaining("cache");
      }
    }
  }

  @Test
  void oneSoundSuperblockSuffices() throws Exception {
    for (int block = 0; block < 2; block++) {
      byte[] damaged = sound.clone();
      damaged[block * 4096 + 100] ^= 1;
      survives(damaged, "superblock " + block);
    }
  }

  /** What is found is right; the cache can be used. */
  private void survives(byte[] file, String what) throws Exception {
    Files.write(directory.resolve("cache"), file);
    try (BlockCache cache = Caches.small(directory).open()) {
      cache.awaitIndexed();
      for (int i = 0; i < KEYS; i++) {
        byte[] found = Caches.get(cache, i);
        assertThat(found == null || Caches.holds(cache, i, value(i + KEYS, (i + KEYS) % 1500)))
            .as("%s, key %s", what, i)
            .isTrue();
      }
      for (int i = 0; i < 600; i++) {
        assertThat(cache.put(key(-i), value(-i, 2000))).as(what).isTrue();
        assertThat(Caches.holds(cache, -i, value(-i, 2000))).as(what).isTrue();
      }
    } catch (EverheapException e) {
      assertThat(Files.readAllBytes(directory.resolve("cache")))
          .as("%s, refused: %s", what, e)
          .isEqualTo(file);
    }
  }

  @Test
  void aSuperblockOfImpossibleSizesIsRefused() throws Exception {
    Path file = directory.resolve("cache");
    for (long size : new long[] {0, -1, 65_537, 1L << 40}) {
      for (boolean removals : new boolean[] {false, true}) {
        byte[] damaged = sound.clone();
        for (int at = 0; at < 8192; at += Superblock.SIZE) {
          Superblock its =
              Superblock.read(ByteBuffer.wrap(damaged, at, Superblock.SIZE).slice(), null);
          assertThat(its).isNotNull();
          new Superblock(
                  its.cache(),
                  its.device(),
                  its.fileSize(),
                  removals ? its.segmentSize() : size,
                  removals ? size : its.removalBytes(),
                  its.hashSeed(),
                  its.state())
              .write(ByteBuffer.wrap(damaged, at, Superblock.SIZE).slice(), null);
        }
        Files.write(file, damaged);
        assertThatThrownBy(() -> Caches.small(directory).open())
            .isInstanceOf(ForeignException.class);
        assertThat(Files.readAllBytes(file)).as("it is left alone").isEqualTo(damaged);
      }
    }
  }
}
