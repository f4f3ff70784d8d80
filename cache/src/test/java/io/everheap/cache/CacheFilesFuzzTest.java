package io.everheap.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.cache.format.FileLayout;
import io.everheap.cache.format.Mix;
import io.everheap.cache.format.SegmentLayout;
import io.everheap.cache.format.SlotLayout;
import io.everheap.encryption.KeyProvider;
import io.everheap.error.EverheapException;
import io.everheap.memory.Region;
import io.everheap.report.VerifyProgress;
import io.everheap.support.fuzz.Directories;
import io.everheap.support.fuzz.Fuzz;
import io.everheap.support.fuzz.Mutation;
import io.everheap.support.fuzz.Mutator;
import io.everheap.support.release.Release;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every file of a cache, with and without right checksums. Without them an entry is what was put
 * last, or a miss. With them opening, reading, reporting, changing and closing end in data or in an
 * exception of the library.
 */
@Campaign
class CacheFilesFuzzTest {
  private static final String FILE = "blocks/" + FileLayout.NAME;
  private static final int SUPERBLOCK = 4096;
  private static final long MOST_STORED = 16L << 20;
  private static final Release RELEASE = Release.all().getFirst();

  @TempDir Path temp;

  private Path directory() {
    return temp.resolve("caches");
  }

  private Fuzz<SequencedMap<String, byte[]>> fuzz(
      String target, int inputs, String kind, Mutation<SequencedMap<String, byte[]>> mutation)
      throws IOException {
    Fuzz<SequencedMap<String, byte[]>> fuzz = Fuzz.files(target, mutation);
    for (String state : List.of("closed", "killed")) {
      fuzz.from(RELEASE.contents(kind + "-" + state, temp.resolve("corpus-" + state)));
    }
    return fuzz.inputs(inputs)
        .stored(directory(), MOST_STORED)
        .allow(CacheFilesFuzzTest::isRefusal);
  }

  /** The file says how large segments are, the program how much room there is. */
  private static boolean isRefusal(Throwable failure) {
    return failure instanceof EverheapException
        || (failure instanceof IllegalArgumentException
            && String.valueOf(failure.getMessage()).contains("has no room for a segment"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "encrypted"})
  void blocksAsTheyAre(String kind) throws IOException {
    @Nullable KeyProvider key = kind.equals("encrypted") ? KeyProvider.of(RELEASE.key()) : null;
    fuzz("cache-" + kind + "-raw", 40, kind, Mutation.files(name -> name.startsWith("blocks/")))
        .run(input -> useBlocks(input, key, true));
  }

  @Test
  void blocksWithRightChecksums() throws IOException {
    fuzz("cache-checksums", 60, "plain", CacheFilesFuzzTest::forged)
        .run(input -> useBlocks(input, null, false));
  }

  /** Keys and values that are codecs' and Java's serialization, in blocks with right checksums. */
  @Test
  void valuesWithRightChecksums() throws IOException {
    fuzz("cache-values", 25, "plain", CacheFilesFuzzTest::forgedValues).run(this::useValues);
  }

  // ---- Mutations ----------------------------------------------------------------------------

  private static SequencedMap<String, byte[]> forged(
      SequencedMap<String, byte[]> input, SequencedMap<String, byte[]> other, Mutator mutator) {
    SequencedMap<String, byte[]> files = new TreeMap<>(input);
    byte[] bytes = files.get(FILE);
    files.put(
        FILE,
        switch (mutator.random().nextInt(3)) {
          case 0 -> superblocks(bytes, mutator);
          case 1 -> slots(bytes, mutator, false);
          default -> superblocks(slots(bytes, mutator, false), mutator);
        });
    return files;
  }

  private static SequencedMap<String, byte[]> forgedValues(
      SequencedMap<String, byte[]> input, SequencedMap<String, byte[]> other, Mutator mutator) {
    SequencedMap<String, byte[]> files = new TreeMap<>(input);
    for (String name : List.of("any/" + FileLayout.NAME, "lists/" + FileLayout.NAME)) {
      files.put(name, slots(files.get(name), mutator, true));
    }
    return files;
  }

  private static byte[] superblocks(byte[] old, Mutator mutator) {
    byte[] bytes = old;
    for (int slot = 0; slot < 2 * SUPERBLOCK; slot += SUPERBLOCK) {
      if (mutator.random().nextInt(3) > 0) {
        bytes = mutator.mutateRange(bytes, slot + 16, slot + 460);
        var crc = new CRC32C();
        crc.update(bytes, slot, 12);
        crc.update(bytes, slot + 16, SUPERBLOCK - 16);
        view(bytes).putInt(slot + 12, (int) crc.getValue());
      }
    }
    return bytes;
  }

  private static ByteBuffer view(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Changes slots or blocks, and gives them the checks that they must have. */
  private static byte[] slots(byte[] old, Mutator mutator, boolean blocks) {
    byte[] bytes = old.clone();
    ByteBuffer b = view(bytes);
    long salt = Mix.mix(b.getLong(24) ^ b.getLong(32));
    int segmentSize = (int) b.getLong(48);
    int first = (int) FileLayout.segments(b.getLong(56));
    for (int at = first; at + segmentSize <= bytes.length; at += segmentSize) {
      int chunks =
          SegmentLayout.chunks(b.getLong(at), salt + (at - first) / segmentSize, segmentSize);
      for (int i = 0; i < chunks * SegmentLayout.CHUNK_SLOTS; i++) {
        int slot = at + (SegmentLayout.HEADER_GRANULES + i) * SegmentLayout.GRANULE;
        if (b.getLong(slot) != 0 && mutator.random().nextInt(blocks ? 3 : 6) == 0) {
          slot(b, mutator, at, slot, salt, blocks);
        }
      }
    }
    return bytes;
  }

  @SuppressWarnings("ByteBufferBackingArray") // it wraps a whole array
  private static void slot(
      ByteBuffer b, Mutator mutator, int segment, int slot, long salt, boolean block) {
    byte[] bytes = b.array();
    int from = slot;
    int to = slot + 48;
    int place = segment + b.getInt(slot + 16) * SegmentLayout.GRANULE;
    int length = b.getInt(slot + 20) + b.getInt(slot + 24);
    if (block && length > 0 && place + length <= bytes.length) {
      from = place;
      to = place + (mutator.random().nextBoolean() ? b.getInt(slot + 24) : length);
    }
    byte[] mutated = mutator.mutateRange(bytes, from, to);
    System.arraycopy(mutated, from, bytes, from, to - from);
    if (block) {
      var crc = new CRC32C();
      crc.update(bytes, place, length);
      b.putInt(slot + 28, (int) crc.getValue());
    }
    // the check depends on where the slot is in the file
    try (Region region = Region.allocate(bytes.length)) {
      for (int i = slot; i < slot + SlotLayout.SIZE; i += 8) {
        region.putLong(i, b.getLong(i));
      }
      long sequence = b.getLong(slot);
      SlotLayout.fill(
          region,
          slot,
          salt,
          sequence,
          b.getLong(slot + 8),
          b.getInt(slot + 28),
          0,
          mutator.random().nextInt(4) == 0 ? b.getLong(slot + 32) : SlotLayout.NEVER,
          b.getLong(slot + 40));
      for (int i = slot + 8; i < slot + SlotLayout.SIZE; i += 8) {
        b.putLong(i, region.getLong(i));
      }
    }
  }

  // ---- The oracle ---------------------------------------------------------------------------

  private void useBlocks(
      SequencedMap<String, byte[]> input, @Nullable KeyProvider key, boolean exact) {
    Path caches = Directories.write(input, directory());
    attempt(() -> CacheCheck.verify(caches.resolve("blocks"), key, VerifyProgress.NONE));
    attempt(() -> CacheReport.forEach(caches.resolve("blocks"), entry -> true, key));
    try (BlockCache cache = ReleasedCaches.blocks(caches, key)) {
      cache.awaitIndexed();
      for (int i = 0; i < ReleasedCaches.BLOCKS; i++) {
        byte @Nullable [] found = Caches.get(cache, i);
        if (exact && found != null) {
          byte[] value =
              i == ReleasedCaches.REPLACED ? Caches.value(-1, 100) : Caches.value(i, i * 50);
          assertThat(i).isNotEqualTo(ReleasedCaches.REMOVED);
          assertThat(Arrays.equals(found, value)).as("block %s", i).isTrue();
        }
      }
      cache.stats();
      for (int i = 0; i < 2 * ReleasedCaches.BLOCKS; i++) {
        cache.put(Caches.key(i), Caches.value(100 + i, 70 * i));
      }
      cache.invalidate(Caches.key(1));
      for (int i = 2; i < 2 * ReleasedCaches.BLOCKS; i++) {
        byte @Nullable [] found = Caches.get(cache, i);
        if (found != null) {
          assertThat(found).as("block %s", i).isEqualTo(Caches.value(100 + i, 70 * i));
        }
      }
      cache.sync();
    }
    ReleasedCaches.blocks(caches, key).close();
  }

  private void useValues(SequencedMap<String, byte[]> input) {
    Path caches = Directories.write(input, directory());
    try (var any = ReleasedCaches.any(caches, null)) {
      any.blocks().awaitIndexed();
      any.asMap().forEach((entryKey, value) -> any.getIfPresent(entryKey));
      any.put("new", "value");
      assertThat(any.getIfPresent("new")).isEqualTo("value");
    }
    try (var lists = ReleasedCaches.lists(caches, null)) {
      lists.blocks().awaitIndexed();
      lists.asMap().forEach((entryKey, value) -> lists.getIfPresent(entryKey));
      for (long i = 0; i < 10; i++) {
        lists.getIfPresent(List.of(i, -i));
      }
    }
  }

  private static void attempt(Runnable action) {
    try {
      action.run();
    } catch (EverheapException e) {
      assertThat(e.code()).startsWith("EH-");
      assertThat(e.getMessage()).isNotBlank();
    }
  }
}
