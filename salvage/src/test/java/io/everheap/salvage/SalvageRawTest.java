package io.everheap.salvage;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.TestHeaps;
import io.everheap.block.Block;
import io.everheap.block.UnloggedRegion;
import io.everheap.collection.DurableMap;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What salvage makes of bytes that only the program understands: raw blocks and regions. */
@Campaign
class SalvageRawTest {
  private static final int NODES = 3_000;
  private static final int BYTES = 10_000;
  private static final int HEADER = 4096;
  private static final byte FILL = 0x5a;

  @TempDir private Path temp;
  private Path heap;
  private Path saved;

  @BeforeEach
  void directories() {
    heap = temp.resolve("heap");
    saved = temp.resolve("saved");
  }

  private SalvageReport salvage() {
    return Salvaging.run(heap, saved);
  }

  // ---- Raw blocks ---------------------------------------------------------------------------

  /** A list of nodes: handle of the next one, value; some are as large as blocks can be. */
  private void aChainOfBlocks() {
    try (Heap open = TestHeaps.open(heap)) {
      open.transact(
          () -> {
            Block root = open.block("chain", 16);
            open.blocks().free(open.blocks().allocate(24).handle()); // one with a generation
            for (int i = 0; i < NODES; i++) {
              int number = i;
              long next = root.getLong(8);
              Block node =
                  open.blocks()
                      .allocate(
                          i % 1000 == 7 ? 1 << 18 : 24,
                          range -> {
                            range.setLong(0, next);
                            range.setLong(8, number);
                            range.fill(16, range.length() - 16, FILL);
                          });
              root.setLong(8, node.handle());
            }
            root.setLong(0, NODES);
          });
    }
  }

  private static int[] followed(Heap open, DurableMap<Long, Long> handles) {
    Block root = open.block("chain", 16);
    assertThat(root.getLong(0)).isEqualTo(NODES);
    int[] values = new int[NODES];
    int n = 0;
    for (long old = root.getLong(8); old != 0; ) {
      Block node = open.blocks().at(handles.get(old));
      values[n++] = (int) node.getLong(8);
      old = node.getLong(0);
    }
    return Arrays.copyOf(values, n);
  }

  @Test
  void blocksThatOnlyTheProgramFindsAreSavedWithAMapOfTheirHandles() {
    aChainOfBlocks();
    SalvageReport report = salvage();

    assertThat(report.notes())
        .singleElement()
        .asString()
        .contains(NODES + " raw blocks", "salvaged-handles");
    assertThat(report.complete()).as("the program has to do something").isFalse();
    assertThat(report.roots()).allMatch(SalvageReport.Root::complete);
    try (Heap open = TestHeaps.open(saved)) {
      DurableMap<Long, Long> handles = open.map("salvaged-handles", Long.class, Long.class);
      assertThat(handles).as("the blocks and the root").hasSize(NODES + 1);
      assertThat(handles.values()).contains(open.block("chain", 16).handle());
      int[] values = followed(open, handles);
      assertThat(values).hasSize(NODES).startsWith(NODES - 1, NODES - 2).endsWith(1, 0);
    }
  }

  @Test
  void ofAHeapThatWasSalvagedBeforeBothMapsAreKept() throws IOException {
    aChainOfBlocks();
    salvage();
    heap = saved;
    saved = temp.resolve("saved-again");
    assertThat(salvage().notes()).singleElement().asString().contains("salvaged-handles-2");
    try (Heap open = TestHeaps.open(saved)) {
      DurableMap<Long, Long> first = open.map("salvaged-handles", Long.class, Long.class);
      DurableMap<Long, Long> second = open.map("salvaged-handles-2", Long.class, Long.class);
      assertThat(first).hasSize(NODES + 1);
      first.replaceAll((old, then) -> second.get(then));
      assertThat(followed(open, first)).hasSize(NODES);
    }
  }

  @Test
  void blocksInDamagedPagesAreSavedAndNamed() throws IOException {
    aChainOfBlocks();
    byte[] home = Files.readAllBytes(heap.resolve("heap"));
    int at = 0;
    for (int run = 0; run < 10_000; at++) {
      run = home[at] == FILL ? run + 1 : 0;
    }
    TestHeaps.flip(heap.resolve("heap"), at, 1);
    SalvageReport report = salvage();

    assertThat(report.complete()).isFalse();
    assertThat(report.notes())
        .anySatisfy(note -> assertThat(note).startsWith("1 of the raw blocks are in pages"));
    try (Heap open = TestHeaps.open(saved)) {
      assertThat(followed(open, open.map("salvaged-handles", Long.class, Long.class)))
          .hasSize(NODES);
    }
  }

  @Test
  void ofBlocksOfRootsAloneNothingIsDoubtful() {
    try (Heap open = TestHeaps.open(heap)) {
      open.block("counters", 4096).setLong(16, 7);
    }
    SalvageReport report = salvage();
    assertThat(report.complete()).as("%s", report).isTrue();
    try (Heap open = TestHeaps.open(saved)) {
      assertThat(open.block("counters", 4096).getLong(16)).isEqualTo(7);
      assertThat(open.names()).containsExactly("counters");
    }
  }

  // ---- Regions ------------------------------------------------------------------------------

  private final byte[] content = new byte[BYTES];

  private void aHeapWithTwoRegions() {
    new Random(5).nextBytes(content);
    try (Heap open = TestHeaps.open(heap)) {
      open.map("map", Long.class, Long.class).put(1L, 2L);
      open.region("counters", BYTES).copyFrom(0, MemorySegment.ofArray(content), 0, BYTES);
      open.region("empty", 0);
    }
  }

  private static SalvageReport.Region region(SalvageReport report, String name) {
    return report.regions().stream().filter(r -> r.name().equals(name)).findFirst().orElseThrow();
  }

  private void assertRegion(byte[] expected) {
    try (Heap open = TestHeaps.open(saved)) {
      assertThat(open.regions()).containsExactly("counters", "empty");
      assertThat(open.region("empty", 0).size()).isZero();
      UnloggedRegion found = open.region("counters", BYTES);
      byte[] bytes = new byte[BYTES];
      found.copyTo(0, MemorySegment.ofArray(bytes), 0, BYTES);
      assertThat(bytes).isEqualTo(expected);
      assertThat(open.map("map", Long.class, Long.class)).containsExactly(Map.entry(1L, 2L));
    }
  }

  @Test
  void regionsAreCopiedAsTheyAre() {
    aHeapWithTwoRegions();
    SalvageReport report = salvage();

    assertThat(report.complete()).as("%s", report).isTrue();
    assertThat(report.regions()).hasSize(2).allMatch(SalvageReport.Region::complete);
    assertThat(region(report, "counters").bytes()).isEqualTo(BYTES);
    assertRegion(content);
  }

  @Test
  void ofARegionThatWasCutOffTheRestIsSavedAndTheLossIsNamed() throws IOException {
    aHeapWithTwoRegions();
    byte[] file = Files.readAllBytes(heap.resolve("region-counters"));
    Files.write(heap.resolve("region-counters"), Arrays.copyOf(file, HEADER + 6_000));
    SalvageReport report = salvage();

    assertThat(report.complete()).isFalse();
    assertThat(region(report, "counters").reasons())
        .anySatisfy(reason -> assertThat(reason).contains("4000 of 10000 bytes are lost"));
    Arrays.fill(content, 6_000, BYTES, (byte) 0);
    assertRegion(content);
  }

  @Test
  void aRegionWithADamagedHeaderHasTheSizeOfItsFile() throws IOException {
    aHeapWithTwoRegions();
    TestHeaps.flip(heap.resolve("region-counters"), 33, 1);
    SalvageReport report = salvage();

    assertThat(report.complete()).isFalse();
    assertThat(region(report, "counters").reasons()).containsExactly("its header is damaged");
    assertRegion(content);
  }

  @Test
  void aRegionOfAnotherHeapIsSavedAndNamed() throws IOException {
    aHeapWithTwoRegions();
    Path other = temp.resolve("other");
    try (Heap open = TestHeaps.open(other)) {
      open.region("counters", BYTES).copyFrom(0, MemorySegment.ofArray(content), 0, BYTES);
    }
    Files.delete(heap.resolve("region-counters"));
    Files.copy(other.resolve("region-counters"), heap.resolve("region-counters"));
    SalvageReport report = salvage();

    assertThat(region(report, "counters").reasons()).containsExactly("it belongs to another heap");
    assertRegion(content);
  }

  @Test
  void whatIsLeftOfAHeaderAloneIsSavedEmptyAndOfNoNameNotAtAll() throws IOException {
    aHeapWithTwoRegions();
    Files.write(heap.resolve("region-short"), new byte[100]);
    Files.write(heap.resolve("region-no name"), new byte[HEADER + 8]);
    SalvageReport report = salvage();

    assertThat(region(report, "short").bytes()).isZero();
    assertThat(region(report, "short").reasons()).isNotEmpty();
    assertThat(region(report, "no name").bytes()).isEqualTo(-1);
    assertThat(region(report, "no name").reasons().toString()).contains("it is not saved");
    assertThat(report.complete()).isFalse();
  }

  @Test
  void withoutSuperblocksRegionsAreSaved() {
    aHeapWithTwoRegions();
    TestHeaps.write(heap.resolve("heap"), 0, ByteBuffer.allocate(8192));
    SalvageReport report = salvage();

    assertThat(report.roots()).extracting(SalvageReport.Root::name).containsExactly("map");
    assertThat(region(report, "counters").complete()).isTrue();
    assertRegion(content);
  }
}
