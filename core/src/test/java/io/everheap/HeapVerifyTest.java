package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.collection.DurableMap;
import io.everheap.engine.alloc.BlockPlaces;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.home.HomeLayout;
import io.everheap.error.MissingException;
import io.everheap.heap.HeapSettings;
import io.everheap.heap.OpenHeap;
import io.everheap.report.VerifyProgress;
import io.everheap.report.VerifyReport;
import io.everheap.report.VerifyReport.Problem;
import io.everheap.structure.Structures;
import io.everheap.structure.common.PendingFrees;
import io.everheap.structure.map.MapPlaces;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each kind of damage is made in the home file of a closed heap, and named, with its place. */
@Campaign
class HeapVerifyTest {
  private static final int NAMES = 600;
  private static final int COUNTS = 300;
  private static final int EXTENT_SHIFT = 22;

  @TempDir Path temp;
  private Path heap;
  private MapPlaces names;
  private MapPlaces counts;
  private MapPlaces texts;
  private MapPlaces roots;

  @BeforeEach
  void aHeapWithThreeMaps() {
    heap = temp.resolve("heap");
    try (Heap open = TestHeaps.open(heap)) {
      open.transact(
          () -> {
            DurableMap<String, String> map = open.map("names", String.class, String.class);
            for (int i = 0; i < NAMES; i++) {
              map.put("key " + i, "value " + i);
            }
            DurableMap<Long, Long> words = open.map("counts", Long.class, Long.class);
            for (long i = 0; i < COUNTS; i++) {
              words.put(i, i);
            }
            open.map("texts", Long.class, byte[].class).put(1L, new byte[3 << 20]);
          });
      names = MapPlaces.of(open, reference(open, "names"));
      counts = MapPlaces.of(open, reference(open, "counts"));
      texts = MapPlaces.of(open, reference(open, "texts"));
      roots =
          MapPlaces.of(
              open,
              OpenHeap.engine(open).memory().getLong(OpenHeap.engine(open).context().catalog(0)));
    }
    assertThat(verify().problems()).isEmpty();
  }

  private static long reference(Heap open, String name) {
    return new Catalog(Structures.of(OpenHeap.engine(open).context()))
        .reference(name)
        .orElseThrow();
  }

  private VerifyReport verify() {
    VerifyReport report =
        HeapSettings.options(Heap.builder(heap), TestHeaps.manual()).verify(VerifyProgress.NONE);
    assertThat(report.ok()).isEqualTo(report.problems().isEmpty());
    return report;
  }

  /** All but the checksums, which notice whatever a test changes in the file. */
  private List<Problem> problems() {
    return verify().problems().stream().filter(p -> !p.kind().equals("checksum")).toList();
  }

  /** Changes a word of the closed heap's home file. */
  private void damage(long address, LongUnaryOperator change) {
    write(address, change.applyAsLong(word(address)));
  }

  private void write(long address, long value) {
    ByteBuffer word = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, value);
    TestHeaps.write(heap.resolve("heap"), address, word);
  }

  private long word(long address) {
    ByteBuffer word = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    try (FileChannel channel = FileChannel.open(heap.resolve("heap"))) {
      channel.read(word, address);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return word.getLong(0);
  }

  private static void assertOne(List<Problem> problems, String kind, String root, long offset) {
    assertThat(problems)
        .as("%s of %s at %d", kind, root, offset)
        .anySatisfy(
            p -> {
              assertThat(p.kind()).isEqualTo(kind);
              assertThat(p.root()).isEqualTo(root);
              assertThat(p.file()).isEqualTo("heap");
              assertThat(p.offset()).isEqualTo(offset);
              assertThat(p.message()).isNotBlank();
            });
  }

  @Test
  void aSoundHeapHasCountsAndNoProblems() {
    VerifyReport report = verify();
    assertThat(report.roots()).isEqualTo(3);
    assertThat(report.entries()).isEqualTo(NAMES + COUNTS + 1);
    assertThat(report.blocks()).isGreaterThan(NAMES + COUNTS);
    assertThat(report.bytes()).isGreaterThan(3 << 20);
    assertThat(report.notChecked()).isEmpty();
  }

  @Test
  void aDamagedSuperblockIsNamed() {
    for (long slot : new long[] {HomeLayout.SUPERBLOCK_A, HomeLayout.SUPERBLOCK_B}) {
      damage(slot + 40, word -> word + 1);
      assertThat(problems()).anyMatch(p -> p.kind().equals("superblock") && p.offset() == slot);
      damage(slot + 40, word -> word - 1);
    }
    assertThat(problems()).isEmpty();
  }

  @Test
  void twoDamagedSuperblocksAreNamedAlthoughTheHeapDoesNotOpen() {
    damage(HomeLayout.SUPERBLOCK_A + 40, word -> word + 1);
    damage(HomeLayout.SUPERBLOCK_B + 40, word -> word + 1);
    VerifyReport report = verify();
    assertThat(report.problems()).filteredOn(p -> p.kind().equals("superblock")).hasSize(2);
    assertThat(report.notChecked()).isNotEmpty();
  }

  @Test
  void aBlockWhoseBitIsClearIsNamedWithItsRoot() {
    long node = counts.chain(1).nodes().getFirst();
    long bit = BlockPlaces.bit(node, 32);
    damage(BlockPlaces.bitmapWord(node, 32), word -> word & ~bit);
    List<Problem> problems = problems();
    assertOne(problems, "allocation", "counts", node);
    assertOne(problems, "reference", "counts", node);
  }

  @Test
  void aFlagInTheChunkTableThatIsWrongIsNamed() {
    long node = counts.chain(1).nodes().getFirst();
    damage(BlockPlaces.tableEntry(node, EXTENT_SHIFT), word -> word | 1L << 60);
    assertThat(problems()).anyMatch(p -> p.kind().equals("allocation"));
  }

  @Test
  void aLostChainIsLeakedAndTheCountIsWrong() {
    MapPlaces.Chain chain = names.chain(1);
    write(chain.slot(), 0);
    List<Problem> problems = problems();
    assertOne(problems, "count", "names", names.count());
    assertOne(problems, "leak", "", chain.nodes().getFirst());
    assertThat(problems).hasSize(1 + chain.nodes().size());
  }

  @Test
  void aBlockThatTwoRootsOwnIsNamedWithBoth() {
    write(names.directoryReference(), word(counts.directoryReference()));
    long directory = Reference.address(word(counts.directoryReference()));
    VerifyReport report = verify();
    assertThat(report.problems())
        .anySatisfy(
            p -> {
              assertThat(p.kind()).isIn("double reference", "reference");
              assertThat(p.root()).contains("names");
            });
    write(names.buckets(), word(counts.buckets()));
    assertOne(problems(), "double reference", "counts, names", directory);
  }

  @Test
  void aPartThatIsUsedTwiceIsNamed() {
    long node = texts.chain(1).nodes().getFirst();
    long part = word(MapPlaces.part(node, 8, 0));
    write(MapPlaces.part(node, 8, 1), part);
    List<Problem> problems = problems();
    assertOne(problems, "double reference", "texts", Reference.address(part));
    assertThat(problems).anyMatch(p -> p.kind().equals("leak"));
  }

  @Test
  void aPartThatIsNotThereIsNamedWithItsKey() {
    long node = texts.chain(1).nodes().getFirst();
    long at = MapPlaces.part(node, 8, 1);
    damage(at, part -> part + (1L << 40));
    assertThat(problems())
        .anySatisfy(
            p -> {
              assertThat(p.kind()).isEqualTo("value");
              assertThat(p.root()).isEqualTo("texts");
              assertThat(p.key()).isEqualTo("1");
              assertThat(p.offset()).isEqualTo(at);
              assertThat(p.message()).contains("generation");
            });
  }

  @Test
  void aReferenceOfAnotherGenerationIsNamed() {
    damage(names.segmentReference(), reference -> reference + (1L << 40));
    List<Problem> problems = problems();
    assertOne(problems, "reference", "names", names.segmentReference());
    assertThat(problems.getFirst().message()).contains("generation");
  }

  @Test
  void aReferenceToAFreeBlockIsNamed() {
    long node = counts.chain(1).nodes().getFirst();
    damage(node, header -> header & ~1L);
    List<Problem> problems = problems();
    assertThat(problems)
        .anySatisfy(
            p -> {
              assertThat(p.kind()).isEqualTo("chain");
              assertThat(p.root()).isEqualTo("counts");
              assertThat(p.message()).contains("freed");
            });
  }

  @Test
  void aWrongCountIsNamed() {
    damage(counts.count(), count -> count + 1);
    List<Problem> problems = problems();
    assertOne(problems, "count", "counts", counts.count());
    assertThat(problems).hasSize(1);
  }

  @Test
  void aWrongTagIsNamed() {
    long slot = names.chain(1).slot();
    damage(slot, link -> link ^ 1L << 50);
    assertOne(problems(), "chain", "names", slot);
  }

  @Test
  void anEntryInAnotherBucketIsNamedWithItsKey() {
    MapPlaces.Chain one = names.chains().get(0);
    MapPlaces.Chain other = names.chains().get(1);
    long link = word(one.slot());
    write(one.slot(), word(other.slot()));
    write(other.slot(), link);
    assertThat(problems())
        .filteredOn(p -> p.kind().equals("node"))
        .hasSize(one.nodes().size() + other.nodes().size())
        .allMatch(p -> p.key().startsWith("key ") && p.root().equals("names"));
  }

  @Test
  void anEntryThatDoesNotDecodeIsNamedWithItsKey() {
    long node = names.chain(1).nodes().getFirst();
    int keyBytes = (int) word(node + MapPlaces.LENGTHS);
    damage(MapPlaces.value(node, keyBytes), word -> word | 3); // the form of the text
    List<Problem> problems = problems();
    assertOne(problems, "entry", "names", node);
    assertThat(problems).singleElement().extracting(Problem::key).asString().startsWith("key ");
  }

  @Test
  void aTypeThatIsNotInTheTableIsNamed() {
    write(names.keyType(), 99);
    assertThat(problems())
        .singleElement()
        .satisfies(
            p -> {
              assertThat(p.kind()).isEqualTo("type");
              assertThat(p.root()).isEqualTo("names");
              assertThat(p.message()).contains("99");
            });
  }

  @Test
  void aTypeThatDoesNotFitTheKindsIsNamed() {
    write(names.keyType(), word(counts.keyType()));
    assertThat(problems()).anyMatch(p -> p.kind().equals("type") && p.root().equals("names"));
  }

  @Test
  void aDamagedListOfPendingFreesIsNamed() {
    write(HomeLayout.catalogWord(PendingFrees.CATALOG_WORD), 12345);
    assertOne(
        problems(),
        "pending frees",
        "pending frees",
        HomeLayout.catalogWord(PendingFrees.CATALOG_WORD));
  }

  @Test
  void aDamagedMapOfRootsIsNamedAndTheRootsThatAreLeftAreChecked() {
    long slot = roots.chains().getFirst().slot();
    int lost = roots.chains().getFirst().nodes().size();
    write(slot, 0x123456789L);
    VerifyReport report = verify();
    assertOne(report.problems(), "catalog", "the map of roots", slot);
    assertThat(report.roots()).isEqualTo(3 - lost);
  }

  @Test
  void damageInOneMapDoesNotKeepTheOthersFromBeingChecked() {
    for (MapPlaces.Chain chain : names.chains()) {
      write(chain.slot(), -1);
    }
    VerifyReport report = verify();
    assertThat(report.entries()).isEqualTo(COUNTS + 1);
    assertThat(report.problems())
        .filteredOn(p -> !p.kind().equals("leak") && !p.kind().equals("checksum"))
        .isNotEmpty()
        .allMatch(p -> p.root().equals("names"));
    damage(counts.count(), count -> count - 1);
    assertOne(problems(), "count", "counts", counts.count());
  }

  @Test
  void moreProblemsThanCanBeListedAreCounted() {
    try (Heap open = TestHeaps.open(heap)) {
      open.transact(
          () -> {
            DurableMap<Long, Long> words = open.map("counts", Long.class, Long.class);
            for (long i = 0; i < 3000; i++) {
              words.put(i, i);
            }
          });
      counts = MapPlaces.of(open, reference(open, "counts"));
    }
    write(counts.directoryReference(), 0);
    VerifyReport report = verify();
    assertThat(report.problems()).hasSize(VerifyReport.MAX_PROBLEMS);
    assertThat(report.found()).isGreaterThan(3000);
  }

  @Test
  void aTruncatedHomeFileIsNamed() throws IOException {
    Path home = heap.resolve("heap");
    TestHeaps.truncate(home, Files.size(home) - HomeLayout.CHUNK_SIZE);
    assertThat(problems()).singleElement().extracting(Problem::kind).isEqualTo("home file");
  }

  @Test
  void damageInTheLogIsNamedWithItsFile() throws IOException {
    Path killed = TestHeaps.powerless(temp.resolve("powerless"), 200);
    Path segment = lastSegment(killed);
    heap = killed;
    assertThat(verify().replayed()).isGreaterThan(100);
    TestHeaps.flip(segment, 4096 + 64 + 20, 1);
    assertThat(problems())
        .singleElement()
        .satisfies(
            p -> {
              assertThat(p.kind()).isEqualTo("log");
              assertThat(p.file()).isEqualTo("log/" + segment.getFileName());
              assertThat(p.offset()).isGreaterThanOrEqualTo(4096);
            });
  }

  /** The segment of the newest epoch with the most bytes that are not zero. */
  private static Path lastSegment(Path heap) throws IOException {
    List<Path> segments = new ArrayList<>();
    try (var files = Files.list(heap.resolve("log"))) {
      files.forEach(segments::add);
    }
    Path best = segments.getFirst();
    long most = -1;
    for (Path segment : segments) {
      ByteBuffer bytes =
          ByteBuffer.wrap(Files.readAllBytes(segment)).order(ByteOrder.LITTLE_ENDIAN);
      long rank = bytes.getLong(32) * 1000 - bytes.getLong(40);
      if (bytes.getLong(0) != 0 && rank > most) {
        most = rank;
        best = segment;
      }
    }
    return best;
  }

  @Test
  void verifyChangesNothing() {
    damage(counts.count(), count -> count + 1);
    Map<String, String> before = TestHeaps.files(heap);
    assertThat(problems()).hasSize(1);
    assertThat(TestHeaps.files(heap)).isEqualTo(before);
  }

  @Test
  void verifyInsideATransactionIsRefused() {
    try (Heap open = TestHeaps.open(heap)) {
      open.transact(
          () ->
              assertThatThrownBy(open::verify)
                  .isInstanceOf(IllegalStateException.class)
                  .hasMessageContaining("verify inside a transaction"));
      assertThat(open.verify().ok()).isTrue();
    }
  }

  @Test
  void whatIsNoHeapCannotBeChecked() {
    assertThatThrownBy(() -> HeapCheck.verify(temp.resolve("none")))
        .isInstanceOf(MissingException.class);
  }

  @Test
  void theProgressGrowsToTheEnd() {
    List<Double> parts = new ArrayList<>();
    HeapSettings.options(Heap.builder(heap), TestHeaps.manual())
        .verify((what, part) -> parts.add(part));
    assertThat(parts).isSorted().last().isEqualTo(1.0);
  }
}
