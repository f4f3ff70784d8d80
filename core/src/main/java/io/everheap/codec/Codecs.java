package io.everheap.codec;

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
 * io.everheap.codec.derived.CodecRegistry} unless another one is registered.
 */
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
  public static final Codec<String> STRING = new StringCodec();

  /** {@code byte[]}; keys are equal if their contents are. */
  public static final Codec<byte[]> BYTES = ArrayCodecs.BYTES;

  /** {@code boolean[]}; keys are equal if their contents are. */
  public static final Codec<boolean[]> BOOLEANS = ArrayCodecs.BOOLEANS;

  /** {@code short[]}; keys are equal if their contents are. */
  public static final Codec<short[]> SHORTS = ArrayCodecs.SHORTS;

  /** {@code char[]}; keys are equal if their contents are. */
  public static final Codec<char[]> CHARS = ArrayCodecs.CHARS;

  /** {@code int[]}; keys are equal if their contents are. */
  public static final Codec<int[]> INTS = ArrayCodecs.INTS;

  /** {@code long[]}; keys are equal if their contents are. */
  public static final Codec<long[]> LONGS = ArrayCodecs.LONGS;

  /** {@code float[]}; keys are equal if their contents are, and all NaN are one value. */
  public static final Codec<float[]> FLOATS = ArrayCodecs.FLOATS;

  /** {@code double[]}; keys are equal if their contents are, and all NaN are one value. */
  public static final Codec<double[]> DOUBLES = ArrayCodecs.DOUBLES;

  /** {@link java.util.UUID}: 16 bytes. */
  public static final Codec<java.util.UUID> UUID =
      new ScalarCodec<>(
          "uuid",
          (value, out) -> {
            out.writeLong(value.getMostSignificantBits());
            out.writeLong(value.getLeastSignificantBits());
          },
          in -> new java.util.UUID(in.readLong(), in.readLong()));

  /** {@link BigInteger}. */
  public static final Codec<BigInteger> BIG_INTEGER =
      new ScalarCodec<>(
          "big-integer",
          Codecs::writeBigInteger,
          in -> new BigInteger(in.readBytes(in.readLength())));

  /** {@link BigDecimal}; as in its {@code equals}, 1.0 and 1.00 are two values. */
  public static final Codec<BigDecimal> BIG_DECIMAL =
      new ScalarCodec<>(
          "big-decimal",
          (value, out) -> {
            out.writeZigZag(value.scale());
            writeBigInteger(value.unscaledValue(), out);
          },
          in -> {
            int scale = Math.toIntExact(in.readZigZag());
            return new BigDecimal(new BigInteger(in.readBytes(in.readLength())), scale);
          });

  /** {@link Instant}. */
  public static final Codec<Instant> INSTANT = TimeCodecs.INSTANT;

  /** {@link Duration}. */
  public static final Codec<Duration> DURATION = TimeCodecs.DURATION;

  /** {@link LocalDate}: a word. */
  public static final WordCodec<LocalDate> LOCAL_DATE = WordCodecs.LOCAL_DATE;

  /** {@link LocalTime}: a word. */
  public static final WordCodec<LocalTime> LOCAL_TIME = WordCodecs.LOCAL_TIME;

  /** {@link LocalDateTime}. */
  public static final Codec<LocalDateTime> LOCAL_DATE_TIME = TimeCodecs.LOCAL_DATE_TIME;

  /** {@link OffsetDateTime}. */
  public static final Codec<OffsetDateTime> OFFSET_DATE_TIME = TimeCodecs.OFFSET_DATE_TIME;

  /** {@link OffsetTime}. */
  public static final Codec<OffsetTime> OFFSET_TIME = TimeCodecs.OFFSET_TIME;

  /**
   * {@link ZonedDateTime}; if the rules of its zone change, a local time that became invalid is
   * read as the same instant.
   */
  public static final Codec<ZonedDateTime> ZONED_DATE_TIME = TimeCodecs.ZONED_DATE_TIME;

  /** {@link ZoneId}: its identifier. */
  public static final Codec<ZoneId> ZONE_ID = TimeCodecs.ZONE_ID;

  /** {@link ZoneOffset}: a word. */
  public static final WordCodec<ZoneOffset> ZONE_OFFSET = WordCodecs.ZONE_OFFSET;

  /** {@link Year}: a word. */
  public static final WordCodec<Year> YEAR = WordCodecs.YEAR;

  /** {@link YearMonth}: a word. */
  public static final WordCodec<YearMonth> YEAR_MONTH = WordCodecs.YEAR_MONTH;

  /** {@link MonthDay}: a word. */
  public static final WordCodec<MonthDay> MONTH_DAY = WordCodecs.MONTH_DAY;

  /** {@link Period}. */
  public static final Codec<Period> PERIOD = TimeCodecs.PERIOD;

  /** {@link DayOfWeek}: a word. */
  public static final WordCodec<DayOfWeek> DAY_OF_WEEK = WordCodecs.DAY_OF_WEEK;

  /** {@link Month}: a word. */
  public static final WordCodec<Month> MONTH = WordCodecs.MONTH;

  private Codecs() {}

  private static void writeBigInteger(BigInteger value, CodecOutput out) {
    byte[] bytes = value.toByteArray();
    out.writeVarInt(bytes.length);
    out.writeBytes(bytes, 0, bytes.length);
  }
}
