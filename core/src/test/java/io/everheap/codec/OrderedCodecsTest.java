package io.everheap.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.codec.derived.DerivedCodecs;
import io.everheap.codec.ordered.OrderedForms;
import io.everheap.error.CorruptValueException;
import io.everheap.error.TooLargeException;
import io.everheap.support.Limit;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ordered form of a codec has the order of the values, and gives the values back. */
class OrderedCodecsTest {
  private enum Color {
    RED,
    GREEN,
    BLUE
  }

  @Property(tries = 3000)
  void textsHaveTheOrderOfCompareTo(@ForAll("texts") String one, @ForAll("texts") String other) {
    assertOrder(Codecs.STRING, one, other);
  }

  /** Any code units, single surrogates included, often with a common beginning. */
  @Provide
  Arbitrary<String> texts() {
    Arbitrary<Character> units =
        Arbitraries.frequencyOf(
            net.jqwik.api.Tuple.of(3, Arbitraries.chars().range('\0', '\u0003')),
            net.jqwik.api.Tuple.of(2, Arbitraries.chars().range('~', '\u0081')),
            net.jqwik.api.Tuple.of(2, Arbitraries.chars().range('\u07fe', '\u0801')),
            net.jqwik.api.Tuple.of(3, Arbitraries.chars().range('\ud7fe', '\ue001')),
            net.jqwik.api.Tuple.of(2, Arbitraries.chars().range('\udbfe', '\udc01')),
            net.jqwik.api.Tuple.of(1, Arbitraries.chars().range('\ufffd', '\uffff')),
            net.jqwik.api.Tuple.of(1, Arbitraries.chars().all()));
    return units.list().ofMaxSize(6).map(OrderedCodecsTest::text);
  }

  private static String text(List<Character> units) {
    StringBuilder text = new StringBuilder();
    units.forEach(text::append);
    return text.toString();
  }

  @Property
  void numbersHaveTheirOrder(@ForAll long a, @ForAll long b, @ForAll double c, @ForAll double d) {
    assertOrder(Codecs.LONG, a, b);
    assertOrder(Codecs.INT, (int) a, (int) b);
    assertOrder(Codecs.SHORT, (short) a, (short) b);
    assertOrder(Codecs.BYTE, (byte) a, (byte) b);
    assertOrder(Codecs.CHAR, (char) a, (char) b);
    assertOrder(Codecs.DOUBLE, c, d);
    assertOrder(Codecs.DOUBLE, Double.longBitsToDouble(a), Double.longBitsToDouble(b));
    assertOrder(Codecs.FLOAT, (float) c, Float.intBitsToFloat((int) b));
    assertOrder(Codecs.UUID, new UUID(a, b), new UUID(b, a));
    assertOrder(Codecs.UUID, new UUID(a, b), new UUID(a, a));
  }

  @Property
  void largeNumbersHaveTheirOrder(
      @ForAll BigInteger a, @ForAll BigInteger b, @ForAll byte scale, @ForAll byte other) {
    assertOrder(Codecs.BIG_INTEGER, a, b);
    assertOrder(Codecs.BIG_DECIMAL, new BigDecimal(a, scale), new BigDecimal(b, other));
    assertOrder(Codecs.BIG_DECIMAL, new BigDecimal(a, scale), new BigDecimal(a, other));
  }

  @Test
  void specialValuesHaveTheirOrder() {
    double nan = Double.NaN;
    assertAllOrders(
        Codecs.DOUBLE,
        Double.NEGATIVE_INFINITY,
        -Double.MAX_VALUE,
        -1.0,
        -Double.MIN_VALUE,
        -0.0,
        0.0,
        Double.MIN_VALUE,
        1.0,
        Double.MAX_VALUE,
        Double.POSITIVE_INFINITY,
        nan);
    assertAllOrders(
        Codecs.FLOAT,
        Float.NEGATIVE_INFINITY,
        -1f,
        -Float.MIN_VALUE,
        -0f,
        0f,
        Float.MIN_VALUE,
        Float.NaN);
    assertAllOrders(Codecs.BOOLEAN, false, true);
    assertAllOrders(DerivedCodecs.enumeration(Color.class), Color.values());
    assertAllOrders(
        Codecs.BIG_INTEGER,
        Stream.of("-256", "-255", "-129", "-128", "-1", "0", "1", "127", "128", "255", "256")
            .map(BigInteger::new)
            .toArray(BigInteger[]::new));
    assertAllOrders(
        Codecs.BIG_DECIMAL,
        Stream.of(
                "-1E+2147483647",
                "-10",
                "-1.5",
                "-1.05",
                "-1.0",
                "-1",
                "-0.15",
                "-0.1",
                "-1E-9",
                "0",
                "0.00",
                "0E+9",
                "1E-2147483647",
                "0.1",
                "0.10",
                "0.15",
                "1",
                "1.0",
                "1.00",
                "1.01",
                "9.99",
                "10",
                "1E+1",
                "12345678901234567890",
                "1E+2147483647")
            .map(BigDecimal::new)
            .toArray(BigDecimal[]::new));
  }

  @Test
  void decimalsThatAreEqualInOrderAreOneKeyWithoutZerosAtTheEnd() {
    assertThat(back(Codecs.BIG_DECIMAL, new BigDecimal("1.500"))).isEqualTo(new BigDecimal("1.5"));
    assertThat(back(Codecs.BIG_DECIMAL, new BigDecimal("1500"))).isEqualTo(new BigDecimal("1.5E3"));
    assertThat(back(Codecs.BIG_DECIMAL, new BigDecimal("0.00"))).isEqualTo(BigDecimal.ZERO);
    BigDecimal least = new BigDecimal(BigInteger.TEN, Integer.MIN_VALUE);
    assertThat(back(Codecs.BIG_DECIMAL, least)).isEqualTo(least);
  }

  @Test
  void bytesHaveTheOrderOfUnsignedNumbers() {
    byte[][] all = {{}, {0}, {0, 0}, {0, 1}, {1}, {127}, {-128}, {-1}, {-1, -1}};
    Codec<byte[]> form = form(Codecs.BYTES);
    for (byte[] a : all) {
      for (byte[] b : all) {
        assertThat(sign(compare(form, a, b))).isEqualTo(sign(Arrays.compareUnsigned(a, b)));
      }
    }
    assertThat(((OrderedCodec<byte[]>) form).comparator().compare(all[1], all[8])).isNegative();
  }

  @Property
  void timesHaveTheirOrder(
      @ForAll("times") LocalDateTime a,
      @ForAll("times") LocalDateTime b,
      @ForAll("offsets") ZoneOffset c,
      @ForAll("offsets") ZoneOffset d) {
    assertOrder(Codecs.LOCAL_DATE_TIME, a, b);
    assertOrder(Codecs.LOCAL_DATE, a.toLocalDate(), b.toLocalDate());
    assertOrder(Codecs.LOCAL_TIME, a.toLocalTime(), b.toLocalTime());
    assertOrder(Codecs.ZONE_OFFSET, c, d);
    assertOrder(Codecs.OFFSET_DATE_TIME, a.atOffset(c), b.atOffset(d));
    OffsetDateTime one = a.atOffset(c);
    assertOrder(Codecs.OFFSET_DATE_TIME, one, one.withOffsetSameInstant(d));
    assertOrder(Codecs.OFFSET_TIME, one.toOffsetTime(), b.atOffset(d).toOffsetTime());
    assertOrder(Codecs.OFFSET_TIME, one.toOffsetTime(), OffsetTime.of(a.toLocalTime(), d));
    assertOrder(Codecs.INSTANT, a.toInstant(c), b.toInstant(d));
    Duration duration = Duration.between(a, b);
    assertOrder(Codecs.DURATION, duration, duration.negated());
    for (String zone : List.of("Europe/Berlin", "America/New_York", "UTC", "Z", "+02:00")) {
      ZonedDateTime zoned = a.atZone(ZoneId.of(zone));
      assertOrder(Codecs.ZONED_DATE_TIME, zoned, b.atZone(ZoneId.of("Europe/Paris")));
      assertOrder(
          Codecs.ZONED_DATE_TIME, zoned, zoned.withZoneSameInstant(ZoneId.of("Europe/Paris")));
    }
  }

  @Provide
  Arbitrary<LocalDateTime> times() {
    return Arbitraries.longs()
        .between(-100_000_000_000L, 100_000_000_000L)
        .map(s -> LocalDateTime.ofEpochSecond(s, (int) Math.floorMod(s * 31, 3L), ZoneOffset.UTC));
  }

  @Provide
  Arbitrary<ZoneOffset> offsets() {
    return Arbitraries.integers()
        .between(-18 * 60, 18 * 60)
        .map(minutes -> ZoneOffset.ofTotalSeconds(60 * minutes));
  }

  @Test
  void extremesOfTimeHaveTheirOrder() {
    assertAllOrders(
        Codecs.INSTANT, Instant.MIN, Instant.ofEpochSecond(-1, 5), Instant.EPOCH, Instant.MAX);
    assertAllOrders(Codecs.LOCAL_DATE_TIME, LocalDateTime.MIN, LocalDateTime.MAX);
    assertAllOrders(Codecs.OFFSET_DATE_TIME, OffsetDateTime.MIN, OffsetDateTime.MAX);
    assertAllOrders(Codecs.OFFSET_TIME, OffsetTime.MIN, OffsetTime.MAX);
    assertAllOrders(Codecs.LOCAL_TIME, LocalTime.MIN, LocalTime.NOON, LocalTime.MAX);
    assertAllOrders(Codecs.LOCAL_DATE, LocalDate.MIN, LocalDate.EPOCH, LocalDate.MAX);
    assertAllOrders(Codecs.YEAR, Year.of(-5), Year.of(0), Year.of(2030));
    assertAllOrders(Codecs.YEAR_MONTH, YearMonth.of(-5, 2), YearMonth.of(0, 1), YearMonth.of(0, 2));
    assertAllOrders(Codecs.MONTH_DAY, MonthDay.of(1, 31), MonthDay.of(2, 1), MonthDay.of(12, 1));
    assertAllOrders(Codecs.MONTH, Month.values());
    assertAllOrders(Codecs.DAY_OF_WEEK, DayOfWeek.values());
  }

  @Test
  void everyBuiltInCodecOfAComparableTypeHasAnOrderedForm() {
    List<Codec<?>> without =
        List.of(Codecs.PERIOD, Codecs.ZONE_ID, Codecs.LONGS, Codecs.INTS, Codecs.CHARS);
    without.forEach(codec -> assertThat(OrderedForms.of(codec)).as(codec.name()).isNull());
  }

  @Test
  void bytesThatAreNoTextAreRefused() {
    byte[][] wrong = {
      {-128}, {-64, -128}, {-32, -128, -128}, {-16, -112, -128, -128}, {-61}, {-61, 65}
    };
    for (byte[] bytes : wrong) {
      assertThatExceptionOfType(CorruptValueException.class)
          .isThrownBy(() -> form(Codecs.STRING).read(new CodecInput(bytes)));
    }
  }

  @SafeVarargs
  private static <T extends Comparable<? super T>> void assertAllOrders(
      Codec<T> codec, T... values) {
    for (T a : values) {
      for (T b : values) {
        assertOrder(codec, a, b);
      }
    }
  }

  private static <T> void assertOrder(Codec<T> codec, T a, T b) {
    @SuppressWarnings("unchecked") // all types of these tests are Comparable
    Comparator<T> natural = (Comparator<T>) Comparator.naturalOrder();
    assertThat(sign(compare(form(codec), a, b)))
        .as("%s and %s", a, b)
        .isEqualTo(sign(natural.compare(a, b)));
    assertThat(natural.compare(back(codec, a), a)).isZero();
    if (!(a instanceof BigDecimal)) {
      assertThat(back(codec, a)).isEqualTo(a);
    }
  }

  private static <T> Codec<T> form(Codec<T> codec) {
    Codec<T> form = OrderedForms.of(codec);
    assertThat(form).as(codec.name()).isNotNull();
    assertThat(form.name()).isEqualTo(codec.name());
    return form;
  }

  private static <T> int compare(Codec<T> form, T a, T b) {
    return form instanceof WordCodec<T> words
        ? Long.compareUnsigned(words.toWord(a), words.toWord(b))
        : Arrays.compareUnsigned(bytes(form, a), bytes(form, b));
  }

  private static <T> T back(Codec<T> codec, T value) {
    Codec<T> form = form(codec);
    return form instanceof WordCodec<T> words
        ? words.fromWord(words.toWord(value))
        : form.read(new CodecInput(bytes(form, value)));
  }

  private static <T> byte[] bytes(Codec<T> form, T value) {
    CodecOutput out = new CodecOutput();
    form.write(value, out);
    return out.toByteArray();
  }

  private static int sign(int comparison) {
    return Integer.signum(comparison);
  }

  /** The borders of each range, also of words that were changed to be ordered. */
  @Test
  void acceptedWordsHaveValues() {
    List<WordCodec<?>> codecs =
        List.of(
            WordCodecs.LONG,
            WordCodecs.INT,
            WordCodecs.SHORT,
            WordCodecs.BYTE,
            WordCodecs.CHAR,
            WordCodecs.BOOLEAN,
            WordCodecs.FLOAT,
            WordCodecs.DOUBLE);
    int refused = 0;
    for (WordCodec<?> codec : codecs) {
      for (int shift = 0; shift < Long.SIZE; shift++) {
        for (long base : new long[] {1L << shift, -1L << shift, Long.MIN_VALUE ^ 1L << shift}) {
          for (long word : new long[] {base - 1, base, base + 1}) {
            refused += assertAcceptedHasValue(codec, word);
            if (OrderedForms.of(codec) instanceof WordCodec<?> ordered) {
              refused += assertAcceptedHasValue(ordered, word);
            }
          }
        }
      }
      assertThat(codec.accepts(1)).as(codec.name()).isTrue();
    }
    assertThat(refused).isPositive();
    assertThat(WordCodecs.MONTH.accepts(1)).as("not known without decoding").isFalse();
  }

  private static int assertAcceptedHasValue(WordCodec<?> codec, long word) {
    boolean accepted = codec.accepts(word);
    boolean has;
    try {
      Object _ = codec.fromWord(word);
      has = true;
    } catch (CorruptValueException e) {
      has = false;
    }
    assertThat(accepted).as("%s of %d", codec.name(), word).isEqualTo(has);
    return has ? 0 : 1;
  }

  /** Ten to the power of some hundred millions takes hundreds of megabytes, and hours. */
  @ParameterizedTest
  @ValueSource(longs = {400_000_000, 2_000_001, 1L << 40, Long.MAX_VALUE - (1L << 31) - 1})
  void aFewBytesMakeNoHugeNumber(long zeros) {
    Codec<BigDecimal> codec = Objects.requireNonNull(OrderedForms.of(Codecs.BIG_DECIMAL));
    for (boolean negative : new boolean[] {false, true}) {
      long exponent = (1L << 31) + zeros + 1;
      CodecOutput out = new CodecOutput();
      out.writeByte(negative ? 0 : 2);
      OrderedBytes.writeLong(negative ? ~exponent : exponent, out);
      out.writeByte(negative ? 0xFF - 11 : 11);
      if (negative) {
        out.writeByte(0xFF);
      }
      FutureTask<BigDecimal> reading =
          new FutureTask<>(() -> codec.read(new CodecInput(out.toByteArray())));
      Thread.ofPlatform().daemon().start(reading);
      assertThatThrownBy(() -> Limit.get(reading)).hasCauseInstanceOf(CorruptValueException.class);
    }
  }

  @Test
  void zerosAreKeptUpToTheirLimit() {
    Codec<BigDecimal> codec = Objects.requireNonNull(OrderedForms.of(Codecs.BIG_DECIMAL));
    BigDecimal some = new BigDecimal(BigInteger.TEN.pow(1000), Integer.MIN_VALUE);
    CodecOutput out = new CodecOutput();
    codec.write(some, out);
    assertThat(codec.read(new CodecInput(out.toByteArray()))).isEqualByComparingTo(some);
    BigDecimal many = new BigDecimal(BigInteger.TEN.pow((1 << 20) + 1), Integer.MIN_VALUE);
    assertThatThrownBy(() -> codec.write(many, out)).isInstanceOf(TooLargeException.class);
  }
}
