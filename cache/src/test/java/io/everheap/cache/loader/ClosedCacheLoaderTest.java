package io.everheap.cache.loader;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.cache.BlockCache;
import io.everheap.support.EndingLoader;
import io.everheap.support.FreshJvm;
import io.everheap.support.tier.Campaign;
import java.nio.file.Path;
import java.util.function.Function;
import jdk.jfr.FlightRecorder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cache is closed, and fails, when no class can be loaded any more. */
@Campaign
class ClosedCacheLoaderTest {
  @TempDir Path directory;

  private static EndingLoader loader() {
    return new EndingLoader(Heap.class, BlockCache.class, CacheProgram.class);
  }

  @Test
  void aCacheIsClosed() throws Exception {
    try (EndingLoader loader = loader()) {
      Function<String, Object> program = loader.make(CacheProgram.class);
      assertThat(program.apply(directory.toString())).isEqualTo("b");
      loader.end();
      Object _ = program.apply("close");
      assertThat(loader.missed()).isEmpty();
    }
    BlockCache.open(directory, 2 << 20).close();
  }

  @Test
  void aFlightRecorderThatIsStartedLaterDoesNotKeepACacheFromClosing() throws Exception {
    assertThat(FreshJvm.run(ClosedCacheLoaderTest.class, directory.toString())).isZero();
    BlockCache.open(directory, 2 << 20).close();
  }

  /** Starts a flight recorder after the end of a loader: here another test may have one. */
  public static void main(String[] arguments) throws Exception {
    try (EndingLoader loader = loader()) {
      Function<String, Object> program = loader.make(CacheProgram.class);
      Object _ = program.apply(arguments[0]);
      loader.end();
      FlightRecorder _ = FlightRecorder.getFlightRecorder();
      Object _ = program.apply("close");
    }
  }

  @Test
  void aFailureIsToldAndTheFilesAreReleased() throws Exception {
    try (EndingLoader loader = loader()) {
      Function<String, Object> program = loader.make(CacheProgram.class);
      assertThat(program.apply(directory.toString())).isEqualTo("b");
      loader.end();
      assertThat(program.apply("fail")).isNotEqualTo("java.lang.NoClassDefFoundError");
      try {
        Object _ = program.apply("close");
      } catch (RuntimeException | InternalError e) {
        assertThat(e).isNotInstanceOf(LinkageError.class);
      }
      assertThat(loader.missed()).isEmpty();
    }
  }
}
