package io.everheap.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.CorruptValueException;
import io.everheap.error.TooLargeException;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class CodecStreamsTest {
  private final CodecOutput out = new CodecOutput();

  @Property
  void numbersComeBack(
      @ForAll byte b, @ForAll short s, @ForAll int i, @ForAll long l, @ForAll boolean flag) {
    out.reset();
    out.writeByte(b);
    out.writeShort(s);
    out.writeInt(i);
    out.writeLong(l);
    out.writeBoolean(flag);
    out.writeVarInt(i);
    out.writeVarLong(l);
    out.writeZigZag(l);

    var in = new CodecInput(out.array(), 0, out.size());
    assertThat(in.readByte()).isEqualTo(b);
    assertThat(in.readShort()).isEqualTo(s);
    assertThat(in.readInt()).isEqualTo(i);
    assertThat(in.readLong()).isEqualTo(l);
    assertThat(in.readBoolean()).isEqualTo(flag);
    assertThat(in.readVarInt()).isEqualTo(i);
    assertThat(in.readVarLong()).isEqualTo(l);
    assertThat(in.readZigZag()).isEqualTo(l);
    in.expectEnd();
  }

  @Property
  void fractionsComeBack(@ForAll float f, @ForAll double d) {
    out.reset();
    out.writeFloat(f);
    out.writeDouble(d);

    var in = new CodecInput(out.toByteArray());
    assertThat(in.readFloat()).isEqualTo(f);
    assertThat(in.readDouble()).isEqualTo(d);
  }

  @Property
  void textsComeBack(@ForAll String text) {
    assertThat(readBack(text)).isEqualTo(text);
  }

  @Test
  void textsWithSurrogatesAndOfAnyLengthComeBack() {
    for (String text : Bytes.texts()) {
      assertThat(readBack(text)).isEqualTo(text);
    }
  }

  private String readBack(String text) {
    out.reset();
    out.writeUtf(text);
    var in = new CodecInput(out.array(), 0, out.size());
    String copy = in.readUtf();
    in.expectEnd();
    return copy;
  }

  @Test
  void latinTextsTakeAByteForEachCharacter() {
    out.writeUtf("caf\u00e9");

    assertThat(out.size()).isEqualTo(5);
  }

  @Test
  void numbersAreLittleEndian() {
    out.writeInt(0x04030201);
    out.writeLong(0x0C0B0A0908070605L);

    assertThat(out.toByteArray()).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
  }

  @Test
  void smallNumbersAreShort() {
    out.writeVarLong(127);
    out.writeVarLong(128);
    out.writeZigZag(-64);
    out.writeVarInt(-1);

    assertThat(out.size()).isEqualTo(1 + 2 + 1 + 5);
  }

  @Test
  void aPartOfAnArrayIsAppended() {
    out.writeBytes(new byte[] {1, 2, 3, 4}, 1, 2);

    assertThat(out.toByteArray()).containsExactly(2, 3);
  }

  @Test
  void anInputSeesItsRangeOnly() {
    byte[] array = {1, 2, 3, 4};
    var in = new CodecInput(array, 1, 3);
    assertThat(in.remaining()).isEqualTo(2);
    assertThat(in.readBytes(2)).containsExactly(2, 3);
    assertThat(in.position()).isEqualTo(2);
    assertCorrupt(in::readByte).withMessageContaining("needed 1 bytes where only 0 remain");

    in.reset(array, 3, 4);
    assertThat(in.readByte()).isEqualTo((byte) 4);
    in.expectEnd();
  }

  @Test
  void readingPastTheEndIsRefused() {
    for (int size = 0; size < 8; size++) {
      var in = new CodecInput(new byte[size]);
      assertCorrupt(in::readLong);
      assertCorrupt(() -> in.readBytes(9));
      assertCorrupt(() -> in.readBytes(Integer.MAX_VALUE));
      assertCorrupt(() -> in.readBytes(new byte[9], 0, 9));
      assertThat(in.remaining()).isEqualTo(size);
    }
  }

  @Test
  void aNegativeLengthIsAMistakeOfTheCaller() {
    var in = new CodecInput(new byte[4]);

    assertThatIllegalArgumentException().isThrownBy(() -> in.readBytes(-1));
  }

  @Test
  void trailingBytesAreRefused() {
    assertCorrupt(() -> new CodecInput(new byte[3]).expectEnd())
        .withMessageContaining("3 bytes follow");
  }

  @Test
  void lengthsAreComparedWithWhatRemains() {
    out.writeVarInt(-1);
    byte[] huge = out.toByteArray();
    assertCorrupt(() -> new CodecInput(huge).readLength()).withMessageContaining("4294967295");
    assertCorrupt(() -> new CodecInput(huge).readUtf());
  }

  @Test
  void numbersThatAreTooLongAreRefused() {
    byte[] endless = new byte[20];
    java.util.Arrays.fill(endless, (byte) 0xFF);
    assertCorrupt(() -> new CodecInput(endless).readVarLong());
    assertCorrupt(() -> new CodecInput(endless).readVarInt());
    assertCorrupt(() -> new CodecInput(new byte[] {(byte) 0x80, 0}).readVarLong());
    out.writeVarLong(1L << 32);
    assertCorrupt(() -> new CodecInput(out.toByteArray()).readVarInt());
  }

  @Test
  void textsOfAnUnknownFormAreRefused() {
    assertCorrupt(() -> new CodecInput(new byte[] {3}).readUtf());
    assertCorrupt(() -> new CodecInput(new byte[] {1 << 2 | 2, 0}).readUtf());
  }

  @Test
  void aBooleanIsZeroOrOne() {
    assertCorrupt(() -> new CodecInput(new byte[] {2}).readBoolean());
  }

  @Test
  void anOutputGrowsUpToItsLimit() {
    var small = new CodecOutput(1000);
    for (int i = 0; i < 1000; i++) {
      small.writeByte(i);
    }

    assertThatExceptionOfType(TooLargeException.class)
        .isThrownBy(() -> small.writeByte(0))
        .withMessageContaining("limit of 1000 bytes")
        .satisfies(e -> assertThat(e.code()).isEqualTo("EH-CODEC-TOO-LARGE"));
    assertThat(small.size()).isEqualTo(1000);
    assertThat(small.toByteArray()).hasSize(1000).endsWith((byte) 999);
  }

  @Test
  void aLimitBelowTheInitialCapacityHolds() {
    assertThatExceptionOfType(TooLargeException.class)
        .isThrownBy(() -> new CodecOutput(7).writeLong(1));
    assertThatIllegalArgumentException().isThrownBy(() -> new CodecOutput(Integer.MAX_VALUE));
  }

  @Test
  void sizesBeyondAllArraysAreRefusedWithoutOverflow() {
    out.writeByte(1);

    assertThatExceptionOfType(TooLargeException.class)
        .isThrownBy(() -> out.append(8L * Integer.MAX_VALUE));
    assertThatExceptionOfType(TooLargeException.class)
        .isThrownBy(() -> out.append(CodecOutput.MAX_SIZE));
    assertThat(out.size()).isEqualTo(1);
  }

  @Test
  void aResetOutputGivesUpALargeBuffer() {
    out.append(40 << 20);
    assertThat(out.array().length).isGreaterThanOrEqualTo(40 << 20);

    out.reset();

    assertThat(out.size()).isZero();
    assertThat(out.array().length).isLessThan(1 << 20);
  }

  @Test
  void nestingIsLimited() {
    var in = new CodecInput(new byte[0]);
    for (int i = 0; i < CodecOutput.MAX_NESTING; i++) {
      out.enter();
      in.enter();
    }

    assertThatExceptionOfType(TooLargeException.class).isThrownBy(out::enter);
    assertCorrupt(in::enter).withMessageContaining("500 levels");
  }

  private static org.assertj.core.api.ThrowableAssertAlternative<CorruptValueException>
      assertCorrupt(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    return assertThatExceptionOfType(CorruptValueException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.code()).isEqualTo("EH-CODEC-VALUE"));
  }

  /** Bytes of a text that says to be UTF-8. */
  private static byte[] utf8(int... bytes) {
    var out = new CodecOutput();
    out.writeVarLong((long) bytes.length << 2 | 1);
    for (int b : bytes) {
      out.writeByte(b);
    }
    return out.toByteArray();
  }

  @Test
  void malformedUtf8IsDamage() {
    List<byte[]> malformed =
        List.of(
            utf8(0x80),
            utf8(0xC3),
            utf8(0xC0, 0x80),
            utf8('a', 0xE2, 0x82),
            utf8(0xED, 0xA0, 0x80),
            utf8(0xF8, 0x88, 0x80, 0x80, 0x80),
            utf8(0xEF, 0xBF, 0xBD, 0xFF));
    for (byte[] bytes : malformed) {
      assertThatThrownBy(() -> Bytes.read(Codecs.STRING, bytes))
          .isInstanceOf(CorruptValueException.class)
          .hasMessageContaining("not UTF-8");
    }
  }

  @Test
  void theCharacterThatStandsForMalformedBytesIsOneOfMany() {
    assertThat(Bytes.read(Codecs.STRING, utf8(0xEF, 0xBF, 0xBD))).isEqualTo("\uFFFD");
    assertThat(Bytes.roundTrip(Codecs.STRING, "a\uFFFDb\u20AC")).isEqualTo("a\uFFFDb\u20AC");
  }
}
