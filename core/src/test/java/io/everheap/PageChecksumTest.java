package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.everheap.engine.Engine;
import io.everheap.engine.HeapCopy;
import io.everheap.engine.home.CheckedPages.PageDamage;
import io.everheap.engine.home.ChecksumLayout;
import io.everheap.engine.home.Home;
import io.everheap.error.CorruptException;
import io.everheap.heap.OpenHeap;
import io.everheap.memory.FileMedium;
import io.everheap.memory.MediumFile;
import io.everheap.report.VerifyReport.Problem;
import io.everheap.support.tier.Campaign;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bits that flip at rest in the home image are found, named, and never given a right checksum. */
@Campaign
class PageChecksumTest {
  private static final int PAGE = 4096;

  @TempDir Path temp;

  private Path closed() {
    Path heap = temp.resolve("closed");
    create(heap);
    return heap;
  }

  private static void create(Path directory) {
    try (Heap heap = TestHeaps.open(directory)) {
      heap.transact(() -> TestHeaps.put(heap, 0, 200));
    }
  }

  private static Path home(Path heap) {
    return heap.resolve("heap");
  }

  private static Path checksums(Path heap) {
    return heap.resolve(ChecksumLayout.NAME);
  }

  private static List<Problem> verify(Path heap) {
    try (Heap opened = TestHeaps.openReadOnly(heap)) {
      return opened.verify().problems();
    }
  }

  private static void assertFound(List<Problem> problems, String file, long offset) {
    assertThat(problems)
        .filteredOn(problem -> problem.kind().equals("checksum"))
        .singleElement()
        .satisfies(
            problem -> assertThat(problem.file()).isEqualTo(file),
            problem -> assertThat(problem.offset()).isEqualTo(offset),
            problem -> assertThat(problem.message()).contains("page " + page(file, offset)));
  }

  private static long page(String file, long offset) {
    return file.equals("heap") ? offset / PAGE : offset / ChecksumLayout.ENTRY_BYTES;
  }

  /** What a scrub finds when one bit of each of these pages, or of its entry, has flipped. */
  private static List<PageDamage> scrub(Path heap, Path file, int unit, int round) {
    List<PageDamage> found = new ArrayList<>();
    try (Engine engine = Engine.open(FileMedium.open(heap, true, false), TestHeaps.manual())) {
      engine.scrub(found::add);
      assertThat(found).isEmpty();
      Random random = new Random(round);
      long count = file.toFile().length() / unit;
      for (long i = ChecksumLayout.FIRST_PAGE; i < count; i++) {
        TestHeaps.flip(file, i * unit + random.nextInt(unit), 1 << random.nextInt(8));
      }
      engine.scrub(found::add);
      random = new Random(round);
      for (long i = ChecksumLayout.FIRST_PAGE; i < count; i++) {
        TestHeaps.flip(file, i * unit + random.nextInt(unit), 1 << random.nextInt(8));
      }
    }
    return found;
  }

  @Test
  void aBitInAnyPageOfTheHomeImageIsFoundAndNamed() throws Exception {
    Path heap = closed();
    long pages = Files.size(home(heap)) / PAGE;
    assertThat(pages).isGreaterThan(200);
    for (int round = 0; round < 2; round++) {
      assertThat(scrub(heap, home(heap), PAGE, round))
          .allMatch(damage -> damage.file().equals("heap"))
          .allMatch(damage -> damage.offset() == damage.page() * PAGE)
          .allMatch(damage -> damage.message().contains("page " + damage.page() + " (extent "))
          .extracting(PageDamage::page)
          .containsExactlyElementsOf(LongStream.range(2, pages).boxed().toList());
    }
    assertThat(verify(heap)).isEmpty();
  }

  @Test
  void aBitInAnyEntryIsFoundAndNamed() throws Exception {
    Path heap = closed();
    long entries = Files.size(checksums(heap)) / ChecksumLayout.ENTRY_BYTES;
    assertThat(entries).isEqualTo(Files.size(home(heap)) / PAGE);
    for (int round = 0; round < 4; round++) {
      assertThat(scrub(heap, checksums(heap), ChecksumLayout.ENTRY_BYTES, round))
          .allMatch(damage -> damage.file().equals(ChecksumLayout.NAME))
          .allMatch(damage -> damage.offset() == damage.page() * ChecksumLayout.ENTRY_BYTES)
          .extracting(PageDamage::page)
          .containsExactlyElementsOf(LongStream.range(2, entries).boxed().toList());
    }
  }

  @Test
  void aBitInAnUnusedWordOfTheCatalogIsFound() {
    Path heap = closed();
    TestHeaps.flip(home(heap), 3 * PAGE - 1, 1);
    assertFound(verify(heap), "heap", 2 * PAGE);
  }

  @Test
  void entriesOfAnotherHeapAreFound() throws Exception {
    Path heap = closed();
    Path other = temp.resolve("other");
    create(other);
    Files.write(checksums(heap), Files.readAllBytes(checksums(other)));
    assertThat(verify(heap)).isNotEmpty().allMatch(p -> p.file().equals(ChecksumLayout.NAME));
  }

  @Test
  void aPageInThePlaceOfAnotherIsFound() throws Exception {
    Path heap = closed();
    byte[] bytes = Files.readAllBytes(home(heap));
    long last = Files.size(home(heap)) / PAGE - 1;
    TestHeaps.write(home(heap), last * PAGE, ByteBuffer.wrap(bytes, 65536, PAGE));
    assertFound(verify(heap), "heap", last * PAGE);
  }

  @Test
  void aMissingFileOfChecksumsIsFoundAndRefusedForWriting() throws Exception {
    Path heap = closed();
    Files.delete(checksums(heap));
    assertThat(verify(heap)).singleElement().asString().contains(ChecksumLayout.NAME, "missing");
    assertThatExceptionOfType(CorruptException.class)
        .isThrownBy(() -> TestHeaps.open(heap))
        .withMessageContainingAll(checksums(heap).toString(), "missing");
  }

  @Test
  void aFileOfChecksumsThatWasCutIsFoundAndRefusedForWriting() throws Exception {
    Path heap = closed();
    TestHeaps.truncate(checksums(heap), 800);
    assertThat(verify(heap)).singleElement().asString().contains(ChecksumLayout.NAME, "byte 800");
    assertThatExceptionOfType(CorruptException.class)
        .isThrownBy(() -> TestHeaps.open(heap))
        .withMessageContaining("(EH-TRUNCATED)")
        .withMessageContaining(checksums(heap).toString());
  }

  @Test
  void aRunningHeapIsCheckedToo() {
    Path path = temp.resolve("running");
    try (Heap heap = TestHeaps.open(path)) {
      heap.transact(() -> TestHeaps.put(heap, 0, 100));
      assertThat(heap.verify().problems()).isEmpty();
      heap.checkpoint();
      heap.transact(() -> TestHeaps.put(heap, 100, 200));
      assertThat(heap.verify().problems()).isEmpty();
      TestHeaps.flip(home(path), 4 * PAGE + 5, 1); // nothing reads it
      assertFound(heap.verify().problems(), "heap", 4 * PAGE);
      TestHeaps.flip(home(path), 4 * PAGE + 5, 1);
    }
  }

  /** Finds the page that holds the value of the key 1000, and checks that it is one. */
  private static long pageOfTheValue(Heap heap, Path path) throws Exception {
    TestHeaps.numbers(heap).put(1000, "another 0");
    heap.checkpoint();
    byte[] before = Files.readAllBytes(home(path));
    TestHeaps.numbers(heap).put(1000, "another 1");
    heap.checkpoint();
    byte[] after = Files.readAllBytes(home(path));
    List<Long> changed = new ArrayList<>();
    for (int page = 2; page < after.length / PAGE; page++) {
      int at = page * PAGE;
      if (!Arrays.equals(before, at, at + PAGE, after, at, at + PAGE)) {
        changed.add((long) page);
      }
    }
    assertThat(changed).hasSize(1);
    return changed.getFirst();
  }

  @Test
  void aCheckpointDoesNotGiveADamagedPageARightChecksum() throws Exception {
    Path path = temp.resolve("running");
    Path copy = temp.resolve("copy");
    long page;
    try (Heap heap = TestHeaps.open(path)) {
      TestHeaps.put(heap, 0, 50);
      heap.checkpoint();
      page = pageOfTheValue(heap, path);
    }
    try (Heap heap = TestHeaps.open(path)) {
      TestHeaps.numbers(heap).put(1000, "another 2");
      TestHeaps.flip(home(path), (page + 1) * PAGE - 1, 1);
      assertRefused(home(path), page, heap::checkpoint);
      assertFound(heap.verify().problems(), "heap", page * PAGE);
      assertThat(TestHeaps.numbers(heap)).containsEntry(1000, "another 2");
      HeapCopy.killed(path, copy);
      TestHeaps.flip(home(path), (page + 1) * PAGE - 1, 1);
      heap.checkpoint();
      assertThat(heap.verify().problems()).isEmpty();

      try (Heap again = TestHeaps.open(copy)) {
        assertRefused(home(copy), page, () -> TestHeaps.numbers(again)); // the page has names, too
        assertRefused(home(copy), page, again::checkpoint);
        assertRefused(home(copy), page, () -> TestHeaps.numbers(again).put(1, "one"));
      }
    }
    assertThat(verify(path)).isEmpty();
  }

  @Test
  void aCheckpointMendsAPageThatWasDamagedAfterItCameToMemory() throws Exception {
    Path path = temp.resolve("running");
    try (Heap heap = TestHeaps.open(path)) {
      TestHeaps.put(heap, 0, 50);
      heap.checkpoint();
      long page = pageOfTheValue(heap, path);
      TestHeaps.flip(home(path), (page + 1) * PAGE - 1, 1);
      assertFound(heap.verify().problems(), "heap", page * PAGE);
      TestHeaps.numbers(heap).put(1000, "another 2");
      heap.checkpoint();
      assertThat(heap.verify().problems()).isEmpty();
    }
    assertThat(verify(path)).isEmpty();
  }

  /** Appends pages, then maps all of them again; returns the page of the value of key 1000. */
  private static long mappedAgain(Heap heap, Path path) throws Exception {
    TestHeaps.put(heap, 0, 50);
    var large = heap.map("large", Integer.class, byte[].class);
    for (int i = 0; i < 7; i++) {
      large.put(i, new byte[900_000]);
    }
    long page = pageOfTheValue(heap, path);
    for (int i = 0; i < 7; i++) {
      large.remove(i);
    }
    assertThat(heap.shrink()).isPositive();
    return page;
  }

  @Test
  void aPageIsCheckedAgainAfterAShrinkMappedItAnew() throws Exception {
    Path path = temp.resolve("shrunk");
    try (Heap heap = TestHeaps.open(path)) {
      long page = mappedAgain(heap, path);
      TestHeaps.numbers(heap).put(1000, "another 2");
      TestHeaps.flip(home(path), (page + 1) * PAGE - 1, 1);
      assertRefused(home(path), page, heap::checkpoint);
      TestHeaps.flip(home(path), (page + 1) * PAGE - 1, 1);
      heap.checkpoint();
    }
    assertThat(verify(path)).isEmpty();
  }

  @Test
  void anAppendedPageThatIsReadAgainIsCompared() throws Exception {
    Path path = temp.resolve("shrunk");
    try (Heap heap = TestHeaps.open(path)) {
      long page = mappedAgain(heap, path);
      TestHeaps.flip(home(path), (page + 1) * PAGE - 1, 1);
      Home image = OpenHeap.engine(heap).home();
      assertRefused(home(path), page, () -> image.requireSound(page * PAGE, 1));
      TestHeaps.flip(home(path), (page + 1) * PAGE - 1, 1);
      image.requireSound(page * PAGE, 1);
    }
  }

  @Test
  void aRecoveryDoesNotGiveADamagedPageARightChecksum() throws Exception {
    Path path = temp.resolve("running");
    Path killed = temp.resolve("killed");
    long page;
    try (Heap heap = TestHeaps.open(path)) {
      TestHeaps.put(heap, 0, 50);
      page = pageOfTheValue(heap, path);
      TestHeaps.numbers(heap).put(1000, "another 2");
      HeapCopy.killed(path, killed);
    }
    TestHeaps.flip(home(killed), (page + 1) * PAGE - 1, 1);
    assertFound(verify(killed), "heap", page * PAGE);
    for (int attempt = 0; attempt < 2; attempt++) {
      try (Heap heap = TestHeaps.open(killed)) {
        assertRefused(home(killed), page, () -> TestHeaps.numbers(heap));
        assertRefused(home(killed), page, heap::checkpoint);
        assertRefused(home(killed), page, () -> TestHeaps.put(heap, 0, 1));
        assertFound(heap.verify().problems(), "heap", page * PAGE);
      }
    }
    TestHeaps.flip(home(killed), (page + 1) * PAGE - 1, 1);
    try (Heap heap = TestHeaps.open(killed)) {
      TestHeaps.put(heap, 0, 1);
      assertThat(TestHeaps.numbers(heap)).containsEntry(1000, "another 2");
    }
    assertThat(verify(killed)).isEmpty();
  }

  private static void assertRefused(Path file, long page, ThrowingCallable call) {
    assertThatExceptionOfType(CorruptException.class)
        .isThrownBy(call)
        .withMessageContainingAll(file + " is damaged at byte " + page * PAGE, "page " + page);
  }

  @Test
  void theFileHasAnEntryForEachPageWhateverItsSize() throws Exception {
    Path path = temp.resolve("h");
    try (Heap heap = TestHeaps.open(path)) {
      var large = heap.map("large", Integer.class, byte[].class);
      for (int i = 0; i < 7; i++) {
        large.put(i, new byte[900_000]);
        assertThat(heap.verify().problems()).isEmpty();
      }
      heap.remove("large");
      heap.shrink();
      assertThat(heap.verify().problems()).isEmpty();
      large = heap.map("large again", Integer.class, byte[].class);
      for (int i = 0; i < 5; i++) {
        large.put(i, new byte[900_000]);
      }
      heap.checkpoint();
      assertThat(heap.verify().problems()).isEmpty();
    }
    assertThat(Files.size(checksums(path))).isEqualTo(ChecksumLayout.size(Files.size(home(path))));
    assertThat(verify(path)).isEmpty();
  }

  @Test
  void anOpeningReadsNoChecksum() {
    Path heap = closed();
    try (FileMedium medium = FileMedium.open(heap, false, false)) {
      try (MediumFile file = medium.open(ChecksumLayout.NAME)) {
        file.write(ByteBuffer.allocateDirect(2000).putLong(0, -1), 0);
      }
    }
    try (Heap opened = TestHeaps.open(heap)) {
      assertThat(opened.stats().blocks()).isPositive();
    }
    assertThat(verify(heap)).isNotEmpty();
  }
}
