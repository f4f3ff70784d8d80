package io.everheap.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.concurrent.FutureTask;
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
    ByteBuffer bytes = region.view();
    FutureTask<Integer> writing = new FutureTask<>(() -> pipe.sink().write(bytes));
    Thread.ofPlatform().daemon().start(writing);
    assertThat(pipe.source().read(ByteBuffer.allocate(1))).isEqualTo(1); // so it has begun

    Closing.unmap(region);

    assertThat(region.getLong(0)).isZero();
    ByteBuffer rest = ByteBuffer.allocate(1 << 20);
    while (rest.position() < (1 << 20) - 1) {
      pipe.source().read(rest);
    }
    assertThat(writing.get()).isEqualTo(1 << 20);
    pipe.source().close();
    pipe.sink().close();
    Closing.unmap(region);
    assertThatIllegalStateException().isThrownBy(() -> region.getLong(0));
  }
}
