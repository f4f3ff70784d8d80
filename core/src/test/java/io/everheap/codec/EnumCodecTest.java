package io.everheap.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.everheap.codec.derived.DerivedCodecs;
import io.everheap.error.CorruptValueException;
import org.junit.jupiter.api.Test;

class EnumCodecTest {
  private enum Color {
    RED,
    GREEN {},
    BLUE
  }

  private final WordCodec<Color> codec = DerivedCodecs.enumeration(Color.class);

  @Test
  void constantsComeBack() {
    for (Color color : Color.values()) {
      assertThat(Bytes.roundTrip(codec, color)).isSameAs(color);
      assertThat(codec.fromWord(codec.toWord(color))).isSameAs(color);
    }
  }

  @Test
  void theWordIsThePositionInTheName() {
    assertThat(codec.name()).isEqualTo("enum " + Color.class.getName() + "(RED,GREEN,BLUE)");
    assertThat(codec).hasToString(codec.name());
    assertThat(codec.toWord(Color.BLUE)).isEqualTo(2);
    assertThat(codec.canonical()).isTrue();
  }

  @Test
  void anUnknownPositionIsRefused() {
    for (long word : new long[] {-1, 3, Long.MIN_VALUE, 1L << 32}) {
      assertThatExceptionOfType(CorruptValueException.class)
          .isThrownBy(() -> codec.fromWord(word))
          .withMessageStartingWith("no value of type " + codec.name() + " is stored as this word");
    }
    assertThatExceptionOfType(CorruptValueException.class)
        .isThrownBy(() -> Bytes.read(codec, new byte[] {3}));
  }

  @Test
  @SuppressWarnings({"unchecked", "rawtypes"}) // what erasure lets pass
  void aConstantOfAnotherEnumIsRefused() {
    assertThatExceptionOfType(ClassCastException.class)
        .isThrownBy(() -> ((WordCodec) codec).toWord(Thread.State.NEW));
    assertThatNullPointerException().isThrownBy(() -> codec.write(null, new CodecOutput()));
  }
}
