package io.everheap.memory;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.everheap.support.Limit;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PagedRegionTest {
  private static final int PAGE = 4096;
  private static final int PAGES = 200;
  private static final long SIZE = (long) PAGES * PAGE;

  /** A time has sixteen pages. */
  private static final long MEMORY = 4L * 16 * PAGE;

  @TempDir Path temp;

  private static final int STORED_BEFORE = 137;

  private static final long A_READ = 100_000;

  private final List<Integer> read = new ArrayList<>();
  private int requests;
  private Region region;

  @BeforeEach
  void map() throws Exception {
    Path file = temp.resolve("file");
    try (var channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      ByteBuffer words = ByteBuffer.allocate((int) SIZE);
      for (int i = 0; i < SIZE / 8; i++) {
        words.putLong(Long.reverseBytes(i));
      }
      channel.write(words.flip(), 0);
      Arena arena = Arena.ofShared();
      region = observed(channel.map(MapMode.PRIVATE, 0, SIZE, arena), arena);
    }
  }

  private Region observed(MemorySegment segment, Arena arena) {
    // However long the disk takes, times end by their pages alone.
    return new PagedRegion(
        new PageTimes(MEMORY, Long.MAX_VALUE), page -> page == STORED_BEFORE, segment, arena) {
      @Override
      long read(int page, int count) {
        requests++;
        for (int i = page; i < page + count; i++) {
          read.add(i);
        }
        super.read(page, count);
        return A_READ;
      }
    };
  }

  @AfterEach
  void close() {
    region.close();
  }

  private void use(int... pages) {
    for (int page : pages) {
      assertThat(region.getLong((long) page * PAGE)).isEqualTo((long) page * PAGE / 8);
    }
  }

  /** Pages of which none follows the one before. */
  private static int[] scattered(int from, int to) {
    return IntStream.range(from, to).map(i -> i * 37 % PAGES).toArray();
  }

  @Test
  void aPageIsAskedForBeforeItIsFirstUsed() {
    use(7, 3, 7, 3, 199);

    assertThat(read).containsExactly(7, 3, 199);
  }

  @Test
  void aWindowAsksForAPageBeforeItIsFirstUsed() {
    var window = new Window();
    window.show(region);
    for (int page : new int[] {7, 3, 7, 3, 199}) {
      long offset = (long) page * PAGE + 16;
      assertThat(window.load(requireNonNull(window.now()), offset)).isEqualTo(offset / 8);
    }

    assertThat(read).containsExactly(7, 3, 199);
  }

  @Test
  void aWindowRefusesWhatIsNotInTheFile() {
    var window = new Window();
    window.show(region);
    MemorySegment memory = requireNonNull(window.now());

    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> window.load(memory, SIZE));
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> window.load(memory, 1L << 40));
    region.close();
    assertThatIllegalStateException().isThrownBy(() -> window.load(memory, 0));
  }

  @Test
  void aWindowThatShowsAnotherRegionAsksNoMore() {
    var window = new Window();
    window.show(region);
    try (Region other = Region.allocate(SIZE)) {
      window.show(other);
      assertThat(window.load(requireNonNull(window.now()), 9 * PAGE)).isZero();
    }

    assertThat(read).isEmpty();
  }

  @Test
  void whatWasUsedLatelyIsNotAskedForAgain() {
    use(scattered(0, 16)); // the first time
    use(scattered(0, 8)); // is over
    read.clear();

    use(scattered(0, 8));
    assertThat(read).isEmpty();
  }

  @Test
  void whatWasNotUsedForTwoTimesIsAskedForAgain() {
    use(scattered(0, 16));
    use(scattered(16, 32));
    use(scattered(32, 48));
    read.clear();

    use(0);
    assertThat(read).containsExactly(0);
  }

  @Test
  void whatWasStoredToBelongsToTheProcess() {
    region.putLong(170 * PAGE, 5);
    use(scattered(20, 36));
    use(scattered(36, 52));
    use(scattered(52, 68));
    read.clear();

    assertThat(region.getLong(170 * PAGE)).isEqualTo(5);
    region.putLong(170 * PAGE, 6);
    assertThat(region.getLong(170 * PAGE)).isEqualTo(6);
    use(STORED_BEFORE);
    assertThat(read).isEmpty();
  }

  @Test
  void pagesThatAreUsedOneAfterTheOtherAreAskedForTogether() {
    use(0, 1);
    assertThat(read).containsExactly(0, 1);
    use(2);
    assertThat(read).containsExactlyElementsOf(IntStream.range(0, 34).boxed().toList());
    use(34);
    assertThat(read).containsExactlyElementsOf(IntStream.range(0, 66).boxed().toList());
    assertThat(requests).isEqualTo(4);
  }

  @Test
  void aValueThatLiesInTwoPagesIsNotTakenForAStream() {
    for (int page = 0; page < 60; page += 20) {
      use(page);
      region.copyTo((page + 1L) * PAGE - 8, new byte[100], 0, 100);
    }
    assertThat(read).containsExactly(0, 1, 20, 21, 40, 41);
  }

  @Test
  void aStoreAsksForNoMoreThanItsPages() {
    for (int page = 0; page < 6; page++) {
      region.putLong((long) page * PAGE, 1);
    }
    assertThat(read).containsExactly(0, 1, 2, 3, 4, 5);
  }

  @Test
  void askingAheadEndsWithTheRegion() {
    use(197, 198, 199);

    assertThat(read).containsExactly(197, 198, 199);
  }

  @Test
  void aLongRangeIsAskedForInFewRequests() {
    region.copyTo(100 * PAGE, new byte[60 * PAGE], 0, 60 * PAGE);

    assertThat(read).hasSize(59).doesNotContain(STORED_BEFORE);
    assertThat(requests).isEqualTo(3);
  }

  @Test
  void eachPageOfARangeIsAskedFor() {
    byte[] bytes = new byte[3 * PAGE];
    region.copyTo(10 * PAGE + 8, bytes, 0, 3 * PAGE);
    region.copyTo(20 * PAGE, new long[PAGE / 8], 0, PAGE / 8);
    region.copyTo(30 * PAGE - 1, MemorySegment.ofArray(bytes), 0, 2);
    region.copyFrom(40 * PAGE - 1, bytes, 0, 2);
    region.copyFrom(50 * PAGE, MemorySegment.ofArray(bytes), 0, PAGE + 1);
    region.copyFrom(60 * PAGE, region, 65 * PAGE, 8);
    region.fill(70 * PAGE, 2 * PAGE, (byte) 1);
    region.claim(80 * PAGE + 5, PAGE).fill((byte) 2);
    region.claimed(80 * PAGE + 5, PAGE);
    assertThat(region.mismatch(90 * PAGE - 1, new byte[2], 0, 2)).isEqualTo(-1);
    region.copyTo(95 * PAGE, bytes, 0, 0);

    assertThat(read)
        .containsExactly(
            10, 11, 12, 13, 20, 29, 30, 39, 40, 50, 51, 60, 65, 70, 71, 80, 81, 89, 90);
  }

  @Test
  void everyKindOfAccessAsks() {
    region.getByte(2 * PAGE);
    region.getShort(4 * PAGE);
    region.getInt(6 * PAGE);
    region.getLongAcquire(8 * PAGE);
    region.getLongOpaque(10 * PAGE);
    region.putByte(12 * PAGE, (byte) 1);
    region.putShort(14 * PAGE, (short) 1);
    region.putInt(16 * PAGE, 1);
    region.putLongOpaque(18 * PAGE, 1);
    region.putLongRelease(20 * PAGE, 1);

    assertThat(read).containsExactly(2, 4, 6, 8, 10, 12, 14, 16, 18, 20);
  }

  @Test
  void outsideIsRefusedAsInAnyRegion() {
    for (long offset : new long[] {-8, SIZE, SIZE + 64 * PAGE, Long.MAX_VALUE - 7, 1L << 44}) {
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> region.getLong(offset));
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> region.putLong(offset, 1));
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> region.copyTo(offset, new byte[8], 0, 8));
    }
    read.clear();
    for (long length : new long[] {PAGE, Integer.MAX_VALUE, -1}) {
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> region.copyTo(SIZE - 8, MemorySegment.NULL, 0, length));
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> region.fill(SIZE - 8, length, (byte) 1));
    }
    assertThat(read).isEmpty(); // no range is asked for before it is known to be there
  }

  @Test
  void beingClosedEndsWhatOthersDo() throws Exception {
    for (int i = 0; i < 50; i++) {
      Region paged = paged();
      var reader =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  for (int page = 0; ; page = (page + 37) % PAGES) {
                    paged.getLong((long) page * PAGE);
                  }
                } catch (IllegalStateException e) {
                  return "closed";
                }
              });
      paged.close();
      assertThat(Limit.get(reader)).isEqualTo("closed");
    }
  }

  @Test
  void afterTheEndItIsRefused() {
    region.close();

    assertThatIllegalStateException().isThrownBy(() -> region.getLong(0));
    assertThatIllegalStateException().isThrownBy(() -> region.putLong(PAGE, 1));
  }

  @Test
  void aFileMediumPagesItsPrivateMappingsAndNoOther() {
    PageTimes times = new PageTimes(MEMORY);
    try (var medium = FileMedium.open(temp.resolve("heap"), false, true);
        MediumFile file = medium.create("home");
        Region mapped = file.map(Mapping.PRIVATE, 0, SIZE);
        Region shared = file.map(Mapping.SHARED, 0, SIZE)) {
      file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 9 * PAGE);

      assertThat(shared.paged(times, page -> false)).isSameAs(shared);
      try (Region paged = mapped.paged(times, page -> false)) {
        assertThat(paged).isInstanceOf(PagedRegion.class);
        assertThat(paged.getInt(9 * PAGE)).isEqualTo(0x030201);
        paged.putInt(9 * PAGE, 7);
        assertThat(mapped.getInt(9 * PAGE)).isEqualTo(7); // the same memory
        assertThat(shared.getInt(9 * PAGE)).isEqualTo(0x030201);
      }
      assertThat(mapped.segment().scope().isAlive()).isFalse();
    }
  }

  @Test
  void threadsThatRaceAllSeeWhatIsThere() throws Exception {
    try (var paged = paged();
        var threads = Executors.newFixedThreadPool(4)) {
      List<Future<?>> done = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        int own = t;
        done.add(threads.submit(() -> readAndWrite(paged, own)));
      }
      for (Future<?> each : done) {
        Limit.get(each);
      }
    }
  }

  private Region paged() throws Exception {
    try (var channel =
        FileChannel.open(temp.resolve("file"), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      Arena arena = Arena.ofShared();
      return PagedRegion.create(
          new PageTimes(MEMORY),
          page -> false,
          channel.map(MapMode.PRIVATE, 0, SIZE, arena),
          arena);
    }
  }

  /** Each thread stores to a word of its own in every page, and reads the words of nobody. */
  private static void readAndWrite(Region region, int own) {
    var random = new SplittableRandom(own);
    long[] stored = new long[PAGES];
    for (int i = 0; i < 100_000; i++) {
      int page = random.nextInt(PAGES);
      long at = (long) page * PAGE;
      assertThat(region.getLong(at + 512)).isEqualTo((at + 512) / 8);
      if (random.nextInt(8) == 0) {
        stored[page] = i + 1L;
        region.putLong(at + 8L * own, i + 1L);
      } else if (stored[page] != 0) {
        assertThat(region.getLong(at + 8L * own)).isEqualTo(stored[page]);
      }
    }
  }

  @Test
  void memoryThatIsNoMappingIsNotPaged() {
    try (Arena arena = Arena.ofConfined()) {
      var plain = new PrivateRegion(arena.allocate(PAGE), arena);

      assertThat(plain.paged(new PageTimes(MEMORY), page -> false)).isSameAs(plain);
      assertThat(plain.segment().get(ValueLayout.JAVA_LONG, 0)).isZero();
    }
  }
}
