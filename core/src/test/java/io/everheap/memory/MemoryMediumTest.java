package io.everheap.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryMediumTest {
  private static final int EXTENT = 64 << 10;

  @Nested
  class Contract extends MediumContract {
    @Override
    Medium open() {
      return new MemoryMedium();
    }
  }

  @Test
  void itIsByteAddressable() {
    try (var medium = new MemoryMedium()) {
      assertThat(medium.byteAddressable()).isTrue();
      assertThat(medium.readOnly()).isFalse();
      assertThat(medium.name()).isEqualTo("memory");
    }
  }

  @Test
  void twoMediaAreTwoIncarnations() {
    try (var one = new MemoryMedium();
        var two = new MemoryMedium()) {
      assertThat(one.incarnation()).isNotEqualTo(two.incarnation());
    }
  }

  @Test
  void closingTheMediumFreesMappedMemory() {
    var medium = new MemoryMedium();
    Region region = medium.create("heap").map(Mapping.SHARED, 0, EXTENT);

    medium.close();

    assertThatIllegalStateException().isThrownBy(() -> region.getByte(0));
    region.close();
  }

  @Test
  void aMappingCannotCrossTheBordersOfAnEarlierOne() {
    try (var medium = new MemoryMedium();
        MediumFile file = medium.create("heap");
        Region region = file.map(Mapping.SHARED, EXTENT, EXTENT)) {
      assertThat(region.size()).isEqualTo(EXTENT);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> file.map(Mapping.SHARED, 0, 2 * EXTENT))
          .withMessageContaining("heap");
    }
  }

  @Test
  void growingAgainAfterACutMapsZeros() {
    try (var medium = new MemoryMedium();
        MediumFile file = medium.create("heap")) {
      Region old = file.map(Mapping.SHARED, EXTENT, EXTENT);
      old.putLong(0, 42);
      file.truncate(EXTENT);
      assertThat(old.getLong(0)).isEqualTo(42);

      try (Region region = file.map(Mapping.SHARED, EXTENT, EXTENT)) {
        assertThat(region.getLong(0)).isZero();
      }
      old.close();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void itBehavesLikeAnArrayUnderRandomOperations(long seed) {
    var random = new Random(seed);
    byte[] model = new byte[4 * EXTENT];
    int size = 0;
    try (var medium = new MemoryMedium();
        MediumFile file = medium.create("heap")) {
      for (int i = 0; i < 300; i++) {
        int position = random.nextInt(3 * EXTENT);
        int length = 1 + random.nextInt(random.nextBoolean() ? 100 : EXTENT);
        switch (random.nextInt(6)) {
          case 0, 1 -> {
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            file.write(ByteBuffer.wrap(bytes), position);
            System.arraycopy(bytes, 0, model, position, length);
            size = Math.max(size, position + length);
          }
          case 2 -> {
            if (random.nextInt(4) == 0) {
              file.truncate(position);
              if (position < size) {
                Arrays.fill(model, position, size, (byte) 0);
              }
              size = position;
            }
          }
          case 3 -> {
            int extent = random.nextInt(4);
            try (Region region = file.map(Mapping.SHARED, (long) extent * EXTENT, EXTENT)) {
              size = Math.max(size, (extent + 1) * EXTENT);
              int at = random.nextInt(EXTENT);
              byte value = (byte) random.nextInt();
              region.putByte(at, value);
              model[extent * EXTENT + at] = value;
            }
          }
          case 4 -> {
            try (Region region = file.map(Mapping.PRIVATE, position, length)) {
              size = Math.max(size, position + length);
              byte[] bytes = new byte[length];
              region.copyTo(0, bytes, 0, length);
              assertThat(bytes).isEqualTo(Arrays.copyOfRange(model, position, position + length));
              region.fill(0, length, (byte) 77);
            }
          }
          default -> {
            ByteBuffer buffer = ByteBuffer.allocate(length);
            int read = file.read(buffer, position);
            assertThat(read).isEqualTo(Math.max(0, Math.min(length, size - position)));
            assertThat(Arrays.copyOf(buffer.array(), read))
                .isEqualTo(Arrays.copyOfRange(model, position, position + read));
          }
        }
        assertThat(file.size()).isEqualTo(size);
      }
    }
  }
}
