package io.everheap.codec;

import io.everheap.stability.Stable;
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
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;

/**
 * The built-in codecs of the JDK's types. All are canonical, so their values can be keys; none
 * accepts {@code null}. Each is used for its class by {@link
 * io.everheap.codec.derived.CodecRegistry} unless another one is registered. An array is written as
 * the number of its elements, then the elements.
 *
 * @since 0.9
 */
@Stable
public final class Codecs {
  /** {@code long} and {@link Long}: a word. */
  public static final WordCodec<Long> LONG = WordCodecs.LONG;

  /** {@code int} and {@link Integer}: a word, 4 bytes elsewhere. */
  public static final WordCodec<Integer> INT = WordCodecs.INT;

  /** {@code short} and {@link Short}: a word, 2 bytes elsewhere. */
  public static final WordCodec<Short> SHORT = WordCodecs.SHORT;

  /** {@code byte} and {@link Byte}: a word, 1 byte elsewhere. */
  public static final WordCodec<Byte> BYTE = WordCodecs.BYTE;

  /** {@code char} and {@link Character}: a word, 2 bytes elsewhere. */
  public static final WordCodec<Character> CHAR = WordCodecs.CHAR;

  /** {@code boolean} and {@link Boolean}: a word, 1 byte elsewhere. */
  public static final WordCodec<Boolean> BOOLEAN = WordCodecs.BOOLEAN;

  /** {@code float} and {@link Float}: a word, 4 bytes elsewhere; all NaN are one value. */
  public static final WordCodec<Float> FLOAT = WordCodecs.FLOAT;

  /** {@code double} and {@link Double}: a word; all NaN are one value. */
  public static final WordCodec<Double> DOUBLE = WordCodecs.DOUBLE;

  /** {@link String}, unpaired surrogates included: Latin-1, else UTF-8, else UTF-16. */
  public static final Codec<String> STRING = new Text();

  /** {@code byte[]}; keys are equal if their contents are. */
  public static final Codec<byte[]> BYTES = new ScalarCodec<>(ScalarCodec.Kind.BYTES);

  /** {@code boolean[]}; keys are equal if their contents are. */
  public static final Codec<boolean[]> BOOLEANS = new ScalarCodec<>(ScalarCodec.Kind.BOOLEANS);

  /** {@code short[]}; keys are equal if their contents are. */
  public static final Codec<short[]> SHORTS = new ScalarCodec<>(ScalarCodec.Kind.SHORTS);

  /** {@code char[]}; keys are equal if their contents are. */
  public static final Codec<char[]> CHARS = new ScalarCodec<>(ScalarCodec.Kind.CHARS);

  /** {@code int[]}; keys are equal if their contents are. */
  public static final Codec<int[]> INTS = new ScalarCodec<>(ScalarCodec.Kind.INTS);

  /** {@code long[]}; keys are equal if their contents are. */
  public static final Codec<long[]> LONGS = new ScalarCodec<>(ScalarCodec.Kind.LONGS);

  /** {@code float[]}; keys are equal if their contents are, and all NaN are one value. */
  public static final Codec<float[]> FLOATS = new ScalarCodec<>(ScalarCodec.Kind.FLOATS);

  /** {@code double[]}; keys are equal if their contents are, and all NaN are one value. */
  public static final Codec<double[]> DOUBLES = new ScalarCodec<>(ScalarCodec.Kind.DOUBLES);

  /** {@link java.util.UUID}: 16 bytes. */
  public static final Codec<java.util.UUID> UUID = new ScalarCodec<>(ScalarCodec.Kind.UUID);

  /** {@link BigInteger}. */
  public static final Codec<BigInteger> BIG_INTEGER =
      new ScalarCodec<>(ScalarCodec.Kind.BIG_INTEGER);

  /** {@link BigDecimal}; as in its {@code equals}, 1.0 and 1.00 are two values. */
  public static final Codec<BigDecimal> BIG_DECIMAL =
      new ScalarCodec<>(ScalarCodec.Kind.BIG_DECIMAL);

  /** {@link Instant}: seconds since 1970-01-01T00:00Z, then nanoseconds. */
  public static final Codec<Instant> INSTANT = new ScalarCodec<>(ScalarCodec.Kind.INSTANT);

  /** {@link Duration}: seconds, then nanoseconds. */
  public static final Codec<Duration> DURATION = new ScalarCodec<>(ScalarCodec.Kind.DURATION);

  /** {@link LocalDate}: a word. */
  public static final WordCodec<LocalDate> LOCAL_DATE = WordCodecs.LOCAL_DATE;

  /** {@link LocalTime}: a word. */
  public static final WordCodec<LocalTime> LOCAL_TIME = WordCodecs.LOCAL_TIME;

  /** {@link LocalDateTime}: days since 1970-01-01, then nanoseconds since midnight. */
  public static final Codec<LocalDateTime> LOCAL_DATE_TIME =
      new ScalarCodec<>(ScalarCodec.Kind.LOCAL_DATE_TIME);

  /** {@link OffsetDateTime}: the local date and time, then seconds from UTC. */
  public static final Codec<OffsetDateTime> OFFSET_DATE_TIME =
      new ScalarCodec<>(ScalarCodec.Kind.OFFSET_DATE_TIME);

  /** {@link OffsetTime}: nanoseconds since midnight, then seconds from UTC. */
  public static final Codec<OffsetTime> OFFSET_TIME =
      new ScalarCodec<>(ScalarCodec.Kind.OFFSET_TIME);

  /**
   * {@link ZonedDateTime}: the local date and time, seconds from UTC and the zone. If the rules of
   * the zone change such that the local time becomes invalid, the same instant is read.
   */
  public static final Codec<ZonedDateTime> ZONED_DATE_TIME =
      new ScalarCodec<>(ScalarCodec.Kind.ZONED_DATE_TIME);

  /** {@link ZoneId}: its identifier. */
  public static final Codec<ZoneId> ZONE_ID = new ScalarCodec<>(ScalarCodec.Kind.ZONE_ID);

  /** {@link ZoneOffset}: a word. */
  public static final WordCodec<ZoneOffset> ZONE_OFFSET = WordCodecs.ZONE_OFFSET;

  /** {@link Year}: a word. */
  public static final WordCodec<Year> YEAR = WordCodecs.YEAR;

  /** {@link YearMonth}: a word. */
  public static final WordCodec<YearMonth> YEAR_MONTH = WordCodecs.YEAR_MONTH;

  /** {@link MonthDay}: a word. */
  public static final WordCodec<MonthDay> MONTH_DAY = WordCodecs.MONTH_DAY;

  /** {@link Period}: years, months and days. */
  public static final Codec<Period> PERIOD = new ScalarCodec<>(ScalarCodec.Kind.PERIOD);

  /** {@link DayOfWeek}: a word. */
  public static final WordCodec<DayOfWeek> DAY_OF_WEEK = WordCodecs.DAY_OF_WEEK;

  /** {@link Month}: a word. */
  public static final WordCodec<Month> MONTH = WordCodecs.MONTH;

  private Codecs() {}

  /** Texts, as {@link TextEncoding} has them. */
  private static final class Text implements Codec<String> {
    @Override
    public String name() {
      return "string";
    }

    @Override
    public void write(String value, CodecOutput out) {
      TextEncoding.write(value, out);
    }

    @Override
    public String read(CodecInput in) {
      return TextEncoding.read(in);
    }

    @Override
    public boolean canonical() {
      return true;
    }

    @Override
    public String toString() {
      return name();
    }
  }
}
