package io.everheap.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.fail;

import io.everheap.error.EverheapException;
import io.everheap.support.tier.Campaign;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.Tuple.Tuple3;
import org.junit.jupiter.api.Test;

/** What every codec owes to those who use it. */
@Campaign
class CodecLawsTest {
  private static final List<Samples<?>> ALL = Samples.all();

  @Provide
  Arbitrary<Tuple3<Codec<Object>, Object, Object>> twoValues() {
    return Arbitraries.of(ALL).flatMap(CodecLawsTest::twoOf);
  }

  @SuppressWarnings("unchecked") // both values are of the codec
  private static <T> Arbitrary<Tuple3<Codec<Object>, Object, Object>> twoOf(Samples<T> samples) {
    Codec<Object> codec = (Codec<Object>) samples.codec();
    return samples.values().tuple2().map(two -> Tuple.of(codec, two.get1(), two.get2()));
  }

  @Property(tries = 3_000)
  void aValueComesBackFromItsBytes(
      @ForAll("twoValues") Tuple3<Codec<Object>, Object, Object> sample) {
    Object value = sample.get2();
    assertThat(equal(Bytes.roundTrip(sample.get1(), value), value)).isTrue();
  }

  @Property(tries = 3_000)
  void bytesAreEqualExactlyWhenValuesAre(
      @ForAll("twoValues") Tuple3<Codec<Object>, Object, Object> sample) {
    Codec<Object> codec = sample.get1();
    assertThat(codec.canonical()).isTrue();
    byte[] one = Bytes.of(codec, sample.get2());
    byte[] other = Bytes.of(codec, sample.get3());

    assertThat(Arrays.equals(one, other)).isEqualTo(equal(sample.get2(), sample.get3()));
    assertThat(Bytes.of(codec, Bytes.roundTrip(codec, sample.get2()))).isEqualTo(one);
  }

  @Property(tries = 3_000)
  void aWordStandsForOneValue(@ForAll("twoValues") Tuple3<Codec<Object>, Object, Object> sample) {
    if (sample.get1() instanceof WordCodec<Object> codec) {
      long word = codec.toWord(sample.get2());

      assertThat(codec.fromWord(word)).isEqualTo(sample.get2());
      assertThat(word == codec.toWord(sample.get3()))
          .isEqualTo(sample.get2().equals(sample.get3()));
    }
  }

  @Property(tries = 500)
  void bytesThatWereCutOffAreRefused(
      @ForAll("twoValues") Tuple3<Codec<Object>, Object, Object> sample) {
    byte[] bytes = Bytes.of(sample.get1(), sample.get2());
    for (int length = 0; length < bytes.length; length++) {
      var in = new CodecInput(bytes, 0, length);
      try {
        Object value = sample.get1().read(in);
        fail("read %s from %d of %d bytes", value, length, bytes.length);
      } catch (EverheapException e) {
        assertThat(e.code()).isEqualTo("EH-CODEC-VALUE");
      }
    }
  }

  @Property(tries = 20_000)
  void anyBytesAreAValueOrRefused(@ForAll long seed) {
    var random = new Random(seed);
    Codec<?> codec = ALL.get(random.nextInt(ALL.size())).codec();
    byte[] bytes = Bytes.hostile(random, random.nextInt(64));
    try {
      codec.read(new CodecInput(bytes));
    } catch (EverheapException e) {
      assertThat(e.code()).isEqualTo("EH-CODEC-VALUE");
    }
  }

  @Property(tries = 20_000)
  void anyWordIsAValueOrRefused(@ForAll long word) {
    for (Samples<?> samples : ALL) {
      if (samples.codec() instanceof WordCodec<?> codec) {
        assertWordOrRefused(codec, word);
      }
    }
  }

  private static <T> void assertWordOrRefused(WordCodec<T> codec, long word) {
    T value;
    try {
      value = codec.fromWord(word);
    } catch (EverheapException e) {
      assertThat(e).hasMessageContaining(codec.name());
      assertThat(codec.accepts(word)).as("%s of %d", codec, word).isFalse();
      return;
    }
    assertThat(codec.fromWord(codec.toWord(value))).isEqualTo(value);
  }

  @Test
  void aNullIsRefusedAtTheTop() {
    for (Samples<?> samples : ALL) {
      Codec<?> codec = samples.codec();
      if (!codec.name().startsWith("nullable")) {
        assertThatNullPointerException().isThrownBy(() -> codec.write(null, new CodecOutput()));
      }
    }
  }

  @Test
  void namesDiffer() {
    assertThat(ALL.stream().map(samples -> samples.codec().name())).doesNotHaveDuplicates();
    assertThat(ALL)
        .allSatisfy(samples -> assertThat(samples.codec()).hasToString(samples.codec().name()));
  }

  /** As {@code equals}, with arrays compared by content. */
  private static boolean equal(Object one, Object other) {
    return Objects.deepEquals(one, other);
  }
}
