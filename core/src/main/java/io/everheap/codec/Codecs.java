package io.everheap.codec;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
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
  public static final Codec<String> STRING = new Text();

  /** {@code byte[]}; keys are equal if their contents are. */
  public static final Codec<byte[]> BYTES =
      new ScalarCodec<>(
          "byte[]",
          (value, out) -> {
            out.writeVarInt(value.length);
            out.writeBytes(value, 0, value.length);
          },
          in -> in.readBytes(in.readLength()));

  /** {@code boolean[]}; keys are equal if their contents are. */
  public static final Codec<boolean[]> BOOLEANS =
      new ScalarCodec<>(
          "boolean[]",
          (value, out) -> {
            out.writeVarInt(value.length);
            for (boolean element : value) {
              out.writeBoolean(element);
            }
          },
          in -> {
            boolean[] value = new boolean[in.readLength()];
            for (int i = 0; i < value.length; i++) {
              value[i] = in.readBoolean();
            }
            return value;
          });

  /** {@code short[]}; keys are equal if their contents are. */
  public static final Codec<short[]> SHORTS =
      new ScalarCodec<>(
          "short[]",
          (value, out) -> append(value.length, 2, out).asShortBuffer().put(value),
          in -> {
            short[] value = new short[length(in, 2)];
            in.slice(2 * value.length).asShortBuffer().get(value);
            return value;
          });

  /** {@code char[]}; keys are equal if their contents are. */
  public static final Codec<char[]> CHARS =
      new ScalarCodec<>(
          "char[]",
          (value, out) -> append(value.length, 2, out).asCharBuffer().put(value),
          in -> {
            char[] value = new char[length(in, 2)];
            in.slice(2 * value.length).asCharBuffer().get(value);
            return value;
          });

  /** {@code int[]}; keys are equal if their contents are. */
  public static final Codec<int[]> INTS =
      new ScalarCodec<>(
          "int[]",
          (value, out) -> append(value.length, 4, out).asIntBuffer().put(value),
          in -> {
            int[] value = new int[length(in, 4)];
            in.slice(4 * value.length).asIntBuffer().get(value);
            return value;
          });

  /** {@code long[]}; keys are equal if their contents are. */
  public static final Codec<long[]> LONGS =
      new ScalarCodec<>(
          "long[]",
          (value, out) -> append(value.length, 8, out).asLongBuffer().put(value),
          in -> {
            long[] value = new long[length(in, 8)];
            in.slice(8 * value.length).asLongBuffer().get(value);
            return value;
          });

  /** {@code float[]}; keys are equal if their contents are, and all NaN are one value. */
  public static final Codec<float[]> FLOATS =
      new ScalarCodec<>(
          "float[]",
          (value, out) -> {
            out.writeVarInt(value.length);
            for (float element : value) { // one by one: every NaN has the same bytes
              out.writeFloat(element);
            }
          },
          in -> {
            float[] value = new float[length(in, 4)];
            in.slice(4 * value.length).asFloatBuffer().get(value);
            return value;
          });

  /** {@code double[]}; keys are equal if their contents are, and all NaN are one value. */
  public static final Codec<double[]> DOUBLES =
      new ScalarCodec<>(
          "double[]",
          (value, out) -> {
            out.writeVarInt(value.length);
            for (double element : value) { // one by one: every NaN has the same bytes
              out.writeDouble(element);
            }
          },
          in -> {
            double[] value = new double[length(in, 8)];
            in.slice(8 * value.length).asDoubleBuffer().get(value);
            return value;
          });

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

  /** {@link Instant}: seconds since 1970-01-01T00:00Z, then nanoseconds. */
  public static final Codec<Instant> INSTANT =
      new ScalarCodec<>(
          "instant",
          (value, out) -> {
            out.writeLong(value.getEpochSecond());
            out.writeInt(value.getNano());
          },
          in -> Instant.ofEpochSecond(in.readLong(), nanos(in)));

  /** {@link Duration}: seconds, then nanoseconds. */
  public static final Codec<Duration> DURATION =
      new ScalarCodec<>(
          "duration",
          (value, out) -> {
            out.writeLong(value.getSeconds());
            out.writeInt(value.getNano());
          },
          in -> Duration.ofSeconds(in.readLong(), nanos(in)));

  /** {@link LocalDate}: a word. */
  public static final WordCodec<LocalDate> LOCAL_DATE = WordCodecs.LOCAL_DATE;

  /** {@link LocalTime}: a word. */
  public static final WordCodec<LocalTime> LOCAL_TIME = WordCodecs.LOCAL_TIME;

  /** {@link LocalDateTime}: days since 1970-01-01, then nanoseconds since midnight. */
  public static final Codec<LocalDateTime> LOCAL_DATE_TIME =
      new ScalarCodec<>("local-date-time", Codecs::write, Codecs::readLocalDateTime);

  /** {@link OffsetDateTime}: the local date and time, then seconds from UTC. */
  public static final Codec<OffsetDateTime> OFFSET_DATE_TIME =
      new ScalarCodec<>(
          "offset-date-time",
          (value, out) -> {
            write(value.toLocalDateTime(), out);
            write(value.getOffset(), out);
          },
          in -> OffsetDateTime.of(readLocalDateTime(in), readOffset(in)));

  /** {@link OffsetTime}: nanoseconds since midnight, then seconds from UTC. */
  public static final Codec<OffsetTime> OFFSET_TIME =
      new ScalarCodec<>(
          "offset-time",
          (value, out) -> {
            out.writeLong(value.toLocalTime().toNanoOfDay());
            write(value.getOffset(), out);
          },
          in -> OffsetTime.of(LocalTime.ofNanoOfDay(in.readLong()), readOffset(in)));

  /**
   * {@link ZonedDateTime}: the local date and time, seconds from UTC and the zone. If the rules of
   * the zone change such that the local time becomes invalid, the same instant is read.
   */
  public static final Codec<ZonedDateTime> ZONED_DATE_TIME =
      new ScalarCodec<>(
          "zoned-date-time",
          (value, out) -> {
            write(value.toLocalDateTime(), out);
            write(value.getOffset(), out);
            out.writeUtf(value.getZone().getId());
          },
          in ->
              ZonedDateTime.ofInstant(
                  readLocalDateTime(in), readOffset(in), ZoneId.of(in.readUtf())));

  /** {@link ZoneId}: its identifier. */
  public static final Codec<ZoneId> ZONE_ID =
      new ScalarCodec<>(
          "zone-id", (value, out) -> out.writeUtf(value.getId()), in -> ZoneId.of(in.readUtf()));

  /** {@link ZoneOffset}: a word. */
  public static final WordCodec<ZoneOffset> ZONE_OFFSET = WordCodecs.ZONE_OFFSET;

  /** {@link Year}: a word. */
  public static final WordCodec<Year> YEAR = WordCodecs.YEAR;

  /** {@link YearMonth}: a word. */
  public static final WordCodec<YearMonth> YEAR_MONTH = WordCodecs.YEAR_MONTH;

  /** {@link MonthDay}: a word. */
  public static final WordCodec<MonthDay> MONTH_DAY = WordCodecs.MONTH_DAY;

  /** {@link Period}: years, months and days. */
  public static final Codec<Period> PERIOD =
      new ScalarCodec<>(
          "period",
          (value, out) -> {
            out.writeInt(value.getYears());
            out.writeInt(value.getMonths());
            out.writeInt(value.getDays());
          },
          in -> Period.of(in.readInt(), in.readInt(), in.readInt()));

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

  /** Appends the number of elements, and room for them. */
  private static ByteBuffer append(int length, int width, CodecOutput out) {
    out.writeVarInt(length);
    return out.append((long) width * length);
  }

  /** Reads the number of elements, all of which must remain. */
  private static int length(CodecInput in, int width) {
    int length = in.readLength();
    if (length > in.remaining() / width) {
      throw in.corrupt(
          "found " + length + " elements where only " + in.remaining() + " bytes remain");
    }
    return length;
  }

  private static void write(LocalDateTime value, CodecOutput out) {
    out.writeLong(value.toLocalDate().toEpochDay());
    out.writeLong(value.toLocalTime().toNanoOfDay());
  }

  private static LocalDateTime readLocalDateTime(CodecInput in) {
    return LocalDateTime.of(
        LocalDate.ofEpochDay(in.readLong()), LocalTime.ofNanoOfDay(in.readLong()));
  }

  private static void write(ZoneOffset value, CodecOutput out) {
    out.writeInt(value.getTotalSeconds());
  }

  private static ZoneOffset readOffset(CodecInput in) {
    return ZoneOffset.ofTotalSeconds(in.readInt());
  }

  private static int nanos(CodecInput in) {
    int nanos = in.readInt();
    if (nanos < 0 || nanos >= SECONDS.toNanos(1)) {
      throw in.corrupt("found " + nanos + " nanoseconds of a second");
    }
    return nanos;
  }

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
