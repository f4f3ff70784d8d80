package io.everheap.codec;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.everheap.error.CorruptValueException;
import io.everheap.error.EverheapException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.UUID;

/**
 * A canonical codec of values that contain no others and do not fit into a word. One class has all
 * of them, so that an opening links no pair of lambdas for each.
 *
 * @param <T> the class that the kind says
 */
final class ScalarCodec<T> implements Codec<T> {
  /** What is written, each with the name of its codec. */
  enum Kind {
    BYTES("byte[]"),
    BOOLEANS("boolean[]"),
    SHORTS("short[]"),
    CHARS("char[]"),
    INTS("int[]"),
    LONGS("long[]"),
    FLOATS("float[]"),
    DOUBLES("double[]"),
    UUID("uuid"),
    BIG_INTEGER("big-integer"),
    BIG_DECIMAL("big-decimal"),
    INSTANT("instant"),
    DURATION("duration"),
    LOCAL_DATE_TIME("local-date-time"),
    OFFSET_DATE_TIME("offset-date-time"),
    OFFSET_TIME("offset-time"),
    ZONED_DATE_TIME("zoned-date-time"),
    ZONE_ID("zone-id"),
    PERIOD("period");

    private final String codec;

    Kind(String codec) {
      this.codec = codec;
    }
  }

  private final Kind kind;

  ScalarCodec(Kind kind) {
    this.kind = kind;
  }

  @Override
  public String name() {
    return kind.codec;
  }

  @Override
  public void write(T value, CodecOutput out) {
    switch (kind) {
      case BYTES -> write((byte[]) value, out);
      case BOOLEANS -> write((boolean[]) value, out);
      case SHORTS -> write((short[]) value, out);
      case CHARS -> write((char[]) value, out);
      case INTS -> write((int[]) value, out);
      case LONGS -> write((long[]) value, out);
      case FLOATS -> write((float[]) value, out);
      case DOUBLES -> write((double[]) value, out);
      case UUID -> write((UUID) value, out);
      case BIG_INTEGER -> write((BigInteger) value, out);
      case BIG_DECIMAL -> write((BigDecimal) value, out);
      case INSTANT -> write((Instant) value, out);
      case DURATION -> write((Duration) value, out);
      case LOCAL_DATE_TIME -> write((LocalDateTime) value, out);
      case OFFSET_DATE_TIME -> write((OffsetDateTime) value, out);
      case OFFSET_TIME -> write((OffsetTime) value, out);
      case ZONED_DATE_TIME -> write((ZonedDateTime) value, out);
      case ZONE_ID -> out.writeUtf(((ZoneId) value).getId());
      case PERIOD -> write((Period) value, out);
    }
  }

  @Override
  @SuppressWarnings("unchecked") // the kind says the class
  public T read(CodecInput in) {
    try {
      return (T)
          switch (kind) {
            case BYTES -> in.readBytes(in.readLength());
            case BOOLEANS -> readBooleans(in);
            case SHORTS -> readShorts(in);
            case CHARS -> readChars(in);
            case INTS -> readInts(in);
            case LONGS -> readLongs(in);
            case FLOATS -> readFloats(in);
            case DOUBLES -> readDoubles(in);
            case UUID -> new UUID(in.readLong(), in.readLong());
            case BIG_INTEGER -> readBigInteger(in);
            case BIG_DECIMAL -> readBigDecimal(in);
            case INSTANT -> Instant.ofEpochSecond(in.readLong(), nanos(in));
            case DURATION -> Duration.ofSeconds(in.readLong(), nanos(in));
            case LOCAL_DATE_TIME -> readLocalDateTime(in);
            case OFFSET_DATE_TIME -> OffsetDateTime.of(readLocalDateTime(in), readOffset(in));
            case OFFSET_TIME -> OffsetTime.of(LocalTime.ofNanoOfDay(in.readLong()), readOffset(in));
            case ZONED_DATE_TIME ->
                ZonedDateTime.ofInstant(
                    readLocalDateTime(in), readOffset(in), ZoneId.of(in.readUtf()));
            case ZONE_ID -> ZoneId.of(in.readUtf());
            case PERIOD -> Period.of(in.readInt(), in.readInt(), in.readInt());
          };
    } catch (EverheapException e) {
      throw e;
    } catch (RuntimeException e) { // the JDK's factory methods reject invalid values
      throw new CorruptValueException("no value of type " + name() + " has these bytes", e);
    }
  }

  @Override
  public boolean canonical() {
    return true;
  }

  @Override
  public String toString() {
    return name();
  }

  private static void write(byte[] value, CodecOutput out) {
    out.writeVarInt(value.length);
    out.writeBytes(value, 0, value.length);
  }

  private static void write(boolean[] value, CodecOutput out) {
    out.writeVarInt(value.length);
    for (boolean element : value) {
      out.writeBoolean(element);
    }
  }

  private static boolean[] readBooleans(CodecInput in) {
    boolean[] value = new boolean[in.readLength()];
    for (int i = 0; i < value.length; i++) {
      value[i] = in.readBoolean();
    }
    return value;
  }

  private static void write(short[] value, CodecOutput out) {
    append(value.length, 2, out).asShortBuffer().put(value);
  }

  private static short[] readShorts(CodecInput in) {
    short[] value = new short[length(in, 2)];
    in.slice(2 * value.length).asShortBuffer().get(value);
    return value;
  }

  private static void write(char[] value, CodecOutput out) {
    append(value.length, 2, out).asCharBuffer().put(value);
  }

  private static char[] readChars(CodecInput in) {
    char[] value = new char[length(in, 2)];
    in.slice(2 * value.length).asCharBuffer().get(value);
    return value;
  }

  private static void write(int[] value, CodecOutput out) {
    append(value.length, 4, out).asIntBuffer().put(value);
  }

  private static int[] readInts(CodecInput in) {
    int[] value = new int[length(in, 4)];
    in.slice(4 * value.length).asIntBuffer().get(value);
    return value;
  }

  private static void write(long[] value, CodecOutput out) {
    append(value.length, 8, out).asLongBuffer().put(value);
  }

  private static long[] readLongs(CodecInput in) {
    long[] value = new long[length(in, 8)];
    in.slice(8 * value.length).asLongBuffer().get(value);
    return value;
  }

  private static void write(float[] value, CodecOutput out) {
    out.writeVarInt(value.length);
    for (float element : value) { // one by one: every NaN has the same bytes
      out.writeFloat(element);
    }
  }

  private static float[] readFloats(CodecInput in) {
    float[] value = new float[length(in, 4)];
    in.slice(4 * value.length).asFloatBuffer().get(value);
    return value;
  }

  private static void write(double[] value, CodecOutput out) {
    out.writeVarInt(value.length);
    for (double element : value) { // one by one: every NaN has the same bytes
      out.writeDouble(element);
    }
  }

  private static double[] readDoubles(CodecInput in) {
    double[] value = new double[length(in, 8)];
    in.slice(8 * value.length).asDoubleBuffer().get(value);
    return value;
  }

  private static void write(UUID value, CodecOutput out) {
    out.writeLong(value.getMostSignificantBits());
    out.writeLong(value.getLeastSignificantBits());
  }

  private static void write(BigInteger value, CodecOutput out) {
    write(value.toByteArray(), out);
  }

  private static BigInteger readBigInteger(CodecInput in) {
    return new BigInteger(in.readBytes(in.readLength()));
  }

  private static void write(BigDecimal value, CodecOutput out) {
    out.writeZigZag(value.scale());
    write(value.unscaledValue(), out);
  }

  private static BigDecimal readBigDecimal(CodecInput in) {
    int scale = Math.toIntExact(in.readZigZag());
    return new BigDecimal(readBigInteger(in), scale);
  }

  private static void write(Instant value, CodecOutput out) {
    out.writeLong(value.getEpochSecond());
    out.writeInt(value.getNano());
  }

  private static void write(Duration value, CodecOutput out) {
    out.writeLong(value.getSeconds());
    out.writeInt(value.getNano());
  }

  private static void write(LocalDateTime value, CodecOutput out) {
    out.writeLong(value.toLocalDate().toEpochDay());
    out.writeLong(value.toLocalTime().toNanoOfDay());
  }

  private static LocalDateTime readLocalDateTime(CodecInput in) {
    return LocalDateTime.of(
        LocalDate.ofEpochDay(in.readLong()), LocalTime.ofNanoOfDay(in.readLong()));
  }

  private static void write(OffsetDateTime value, CodecOutput out) {
    write(value.toLocalDateTime(), out);
    write(value.getOffset(), out);
  }

  private static void write(OffsetTime value, CodecOutput out) {
    out.writeLong(value.toLocalTime().toNanoOfDay());
    write(value.getOffset(), out);
  }

  private static void write(ZonedDateTime value, CodecOutput out) {
    write(value.toLocalDateTime(), out);
    write(value.getOffset(), out);
    out.writeUtf(value.getZone().getId());
  }

  private static void write(ZoneOffset value, CodecOutput out) {
    out.writeInt(value.getTotalSeconds());
  }

  private static ZoneOffset readOffset(CodecInput in) {
    return ZoneOffset.ofTotalSeconds(in.readInt());
  }

  private static void write(Period value, CodecOutput out) {
    out.writeInt(value.getYears());
    out.writeInt(value.getMonths());
    out.writeInt(value.getDays());
  }

  private static int nanos(CodecInput in) {
    int nanos = in.readInt();
    if (nanos < 0 || nanos >= SECONDS.toNanos(1)) {
      throw in.corrupt("found " + nanos + " nanoseconds of a second");
    }
    return nanos;
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
}
