package io.everheap.cli;

import io.everheap.codec.Codec;
import io.everheap.codec.Codecs;
import java.math.BigDecimal;
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
import java.util.Base64;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How values of the built-in codecs are read from JSON: the inverse of {@link Json}. */
final class Scalars {
  /** Zeros that an exponent may add to a whole number, or decimals that it may have. */
  private static final int MAX_SCALE = 100_000;

  /** Of values that JSON shows as strings. */
  private static final Map<Codec<?>, Function<String, Object>> TEXTS =
      Map.ofEntries(
          Map.entry(Codecs.STRING, text -> text),
          Map.entry(Codecs.CHAR, Scalars::character),
          Map.entry(Codecs.BYTES, text -> Base64.getDecoder().decode(text)),
          Map.entry(Codecs.UUID, UUID::fromString),
          Map.entry(Codecs.INSTANT, Instant::parse),
          Map.entry(Codecs.DURATION, Duration::parse),
          Map.entry(Codecs.LOCAL_DATE, LocalDate::parse),
          Map.entry(Codecs.LOCAL_TIME, LocalTime::parse),
          Map.entry(Codecs.LOCAL_DATE_TIME, LocalDateTime::parse),
          Map.entry(Codecs.OFFSET_DATE_TIME, OffsetDateTime::parse),
          Map.entry(Codecs.OFFSET_TIME, OffsetTime::parse),
          Map.entry(Codecs.ZONED_DATE_TIME, ZonedDateTime::parse),
          Map.entry(Codecs.ZONE_ID, ZoneId::of),
          Map.entry(Codecs.ZONE_OFFSET, ZoneOffset::of),
          Map.entry(Codecs.YEAR, text -> Year.of(Integer.parseInt(text))),
          Map.entry(Codecs.YEAR_MONTH, YearMonth::parse),
          Map.entry(Codecs.MONTH_DAY, MonthDay::parse),
          Map.entry(Codecs.PERIOD, Period::parse),
          Map.entry(Codecs.DAY_OF_WEEK, DayOfWeek::valueOf),
          Map.entry(Codecs.MONTH, Month::valueOf));

  /** Of values that JSON shows as numbers; out of range is refused. */
  private static final Map<Codec<?>, Function<BigDecimal, Object>> NUMBERS =
      Map.ofEntries(
          Map.entry(Codecs.LONG, BigDecimal::longValueExact),
          Map.entry(Codecs.INT, BigDecimal::intValueExact),
          Map.entry(Codecs.SHORT, BigDecimal::shortValueExact),
          Map.entry(Codecs.BYTE, BigDecimal::byteValueExact),
          Map.entry(Codecs.FLOAT, Scalars::toFloat),
          Map.entry(Codecs.DOUBLE, Scalars::toDouble),
          Map.entry(Codecs.BIG_INTEGER, Scalars::toBigInteger),
          Map.entry(Codecs.BIG_DECIMAL, number -> number));

  private Scalars() {}

  /** Whether values of the codec are strings in JSON. */
  static boolean isText(Codec<?> codec) {
    return TEXTS.containsKey(codec);
  }

  /** Whether the codec is one of these. */
  static boolean knows(Codec<?> codec) {
    return isText(codec) || NUMBERS.containsKey(codec) || codec.equals(Codecs.BOOLEAN);
  }

  /**
   * Makes a value of a document of JSON.
   *
   * @throws RuntimeException if it is no such value
   */
  static Object value(Codec<?> codec, @Nullable Object json) {
    Function<String, Object> ofText = TEXTS.get(codec);
    Function<BigDecimal, Object> ofNumber = NUMBERS.get(codec);
    if (ofText != null && json instanceof String text) {
      return ofText.apply(text);
    }
    if (ofNumber != null && json instanceof BigDecimal number) {
      return ofNumber.apply(number);
    }
    if (codec.equals(Codecs.BOOLEAN) && json instanceof Boolean flag) {
      return flag;
    }
    if (json instanceof String text
        && (text.equals("-0.0") || !Character.isDigit(text.charAt(text.length() - 1)))) {
      if (codec.equals(Codecs.DOUBLE)) { // NaN, Infinity, and the zero that a decimal has not
        return Double.valueOf(text);
      }
      if (codec.equals(Codecs.FLOAT)) {
        return Float.valueOf(text);
      }
    }
    throw new IllegalArgumentException("another type of JSON");
  }

  private static Object character(String text) {
    if (text.length() != 1) {
      throw new IllegalArgumentException("not one character");
    }
    return text.charAt(0);
  }

  /** Refuses 1e600000000, of which a few characters would make hundreds of megabytes. */
  private static Object toBigInteger(BigDecimal number) {
    if (Math.abs((long) number.scale()) > MAX_SCALE) {
      throw new ArithmeticException("out of range");
    }
    return number.toBigIntegerExact();
  }

  private static Object toFloat(BigDecimal number) {
    float value = number.floatValue();
    if (Float.isInfinite(value)) {
      throw new ArithmeticException("out of range");
    }
    return value;
  }

  private static Object toDouble(BigDecimal number) {
    double value = number.doubleValue();
    if (Double.isInfinite(value)) {
      throw new ArithmeticException("out of range");
    }
    return value;
  }
}
