package io.everheap.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.support.Limit;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is done to a pending page comes after its redo, and no other page is touched by it. */
class PendingRegionTest {
  private static final int PAGE = 4096;
  private static final int PAGES = 130;
  private static final int FIRST = 1000;
  private static final long WORD = 0x0101_0101_0101_0101L;

  private final List<Long> done = new ArrayList<>();
  private final Region under = Region.allocate(PAGES * PAGE);
  private final long[] pending = new long[3];
  private Redo redo = new Redo();

  /** Fills a page with ones. */
  private class Redo implements PendingRegion.Redo {
    @Override
    public synchronized void redo(PendingRegion region, long page) {
      if (region.isPending(page)) {
        region.under().fill(region.start(page), PAGE, (byte) 1);
        done.add(page);
        region.done(page);
      }
    }

    @Override
    public void redoAll(LongFunction<@Nullable PendingRegion> regions) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
  }

  private PendingRegion region() {
    Arrays.fill(pending, -1);
    pending[2] = 3;
    return new PendingRegion(under, FIRST, pending, redo);
  }

  @AfterEach
  void close() {
    under.close();
  }

  record Use(String name, Consumer<Region> use) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** Each uses the first bytes of page 70 and nothing else. */
  static List<Use> uses() {
    long at = 70 * PAGE;
    byte[] bytes = new byte[16];
    MemorySegment segment = Arena.ofAuto().allocate(16);
    Region other = Region.allocate(PAGE);
    return List.of(
        new Use("getByte", r -> assertThat(r.getByte(at)).isEqualTo((byte) 1)),
        new Use("getShort", r -> assertThat(r.getShort(at)).isEqualTo((short) WORD)),
        new Use("getInt", r -> assertThat(r.getInt(at)).isEqualTo((int) WORD)),
        new Use("getLong", r -> assertThat(r.getLong(at)).isEqualTo(WORD)),
        new Use("getLongAcquire", r -> assertThat(r.getLongAcquire(at)).isEqualTo(WORD)),
        new Use("getLongOpaque", r -> assertThat(r.getLongOpaque(at)).isEqualTo(WORD)),
        new Use("copyTo bytes", r -> r.copyTo(at, bytes, 0, 16)),
        new Use("copyTo words", r -> r.copyTo(at, new long[2], 0, 2)),
        new Use("copyTo segment", r -> r.copyTo(at, segment, 0, 16)),
        new Use("mismatch", r -> assertThat(r.mismatch(at, new byte[] {1, 1}, 0, 2)).isEqualTo(-1)),
        new Use("putByte", r -> r.putByte(at, (byte) 1)),
        new Use("putShort", r -> r.putShort(at, (short) WORD)),
        new Use("putInt", r -> r.putInt(at, (int) WORD)),
        new Use("putLong", r -> r.putLong(at, WORD)),
        new Use("putLongOpaque", r -> r.putLongOpaque(at, WORD)),
        new Use("putLongRelease", r -> r.putLongRelease(at, WORD)),
        new Use("copyFrom bytes", r -> r.copyFrom(at, new byte[] {1, 1}, 0, 2)),
        new Use("copyFrom region", r -> r.copyFrom(at, other, 0, 0)),
        new Use("copyFrom a page of its own", r -> r.copyFrom(at, r, at + 8, 8)),
        new Use(
            "copyFrom segment", r -> r.copyFrom(at, MemorySegment.ofArray(new byte[] {1}), 0, 1)),
        new Use("fill", r -> r.fill(at, 16, (byte) 1)),
        new Use("claim", r -> r.claim(at, 16).fill((byte) 1)));
  }

  @ParameterizedTest
  @MethodSource("uses")
  void aPageIsUpToDateBeforeItIsUsed(Use use) {
    PendingRegion region = region();
    use.use.accept(region);
    if (!use.name.equals("copyFrom region")) { // which copied nothing
      assertThat(done).containsExactly((long) FIRST + 70);
    }
    for (int i = 0; i < PAGE; i += 8) {
      assertThat(region.getLong(70 * PAGE + i)).isEqualTo(WORD);
    }
    assertThat(under.getLong(69 * PAGE)).isZero();
    assertThat(under.getLong(71 * PAGE)).isZero();
  }

  @Test
  void whatLiesInTwoPagesNeedsBoth() {
    PendingRegion region = region();
    assertThat(region.getLong(2 * PAGE - 4)).isEqualTo(WORD);
    region.putInt(4 * PAGE - 2, 7);
    byte[] bytes = new byte[PAGE + 2];
    region.copyTo(6 * PAGE - 1, bytes, 0, bytes.length);
    assertThat(bytes).containsOnly(1);
    assertThat(done).containsExactly(1001L, 1002L, 1003L, 1004L, 1005L, 1006L, 1007L);
  }

  @Test
  void aRedoThatFailsIsMadeAgain() {
    redo =
        new Redo() {
          private boolean failed;

          @Override
          public synchronized void redo(PendingRegion region, long page) {
            if (!failed) {
              failed = true;
              region.under().fill(region.start(page), PAGE / 2, (byte) 9);
              throw new IllegalStateException("for once");
            }
            super.redo(region, page);
          }
        };
    PendingRegion region = region();
    assertThatIllegalStateException().isThrownBy(() -> region.putLong(0, 5));
    assertThat(region.getLong(0)).isEqualTo(WORD);
    assertThat(region.getLong(8)).isEqualTo(WORD);
  }

  @Test
  void boundsAreThoseOfTheMemory() {
    PendingRegion region = region();
    long size = PAGES * PAGE;
    assertThatThrownBy(() -> region.getLong(size - 7))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> region.getByte(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> region.putLong(Long.MAX_VALUE, 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> region.copyTo(size - 1, new byte[2], 0, 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(done).isEmpty();
  }

  @Test
  void aWindowShowsNothingOfIt() {
    Window window = new Window();
    window.show(region());
    assertThat(window.now()).isNull();
    window.show(under);
    assertThat(window.now()).isNotNull();
  }

  @Test
  void closingClosesTheMemory() {
    PendingRegion region = region();
    region.close();
    assertThatIllegalStateException().isThrownBy(() -> under.getLong(0));
  }

  @Test
  void threadsNeitherLoseAStoreNorSeeAPageHalfDone() throws Exception {
    PendingRegion region = region();
    int threads = 4;
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        int own = thread;
        all.add(
            pool.submit(
                () -> {
                  for (int page = 0; page < PAGES; page++) {
                    long at = (long) page * PAGE;
                    assertThat(region.getLong(at + PAGE - 8)).isEqualTo(WORD);
                    region.putLong(at + 8L * own, own + 2);
                    assertThat(region.getLong(at + 8L * own)).isEqualTo(own + 2);
                  }
                }));
      }
      for (Future<?> each : all) {
        Limit.get(each);
      }
    }
    assertThat(done).hasSize(PAGES).doesNotHaveDuplicates();
    for (int page = 0; page < PAGES; page++) {
      for (int thread = 0; thread < threads; thread++) {
        assertThat(under.getLong((long) page * PAGE + 8L * thread)).isEqualTo(thread + 2);
      }
    }
  }
}
