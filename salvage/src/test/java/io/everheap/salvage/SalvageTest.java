package io.everheap.salvage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.HeapBuilder;
import io.everheap.HeapCheck;
import io.everheap.TestHeaps;
import io.everheap.collection.DurableMap;
import io.everheap.engine.HeapCopy;
import io.everheap.engine.home.HomeLayout;
import io.everheap.error.LockedException;
import io.everheap.error.MissingException;
import io.everheap.heap.OpenHeap;
import io.everheap.report.VerifyProgress;
import io.everheap.structure.map.MapPlaces;
import io.everheap.structure.names.NameTables;
import io.everheap.structure.names.TypeTable;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is saved of damaged heaps: named damage, and what must be left of it. */
@Campaign
class SalvageTest {
  private static final int ENTRIES = 2000;

  @TempDir Path temp;
  private Path heap;
  private Path saved;
  private MapPlaces names;
  private MapPlaces counts;

  @BeforeEach
  void aHeapWithThreeMaps() {
    heap = temp.resolve("heap");
    saved = temp.resolve("saved");
    try (Heap open = TestHeaps.open(heap)) {
      fill(open);
      names =
          MapPlaces.of(
              open,
              TypeTable.names(OpenHeap.structures(open), NameTables.ROOTS_WORD)
                  .orElseThrow()
                  .get("names"));
      counts =
          MapPlaces.of(
              open,
              TypeTable.names(OpenHeap.structures(open), NameTables.ROOTS_WORD)
                  .orElseThrow()
                  .get("counts"));
    }
  }

  private static void fill(Heap open) {
    open.transact(
        () -> {
          DurableMap<String, String> map = open.map("names", String.class, String.class);
          DurableMap<Long, Long> words = open.map("counts", Long.class, Long.class);
          for (int i = 0; i < ENTRIES; i++) {
            map.put("key " + i, "value " + i);
            words.put((long) i, 7L * i);
          }
          open.map("texts", Long.class, byte[].class).put(1L, large());
        });
  }

  private static byte[] large() {
    byte[] bytes = new byte[3 << 20];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i * 31);
    }
    return bytes;
  }

  private SalvageReport salvage() {
    Map<String, String> before = TestHeaps.files(heap);
    SalvageReport report = run(heap, saved);
    assertThat(TestHeaps.files(heap)).as("the damaged heap").isEqualTo(before);
    assertThat(temp.resolve("saved.salvage")).doesNotExist();
    assertThat(HeapCheck.verify(saved).problems()).isEmpty();
    return report;
  }

  private static SalvageReport run(Path from, Path to) {
    HeapBuilder builder = TestHeaps.builder(to);
    return Salvage.run(from, to, builder, VerifyProgress.NONE);
  }

  private static SalvageReport.Root root(SalvageReport report, String name) {
    return report.roots().stream().filter(r -> r.name().equals(name)).findFirst().orElseThrow();
  }

  private void assertAllSaved() {
    try (Heap open = TestHeaps.openReadOnly(saved)) {
      assertThat(open.names()).containsExactly("counts", "names", "texts");
      Map<String, String> expected = new HashMap<>();
      Map<Long, Long> numbers = new HashMap<>();
      for (int i = 0; i < ENTRIES; i++) {
        expected.put("key " + i, "value " + i);
        numbers.put((long) i, 7L * i);
      }
      assertThat(open.map("names", String.class, String.class))
          .containsExactlyInAnyOrderEntriesOf(expected);
      assertThat(open.map("counts", Long.class, Long.class))
          .containsExactlyInAnyOrderEntriesOf(numbers);
      assertThat(open.map("texts", Long.class, byte[].class).get(1L)).isEqualTo(large());
    }
  }

  private void zero(long offset, int bytes) {
    TestHeaps.write(heap.resolve("heap"), offset, ByteBuffer.allocate(bytes));
  }

  @Test
  void aDirectoryThatHasTheNameOfTheCopyIsNotTouched() throws IOException {
    Path damaged = temp.resolve("saved.salvage");
    Files.move(heap, damaged);
    Map<String, String> before = TestHeaps.files(damaged);

    assertThatThrownBy(() -> run(damaged, saved))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("saved.salvage");

    assertThat(damaged).exists();
    assertThat(TestHeaps.files(damaged)).isEqualTo(before);
  }

  @Test
  void ofASoundHeapEverythingIsSaved() {
    SalvageReport report = salvage();
    assertThat(report.notes()).isEmpty();
    assertThat(report.complete()).isTrue();
    assertThat(report.saved()).isEqualTo(2 * ENTRIES + 1);
    assertAllSaved();
  }

  @Test
  void ofAKilledHeapEverythingIsSavedAlsoWhatOnlyTheLogHas() {
    Path killed;
    try (Heap open = TestHeaps.open(temp.resolve("running"))) {
      fill(open);
      killed = HeapCopy.killed(temp.resolve("running"), temp.resolve("killed"));
    }
    heap = killed;
    SalvageReport report = salvage();
    assertThat(report.complete()).as("%s", report).isTrue();
    assertThat(report.transactions()).isPositive();
    assertAllSaved();
  }

  @Test
  void withoutSuperblocksEverythingIsSavedAndNothingIsProved() {
    zero(0, 8192);
    SalvageReport report = salvage();
    assertThat(report.oneState()).isFalse();
    assertThat(report.notes()).anyMatch(note -> note.contains("no superblock"));
    assertAllSaved();
  }

  @Test
  void withoutSuperblocksTheLogOfAKilledHeapIsReplayed() {
    Path killed;
    try (Heap open = TestHeaps.open(temp.resolve("running"))) {
      fill(open);
      killed = HeapCopy.killed(temp.resolve("running"), temp.resolve("killed"));
    }
    heap = killed;
    zero(0, 8192);
    salvage();
    assertAllSaved();
  }

  @Test
  void withoutTheCatalogTheMapsAreFound() {
    zero(HomeLayout.CATALOG_ADDRESS, HomeLayout.PAGE_SIZE);
    SalvageReport report = salvage();
    assertThat(report.notes()).anyMatch(note -> note.contains("map of roots"));
    assertAllSaved();
  }

  @Test
  void withoutTheChunkTableTheChunksAreFound() {
    zero(HomeLayout.CHUNK_TABLE_OFFSET, HomeLayout.PAGE_SIZE);
    salvage();
    try (Heap open = TestHeaps.openReadOnly(saved)) {
      assertThat(open.map("names", String.class, String.class)).hasSize(ENTRIES);
      assertThat(open.map("counts", Long.class, Long.class)).hasSize(ENTRIES);
    }
  }

  @Test
  void entriesBehindABrokenTableAreFoundOneByOne() {
    zero(names.directoryReference(), 8);
    zero(counts.segmentReference(), 8);
    SalvageReport report = salvage();
    assertThat(root(report, "names").byScan()).isEqualTo(ENTRIES);
    assertThat(root(report, "counts").byScan()).isPositive();
    assertAllSaved();
  }

  @Test
  void entriesBehindABrokenLinkAreFound() {
    MapPlaces.Chain chain = names.chain(3);
    zero(chain.nodes().getFirst() + MapPlaces.LENGTHS, 8);
    SalvageReport report = salvage();
    SalvageReport.Root of = root(report, "names");
    assertThat(of.expected()).isEqualTo(ENTRIES);
    assertThat(of.saved()).isEqualTo(ENTRIES - 1);
    assertThat(of.lost()).isEqualTo(1);
    assertThat(of.reasons()).isNotEmpty();
    assertThat(root(report, "counts").complete()).isTrue();
  }

  @Test
  void aFlippedBitOfAValueIsSavedAsDoubtful() {
    long node = names.chain(3).nodes().getFirst();
    TestHeaps.flip(heap.resolve("heap"), node + MapPlaces.KEY, 1);
    SalvageReport report = salvage();
    assertThat(report.complete()).isFalse();
    assertThat(report.notes()).anyMatch(note -> note.contains("does not match its checksum"));
    SalvageReport.Root of = root(report, "names");
    assertThat(of.doubtful()).isPositive();
    assertThat(of.reasons()).anyMatch(reason -> reason.contains("checksum"));
    assertThat(root(report, "counts").complete()).isTrue();
  }

  @Test
  void aFlippedBitOfALargeValueIsSavedAsDoubtful() throws IOException {
    byte[] home = Files.readAllBytes(heap.resolve("heap"));
    byte[] part = Arrays.copyOfRange(large(), 2 << 20, (2 << 20) + 64);
    TestHeaps.flip(heap.resolve("heap"), indexOf(home, part), 1);
    SalvageReport.Root of = root(salvage(), "texts");
    assertThat(of.saved()).isEqualTo(1);
    assertThat(of.doubtfulKeys()).containsExactly("1");
  }

  private static int indexOf(byte[] bytes, byte[] part) {
    for (int at = 0; ; at++) {
      if (Arrays.mismatch(bytes, at, at + part.length, part, 0, part.length) < 0) {
        return at;
      }
    }
  }

  @Test
  void withoutChecksumsEverythingIsSavedAndNothingIsProved() throws IOException {
    Files.delete(heap.resolve("heap.crc"));
    SalvageReport report = salvage();
    assertThat(report.complete()).isFalse();
    assertThat(report.notes()).anyMatch(note -> note.contains("heap.crc"));
    assertAllSaved();
  }

  @Test
  void aDamagedLogIsAppliedUpToTheDamage() throws IOException {
    heap = TestHeaps.powerless(temp.resolve("powerless"), 300);
    Path segment = segmentWithMost(heap);
    TestHeaps.flip(segment, Files.size(segment) / 2, 1);
    SalvageReport report = run(heap, saved);
    assertThat(report.notes()).anyMatch(note -> note.contains(segment.getFileName().toString()));
    assertThat(report.knownLsn()).isGreaterThan(report.appliedLsn());
    try (Heap open = TestHeaps.openReadOnly(saved)) {
      int found = TestHeaps.numbers(open).size();
      assertThat(found).isBetween(1, 299);
      assertThat(new HashMap<>(TestHeaps.numbers(open))).isEqualTo(TestHeaps.expected(found));
    }
  }

  private static Path segmentWithMost(Path heap) throws IOException {
    Path best = heap;
    long most = -1;
    try (Stream<Path> files = Files.list(heap.resolve("log"))) {
      for (Path file : files.toList()) {
        byte[] bytes = Files.readAllBytes(file);
        long used = 0;
        for (byte b : bytes) {
          used += b == 0 ? 0 : 1;
        }
        if (used > most) {
          most = used;
          best = file;
        }
      }
    }
    return best;
  }

  @Test
  void ofATruncatedHomeFileTheRestIsSaved() {
    TestHeaps.truncate(heap.resolve("heap"), 2 * HomeLayout.CHUNK_SIZE);
    SalvageReport report = salvage();
    assertThat(report.oneState()).isFalse();
    assertThat(report.notes()).isNotEmpty();
  }

  @Test
  void aPageOfZerosIsNotedOnceAndNotForEachOfItsSlots() throws Exception {
    long size = Files.size(heap.resolve("heap"));
    for (long page = 64; page < size / 4096; page++) {
      TestHeaps.write(heap.resolve("heap"), page * 4096, ByteBuffer.allocate(4096));
    }
    SalvageReport report = salvage();
    List<String> tables =
        report.notes().stream().filter(note -> note.startsWith("allocation tables")).toList();
    assertThat(tables).hasSizeLessThan(10);
    assertThat(tables).anyMatch(note -> note.contains("more like that"));
  }

  @Test
  void anEmptyHomeFileLeavesNothing() {
    TestHeaps.truncate(heap.resolve("heap"), 0);
    SalvageReport report = salvage();
    assertThat(report.oneState()).isFalse();
  }

  @Test
  void whatTheUsersOwnCodecsWroteIsCopiedAsItIs() {
    heap = temp.resolve("own");
    try (Heap open = TestHeaps.open(heap)) {
      open.map("own", new OwnCodec(), new OwnCodec()).put(1.0, 2.0);
    }
    assertThat(salvage().complete()).isTrue();
    try (Heap open = TestHeaps.openReadOnly(saved)) {
      assertThat(open.map("own", new OwnCodec(), new OwnCodec())).containsEntry(1.0, 2.0);
    }
  }

  @Test
  void aHeapInUseANewHeapThatIsThereAndNoHeapAreRefused() throws IOException {
    try (Heap open = TestHeaps.open(heap)) {
      assertThat(open.isOpen()).isTrue();
      assertThatThrownBy(() -> Salvage.run(heap, saved, VerifyProgress.NONE))
          .isInstanceOf(LockedException.class);
    }
    assertThatThrownBy(() -> Salvage.run(heap, heap.resolve("in"), VerifyProgress.NONE))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Salvage.run(temp.resolve("none"), saved, VerifyProgress.NONE))
        .isInstanceOf(MissingException.class);
    Files.createDirectory(saved);
    Files.writeString(saved.resolve("note"), "mine");
    assertThatThrownBy(() -> Salvage.run(heap, saved, VerifyProgress.NONE))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(List.of(saved.toFile().list())).containsExactly("note");
  }

  /** A codec that no tool can know. */
  private static final class OwnCodec implements io.everheap.codec.Codec<Double> {
    @Override
    public String name() {
      return "celsius";
    }

    @Override
    public void write(Double value, io.everheap.codec.CodecOutput out) {
      out.writeDouble(value);
    }

    @Override
    public Double read(io.everheap.codec.CodecInput in) {
      return in.readDouble();
    }

    @Override
    public boolean canonical() {
      return true;
    }
  }
}
