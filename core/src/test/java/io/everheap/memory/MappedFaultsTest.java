package io.everheap.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A fault of mapped memory is thrown where it is caught, also by code that is compiled. */
@Timeout(120)
@Campaign
class MappedFaultsTest {
  private static final int SIZE = 16 << 10;

  /** Calls after which code is compiled. */
  private static final int WARM = 200_000;

  @TempDir Path temp;

  private int outside;

  @Test
  void aStoreThatIsCompiledFaultsInside() throws IOException {
    assertThat(faults((region, value) -> region.putLong(8192, value))).isEqualTo(1000);
  }

  @Test
  void soDoesALoad() throws IOException {
    long[] sum = new long[1];
    assertThat(faults((region, value) -> sum[0] += region.getLong(8192))).isEqualTo(1000);
  }

  @Test
  void soDoesACopy() throws IOException {
    byte[] copy = new byte[SIZE];
    assertThat(faults((region, value) -> region.copyTo(0, copy, 0, SIZE))).isEqualTo(1000);
  }

  /** It would crash the virtual machine if it were that of a memory segment. */
  @Test
  void soDoesAComparison() throws IOException {
    byte[] zeros = new byte[SIZE];
    long[] sum = new long[1];
    assertThat(faults((region, value) -> sum[0] += region.mismatch(0, zeros, 0, SIZE)))
        .isEqualTo(1000);
  }

  @Test
  void aThreadWithoutAFaultGoesOn() {
    MappedFaults.arrive();
    assertThat(MappedFaults.isFault(new InternalError("no such algorithm"))).isFalse();
    assertThat(MappedFaults.isFault(new InternalError())).isFalse();
  }

  @Test
  void aComparisonFindsTheFirstByteThatDiffers() {
    try (Region region = Region.allocate(64)) {
      byte[] other = new byte[70];
      for (int length = 0; length <= 40; length++) {
        assertThat(region.mismatch(3, other, 5, length)).isEqualTo(-1);
        for (int at = 0; at < length; at++) {
          other[5 + at] = 1;
          other[5 + length - 1] = 2;
          assertThat(region.mismatch(3, other, 5, length)).isEqualTo(at);
          other[5 + at] = 0;
          other[5 + length - 1] = 0;
        }
      }
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> region.mismatch(60, other, 0, 5));
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> region.mismatch(0, other, 68, 3));
    }
  }

  interface Access {
    void to(Region region, long value);
  }

  /** Does something to a file that is whole until it is compiled, and then to a cut one. */
  private int faults(Access access) throws IOException {
    try (var file = new RandomAccessFile(temp.resolve("f").toFile(), "rw")) {
      file.setLength(SIZE);
      FileChannel channel = file.getChannel();
      Arena arena = Arena.ofShared();
      try (Region region = new Region(channel.map(MapMode.READ_WRITE, 0, SIZE, arena), arena)) {
        int[] inside = new int[1];
        LongConsumer call =
            value -> {
              try {
                access.to(region, value);
                MappedFaults.arrive();
              } catch (InternalError e) {
                assertThat(MappedFaults.isFault(e)).isTrue();
                inside[0]++;
              }
            };
        repeat(WARM, call);
        file.setLength(100);
        repeat(1000, call);
        assertThat(outside).isZero();
        return inside[0];
      }
    }
  }

  private void repeat(int times, LongConsumer call) {
    for (int i = 0; i < times; i++) {
      try {
        call.accept(0);
      } catch (InternalError e) {
        outside++;
      }
    }
  }
}
