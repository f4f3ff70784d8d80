package io.everheap.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What {@link Closing} does about memory that is in use, or seems to be. */
class ClosingTest {
  @Test
  void unmapsMemoryThatIsNotInUse() {
    Region region = Region.allocate(4096);
    Closing.unmap(region);
    Closing.unmap(region);
    assertThatIllegalStateException().isThrownBy(() -> region.getLong(0));
  }

  @Test
  void leavesMemoryMappedWhoseUseDoesNotEnd() throws Exception {
    Region region = Region.allocate(1 << 20); // more than a pipe takes
    Pipe pipe = Pipe.open();
    try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
      ByteBuffer bytes = region.view();
      Future<Integer> writing = executor.submit(() -> pipe.sink().write(bytes));
      assertThat(pipe.source().read(ByteBuffer.allocate(1))).isEqualTo(1); // so it has begun

      Closing.unmap(region);

      assertThat(region.getLong(0)).isZero();
      ByteBuffer rest = ByteBuffer.allocate(1 << 20);
      while (rest.position() < (1 << 20) - 1) {
        pipe.source().read(rest);
      }
      assertThat(writing.get()).isEqualTo(1 << 20);
    } finally {
      pipe.source().close();
      pipe.sink().close();
    }
    Closing.unmap(region);
    assertThatIllegalStateException().isThrownBy(() -> region.getLong(0));
  }
}
