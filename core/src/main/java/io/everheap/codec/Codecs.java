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
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The built-in codecs of the JDK's types. All are canonical, so their values can be keys; none
 * accepts {@code null}. Each is used for its class by {@link CodecRegistry} unless another one is
 * registered.
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

  /** {@link String}, single surrogates included: Latin-1, else UTF-8, else UTF-16. */
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

  private static final Map<Class<?>, Codec<?>> BY_CLASS = byClass();

  private static final Map<String, Codec<?>> BY_NAME =
      BY_CLASS.values().stream()
          .distinct()
          .collect(Collectors.toUnmodifiableMap(Codec::name, codec -> codec));

  private Codecs() {}

  /** Returns the codec of a class or primitive type, or {@code null}. */
  static @Nullable Codec<?> builtIn(Class<?> type) {
    return BY_CLASS.get(type);
  }

  /** Returns the codec that has a name, or {@code null}. */
  static @Nullable Codec<?> builtIn(String name) {
    return BY_NAME.get(name);
  }

  private static void writeBigInteger(BigInteger value, CodecOutput out) {
    byte[] bytes = value.toByteArray();
    out.writeVarInt(bytes.length);
    out.writeBytes(bytes, 0, bytes.length);
  }

  private static Map<Class<?>, Codec<?>> byClass() {
    Map<Class<?>, Codec<?>> map = new HashMap<>();
    map.put(long.class, LONG);
    map.put(Long.class, LONG);
    map.put(int.class, INT);
    map.put(Integer.class, INT);
    map.put(short.class, SHORT);
    map.put(Short.class, SHORT);
    map.put(byte.class, BYTE);
    map.put(Byte.class, BYTE);
    map.put(char.class, CHAR);
    map.put(Character.class, CHAR);
    map.put(boolean.class, BOOLEAN);
    map.put(Boolean.class, BOOLEAN);
    map.put(float.class, FLOAT);
    map.put(Float.class, FLOAT);
    map.put(double.class, DOUBLE);
    map.put(Double.class, DOUBLE);
    map.put(String.class, STRING);
    map.put(byte[].class, BYTES);
    map.put(boolean[].class, BOOLEANS);
    map.put(short[].class, SHORTS);
    map.put(char[].class, CHARS);
    map.put(int[].class, INTS);
    map.put(long[].class, LONGS);
    map.put(float[].class, FLOATS);
    map.put(double[].class, DOUBLES);
    map.put(java.util.UUID.class, UUID);
    map.put(BigInteger.class, BIG_INTEGER);
    map.put(BigDecimal.class, BIG_DECIMAL);
    map.put(Instant.class, INSTANT);
    map.put(Duration.class, DURATION);
    map.put(LocalDate.class, LOCAL_DATE);
    map.put(LocalTime.class, LOCAL_TIME);
    map.put(LocalDateTime.class, LOCAL_DATE_TIME);
    map.put(OffsetDateTime.class, OFFSET_DATE_TIME);
    map.put(OffsetTime.class, OFFSET_TIME);
    map.put(ZonedDateTime.class, ZONED_DATE_TIME);
    map.put(ZoneId.class, ZONE_ID);
    map.put(ZoneOffset.class, ZONE_OFFSET);
    map.put(Year.class, YEAR);
    map.put(YearMonth.class, YEAR_MONTH);
    map.put(MonthDay.class, MONTH_DAY);
    map.put(Period.class, PERIOD);
    map.put(DayOfWeek.class, DAY_OF_WEEK);
    map.put(Month.class, MONTH);
    return Map.copyOf(map);
  }
}
