package io.everheap.engine.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.everheap.memory.DurableWrite;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Mapping;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.Region;
import io.everheap.support.Limit;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Loads that meet an extent which another thread maps anew, cuts off, or unmaps for good. */
class RemappedHomeTest {
  private static final int SHIFT = HomeLayout.MIN_EXTENT_SHIFT;
  private static final long EXTENT = 1L << SHIFT;
  private static final long ADDRESS = EXTENT / 2;

  @TempDir Path temp;

  private Medium medium;
  private Home home;
  private @Nullable Runnable duringLoad;
  private @Nullable Runnable duringCut;
  private @Nullable Runnable duringUnmap;
  private boolean inUse;

  /** What a load of the word at {@link #ADDRESS} returns. */
  static Stream<Named<Function<Home, Long>>> loads() {
    return Stream.of(
        Named.of("a word", home -> home.getLong(ADDRESS)),
        Named.of(
            "bytes",
            home -> {
              byte[] bytes = new byte[8];
              home.copyOut(ADDRESS, bytes, 0, 8);
              return Long.reverseBytes(ByteBuffer.wrap(bytes).getLong());
            }),
        Named.of(
            "a segment",
            home -> {
              byte[] bytes = new byte[8];
              home.copyOut(ADDRESS, MemorySegment.ofArray(bytes), 0, 8);
              return Long.reverseBytes(ByteBuffer.wrap(bytes).getLong());
            }));
  }

  @BeforeEach
  void open() {
    medium = FileMedium.open(temp.resolve("heap"), false, true);
    home =
        new Home(
            medium,
            new WatchedFile(medium.create("home")),
            SHIFT,
            16 * EXTENT,
            ImageMemory.of(1 << 30));
    home.file().truncate(2 * EXTENT);
    home.file().write(ByteBuffer.allocate(8).putLong(0, Long.reverseBytes(7)), ADDRESS);
    home.map(2 * EXTENT);
  }

  @AfterEach
  void close() {
    home.unmap(() -> new IllegalStateException("closed"));
    home.file().close();
    medium.close();
  }

  @ParameterizedTest
  @MethodSource("loads")
  void anExtentThatIsMappedAnewInTheMiddleOfALoadIsLoadedAgain(Function<Home, Long> load) {
    duringLoad = () -> home.remap(0).close();
    assertThat(load.apply(home)).isEqualTo(7);
    assertThat(duringLoad).isNull();
  }

  @ParameterizedTest
  @MethodSource("loads")
  void anImageThatIsUnmappedInTheMiddleOfALoadSaysWhy(Function<Home, Long> load) {
    duringLoad = () -> home.unmap(() -> new IllegalArgumentException("closed"));
    assertThatIllegalArgumentException().isThrownBy(() -> load.apply(home)).withMessage("closed");
  }

  @ParameterizedTest
  @MethodSource("loads")
  void aLoadWaitsUntilAnImageThatIsCutIsMappedAgain(Function<Home, Long> load) throws Exception {
    FutureTask<Long> loading = new FutureTask<>(() -> load.apply(home));
    duringCut = () -> awaitWaiting(Thread.ofPlatform().daemon().start(loading));
    home.truncate(EXTENT / 4 * 3, IllegalStateException::new);
    assertThat(Limit.get(loading)).isEqualTo(7);
  }

  @ParameterizedTest
  @MethodSource("loads")
  void aLoadWaitsWhileAnExtentIsUnmappedForACut(Function<Home, Long> load) throws Exception {
    FutureTask<Long> loading = new FutureTask<>(() -> load.apply(home));
    duringUnmap = () -> awaitWaiting(Thread.ofPlatform().daemon().start(loading));
    home.truncate(EXTENT / 4 * 3, IllegalStateException::new);
    assertThat(Limit.get(loading)).isEqualTo(7);
  }

  @Test
  void anExtentInUseStaysMappedAndIsNotCut() {
    inUse = true;
    for (int i = 0; i < 2; i++) {
      assertThatIllegalStateException()
          .isThrownBy(() -> home.truncate(EXTENT / 4 * 3, IllegalArgumentException::new));
      assertThat(home.file().size()).isEqualTo(2 * EXTENT);
      assertThat(home.getLong(ADDRESS)).isEqualTo(7);
    }
    inUse = false;
    home.truncate(EXTENT / 4 * 3, IllegalArgumentException::new);
    assertThat(home.getLong(ADDRESS)).isEqualTo(7);
  }

  @ParameterizedTest
  @MethodSource("loads")
  void aLoadThatWaitsForAnImageIsToldThatItWasUnmappedForGood(Function<Home, Long> load)
      throws Exception {
    FutureTask<Long> loading = new FutureTask<>(() -> load.apply(home));
    duringCut =
        () -> {
          awaitWaiting(Thread.ofPlatform().daemon().start(loading));
          home.unmap(() -> new IllegalArgumentException("poisoned"));
        };
    home.truncate(EXTENT / 4 * 3, IllegalStateException::new);
    assertThat(settled(loading)).isIn("7", "poisoned"); // the cut may have ended before
    assertThatIllegalArgumentException()
        .isThrownBy(() -> home.getLong(ADDRESS))
        .withMessage("poisoned");
  }

  @ParameterizedTest
  @MethodSource("loads")
  void anInterruptNeitherEndsTheWaitForAnImageNorGetsLost(Function<Home, Long> load)
      throws Exception {
    FutureTask<Boolean> loading =
        new FutureTask<>(() -> load.apply(home) == 7 && Thread.interrupted());
    duringCut =
        () -> {
          Thread thread = Thread.ofPlatform().daemon().start(loading);
          awaitWaiting(thread);
          thread.interrupt();
        };
    home.truncate(EXTENT / 4 * 3, IllegalStateException::new);
    assertThat(Limit.get(loading)).isTrue();
  }

  private static String settled(FutureTask<Long> load) throws Exception {
    try {
      return Limit.get(load).toString();
    } catch (ExecutionException e) {
      return String.valueOf(e.getCause().getMessage());
    }
  }

  private static void awaitWaiting(Thread thread) {
    Limit.until(
        "the load waits",
        () -> {
          if (!thread.isAlive()) {
            throw new AssertionError("it did not wait");
          }
          return thread.getState() == Thread.State.TIMED_WAITING;
        });
  }

  private static void run(@Nullable Runnable action) {
    if (action != null) {
      action.run();
    }
  }

  /** Regions of the file, each of which has something happen in the middle of its first load. */
  private final class WatchedRegion extends Region {
    private final Region region;

    WatchedRegion(Region region) {
      super(region.segment(), null);
      this.region = region;
    }

    private void loading() {
      Runnable action = duringLoad;
      duringLoad = null;
      run(action);
    }

    @Override
    public long getLong(long offset) {
      loading();
      return super.getLong(offset);
    }

    @Override
    public void copyTo(long offset, byte[] target, int at, int length) {
      loading();
      super.copyTo(offset, target, at, length);
    }

    @Override
    public void copyTo(long offset, MemorySegment target, long at, long length) {
      loading();
      super.copyTo(offset, target, at, length);
    }

    @Override
    public void close() {
      if (inUse) {
        throw new IllegalStateException("made up");
      }
      region.close();
      Runnable action = duringUnmap;
      duringUnmap = null;
      run(action);
    }
  }

  private final class WatchedFile implements MediumFile {
    private final MediumFile file;

    WatchedFile(MediumFile file) {
      this.file = file;
    }

    @Override
    public String name() {
      return file.name();
    }

    @Override
    public long size() {
      return file.size();
    }

    @Override
    public void truncate(long size) {
      run(duringCut);
      file.truncate(size);
    }

    @Override
    public int read(ByteBuffer target, long position) {
      return file.read(target, position);
    }

    @Override
    public void write(ByteBuffer source, long position) {
      file.write(source, position);
    }

    @Override
    public void sync() {
      file.sync();
    }

    @Override
    public void writeDurably(ByteBuffer source, long position) {
      file.writeDurably(source, position);
    }

    @Override
    public DurableWrite durableWrite() {
      return file.durableWrite();
    }

    @Override
    public Region map(Mapping mapping, long position, long size) {
      return new WatchedRegion(file.map(mapping, position, size));
    }

    @Override
    public void close() {
      file.close();
    }
  }
}
