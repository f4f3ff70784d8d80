package io.everheap.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;

/** Writes and reads values for the tests. */
final class Bytes {
  private Bytes() {}

  static <T> byte[] of(Codec<T> codec, T value) {
    var out = new CodecOutput();
    codec.write(value, out);
    return out.toByteArray();
  }

  static <T> T read(Codec<T> codec, byte[] bytes) {
    var in = new CodecInput(bytes);
    T value = codec.read(in);
    in.expectEnd();
    return value;
  }

  /** The value after a round trip between other bytes, of which none may be touched. */
  static <T> T roundTrip(Codec<T> codec, T value) {
    var out = new CodecOutput();
    out.writeLong(0x0123_4567_89AB_CDEFL);
    codec.write(value, out);
    int size = out.size();
    out.writeLong(0x7654_3210_FEDC_BA98L);
    byte[] bytes = out.toByteArray();
    var in = new CodecInput(bytes);
    assertThat(in.readLong()).isEqualTo(0x0123_4567_89AB_CDEFL);
    T copy = codec.read(in);
    assertThat(in.position()).isEqualTo(size);
    assertThat(in.readLong()).isEqualTo(0x7654_3210_FEDC_BA98L);
    in.expectEnd();
    return copy;
  }

  /** Bytes that look like small numbers more often than chance has it. */
  static byte[] hostile(Random random, int size) {
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    for (int i = 0; i < size; i++) {
      switch (random.nextInt(4)) {
        case 0 -> bytes[i] = (byte) random.nextInt(3);
        case 1 -> bytes[i] = (byte) (random.nextInt(8) * 4);
        default -> {}
      }
    }
    return bytes;
  }

  static List<String> texts() {
    return List.of(
        "",
        "a",
        "\u00ff",
        "\u0100",
        "\u0000",
        "na\u00efve",
        "\u20ac",
        "\ud83d\ude00",
        "\ud83d",
        "\ude00",
        "\ude00\ud83d",
        "a\ud83d",
        "?",
        "\ufffd",
        "x".repeat(47),
        "x".repeat(48),
        "\u00fc".repeat(1000),
        "\u4e2d".repeat(1000),
        "x".repeat(60) + "\u4e2d",
        "x".repeat(60) + "\ud83d",
        "x".repeat(60) + "\ud83d\ude00");
  }
}
