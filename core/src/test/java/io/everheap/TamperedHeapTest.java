package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.collection.DurableLongArray;
import io.everheap.encryption.KeyProvider;
import io.everheap.error.CorruptException;
import io.everheap.error.EverheapException;
import io.everheap.report.VerifyProgress;
import io.everheap.report.VerifyReport;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What somebody who can write to the files of an encrypted heap, but has no key, can do to it. */
@Campaign
class TamperedHeapTest {
  private static final int EFFORT = Integer.getInteger("everheap.crash.effort", 1);
  private static final KeyProvider KEY = KeyProvider.of(new byte[32]);
  private static final int HEADER = 4096;
  private static final int STORED = 9 * 512;
  private static final int ENTRIES = 4000;

  @TempDir Path temp;

  private Path heap() {
    return temp.resolve("heap");
  }

  private Heap open() {
    return Heap.builder(heap()).encrypt(KEY).open();
  }

  private void store(String value) {
    try (Heap heap = open()) {
      var map = heap.map("m", Integer.class, String.class);
      heap.transact(
          () -> {
            for (int i = 0; i < ENTRIES; i++) {
              map.put(i, value + i);
            }
          });
    }
  }

  private static void expect(Heap heap, String value) {
    var map = heap.map("m", Integer.class, String.class);
    for (int i = 0; i < ENTRIES; i++) {
      assertThat(map.get(i)).isEqualTo(value + i);
    }
  }

  private VerifyReport verify() {
    return HeapCheck.verify(heap(), KEY, VerifyProgress.NONE);
  }

  private Map<String, byte[]> files() {
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(heap())) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        files.put(heap().relativize(file).toString(), Files.readAllBytes(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    files.remove("lock");
    files.remove("owner");
    return files;
  }

  private void put(Map<String, byte[]> files) {
    files.forEach(this::put);
  }

  private void put(String file, byte[] bytes) {
    try {
      Files.write(heap().resolve(file), bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether the heap is refused, or reported, or what it holds is what was stored last. */
  private void requireNothingWrong(String what, String value) {
    try (Heap heap = open()) {
      expect(heap, value);
    } catch (EverheapException e) {
      assertThat(e.code())
          .as(what)
          .isIn("EH-CORRUPT", "EH-TRUNCATED", "EH-ENCRYPTION", "EH-CORRUPT-LOG");
    }
  }

  /** A byte of any file is changed: what is read is right, or refused. */
  @Test
  void aChangedByteNeverChangesWhatIsRead() {
    store("a");
    store("b");
    Map<String, byte[]> sound = files();
    Random random = new Random(1);
    int refused = 0;
    for (String file : sound.keySet()) {
      for (int i = 0; i < 12 * EFFORT; i++) {
        byte[] bytes = sound.get(file).clone();
        int at = i < 5 ? random.nextInt(Math.min(64, bytes.length)) : random.nextInt(bytes.length);
        bytes[at] ^= (byte) (1 << random.nextInt(8));
        put(sound);
        put(file, bytes);
        try (Heap heap = open()) {
          expect(heap, "b");
        } catch (EverheapException e) {
          refused++;
        }
      }
    }
    assertThat(refused).isPositive();
  }

  /** As without encryption, the other superblock is used, and verify reports it. */
  @Test
  void oneDamagedSuperblockIsReported() {
    store("a");
    Map<String, byte[]> sound = files();
    for (int slot = 0; slot < 2; slot++) {
      byte[] bytes = sound.get("heap").clone();
      bytes[HEADER + slot * STORED + 100] ^= 1;
      put(sound);
      put("heap", bytes);
      assertThat(verify().problems().toString()).contains("the superblock is damaged");
      try (Heap heap = open()) {
        expect(heap, "a");
      }
    }
  }

  /** A superblock is in two sectors of an encrypted file: a crash may leave one of them. */
  @Test
  void aTornSuperblockIsNoDamage() {
    store("a");
    byte[] old = files().get("heap");
    store("b");
    Map<String, byte[]> sound = files();
    int torn = 0;
    for (int slot = 0; slot < 2; slot++) {
      for (int sector = 0; sector < 2; sector++) {
        byte[] bytes = sound.get("heap").clone();
        int at = HEADER + slot * STORED + sector * 512;
        System.arraycopy(old, at, bytes, at, 512);
        put(sound);
        put("heap", bytes);
        VerifyReport report = verify();
        assertThat(report.problems().toString()).doesNotContain("superblock is damaged");
        torn += report.ok() ? 1 : 0;
        requireNothingWrong("slot " + slot, "b");
      }
    }
    assertThat(torn).isPositive();
  }

  /** Pages of zeros, which read as zeros, are noticed when they are used. */
  @Test
  void pagesAreNotTakenAway() {
    store("a");
    Map<String, byte[]> sound = files();
    byte[] bytes = sound.get("heap").clone();
    Arrays.fill(bytes, HEADER + 2 * STORED, bytes.length, (byte) 0);
    put("heap", bytes);
    assertThatThrownBy(
            () -> {
              try (Heap heap = open()) {
                expect(heap, "a");
              }
            })
        .isInstanceOf(CorruptException.class);
  }

  /** Each page is authentic, but none is the one that was written last. */
  @Test
  void oldPagesAreRefused() {
    store("a");
    byte[] old = files().get("heap");
    store("b");
    byte[] bytes = files().get("heap");
    int changed = 0;
    for (int at = HEADER + 2 * STORED;
        at + STORED <= Math.min(old.length, bytes.length);
        at += STORED) {
      if (!Arrays.equals(old, at, at + STORED, bytes, at, at + STORED)) {
        System.arraycopy(old, at, bytes, at, STORED);
        changed++;
      }
    }
    assertThat(changed).isGreaterThan(10);
    put("heap", bytes);
    assertThatThrownBy(
            () -> {
              try (Heap heap = open()) {
                expect(heap, "b");
              }
            })
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("does not match its checksum");
  }

  /** The pages are put back with their digests when the heap is open and has not read them. */
  @Test
  void oldPagesAreRefusedWhileTheHeapIsOpen() {
    store("a");
    Map<String, byte[]> old = files();
    store("b");
    Map<String, byte[]> now = files();
    byte[] bytes = now.get("heap").clone();
    System.arraycopy(
        old.get("heap"),
        HEADER + 2 * STORED,
        bytes,
        HEADER + 2 * STORED,
        Math.min(old.get("heap").length, bytes.length) - HEADER - 2 * STORED);
    for (boolean digests : new boolean[] {false, true}) {
      assertThatThrownBy(
              () -> {
                try (Heap heap = TestHeaps.builder(heap()).encrypt(KEY).readOnly().open()) {
                  put("heap", bytes);
                  if (digests) {
                    put("heap.crc", old.get("heap.crc"));
                  }
                  expect(heap, "b");
                }
              })
          .isInstanceOf(CorruptException.class);
      put(now);
    }
  }

  /** A CRC is no secret: a difference that is a multiple of its polynomial does not change it. */
  @Test
  void anOldPageWithTheCrcOfThePresentOneIsRefused() {
    long difference = 0x82F63B78L << 1 | 1; // 33 bits: CRC-32C
    long value = 0x0123_4567_89AB_CDEFL;
    assertThat(crc(value)).isEqualTo(crc(value ^ difference));
    byte[] old = {};
    for (long word : new long[] {value, value ^ difference}) {
      old = Files.exists(heap()) ? files().get("heap") : old;
      try (Heap heap = open()) {
        heap.root("words", DurableLongArray.ofLength(8)).set(0, word);
      }
    }
    byte[] bytes = files().get("heap");
    for (int at = HEADER + 2 * STORED; at + STORED <= bytes.length; at += STORED) {
      System.arraycopy(old, at, bytes, at, STORED);
    }
    put("heap", bytes);
    assertThatThrownBy(
            () -> {
              try (Heap heap = open()) {
                heap.root("words", DurableLongArray.ofLength(8)).get(0);
              }
            })
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("does not match its checksum");
  }

  private static long crc(long word) {
    CRC32C crc = new CRC32C();
    crc.update(ByteBuffer.allocate(100).order(ByteOrder.LITTLE_ENDIAN).putLong(40, word).array());
    return crc.getValue();
  }

  /** A single sector of an old page is put back. */
  @Test
  void oldSectorsAreRefused() {
    store("a");
    byte[] old = files().get("heap");
    store("b");
    Map<String, byte[]> sound = files();
    byte[] now = sound.get("heap");
    List<Integer> changed = new ArrayList<>();
    for (int at = HEADER + 2 * STORED; at + 512 <= Math.min(old.length, now.length); at += 512) {
      if (!Arrays.equals(old, at, at + 512, now, at, at + 512)) {
        changed.add(at);
      }
    }
    Random random = new Random(2);
    int reported = 0;
    for (int i = 0; i < 20; i++) {
      int at = changed.get(random.nextInt(changed.size()));
      byte[] bytes = now.clone();
      System.arraycopy(old, at, bytes, at, 512);
      put(sound);
      put("heap", bytes);
      requireNothingWrong("sector at " + at, "b");
      put(sound);
      put("heap", bytes);
      reported += verify().ok() ? 0 : 1;
    }
    assertThat(reported).isPositive();
  }

  /** The pages of an earlier state with their checksums, behind the present superblocks. */
  @Test
  void anOldImageWithItsOldChecksumsIsNoticed() {
    store("a");
    store("b");
    Map<String, byte[]> old = files();
    store("c");
    store("d");
    Map<String, byte[]> now = files();
    assertThat(verify().problems()).isEmpty();
    byte[] bytes = old.get("heap").clone();
    System.arraycopy(now.get("heap"), HEADER, bytes, HEADER, 2 * STORED); // the superblocks
    put("heap", bytes);
    put("heap.crc", old.get("heap.crc"));
    VerifyReport report = verify();
    assertThat(report.problems().toString()).contains("an older state was put back");
    put("heap.root", old.get("heap.root"));
    assertThat(verify().ok()).isFalse();
    assertThatThrownBy(this::open)
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("of different moments");
  }

  /** One file of an earlier state among the present ones. */
  @Test
  void anOldFileIsRefusedOrHarmless() {
    store("a");
    Map<String, byte[]> old = files();
    store("b");
    Map<String, byte[]> now = files();
    for (String file : old.keySet()) {
      put(now);
      put(file, old.get(file));
      requireNothingWrong("an old " + file, "b");
    }
  }

  /** Missing and shortened files. */
  @Test
  void aShortenedFileIsRefusedOrHarmless() throws IOException {
    store("a");
    Map<String, byte[]> now = files();
    for (String file : now.keySet()) {
      for (int part = 0; part < 4; part++) {
        put(now);
        put(file, Arrays.copyOf(now.get(file), now.get(file).length * part / 4));
        requireNothingWrong("a part of " + file, "a");
      }
      put(now);
      Files.delete(heap().resolve(file));
      requireNothingWrong("without " + file, "a");
    }
  }

  /** The whole directory of an earlier state cannot be told from a copy, except by an anchor. */
  @Test
  void anOldDirectoryIsRefusedByAnAnchorOnly() throws IOException {
    store("a");
    Map<String, byte[]> old = files();
    store("b");
    HeapAnchor anchor;
    try (Heap heap = open()) {
      anchor = HeapAnchor.of(heap);
    }
    for (String file : files().keySet()) {
      Files.delete(heap().resolve(file));
    }
    put(old);
    try (Heap heap = open()) {
      expect(heap, "a");
    }
    HeapAnchor kept = HeapAnchor.parse(anchor.toString());
    assertThatThrownBy(() -> Heap.builder(heap()).encrypt(KEY).notOlderThan(kept).open())
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("older than its anchor");
  }

  @Test
  void anAnchorLetsThePresentHeapBeOpened() {
    store("a");
    HeapAnchor anchor;
    try (Heap heap = open()) {
      anchor = HeapAnchor.of(heap);
    }
    Heap.builder(heap()).encrypt(KEY).notOlderThan(anchor).open().close();
    store("b");
    Heap.builder(heap()).encrypt(KEY).notOlderThan(anchor).open().close();
  }
}
