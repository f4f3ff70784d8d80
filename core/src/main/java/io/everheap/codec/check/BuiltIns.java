package io.everheap.codec.check;

import io.everheap.codec.Codec;
import io.everheap.codec.Codecs;
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
import org.jspecify.annotations.Nullable;

/**
 * The constants of {@link Codecs}, by the class of their values and by their name. The table is
 * written out, so that an opening needs no reflection on the type arguments of the fields.
 */
public final class BuiltIns {
  private static final Map<Class<?>, Codec<?>> BY_CLASS = byClass();
  private static final Map<String, Codec<?>> BY_NAME = byName();

  private BuiltIns() {}

  /** The codec of a class or primitive type, or null. */
  public static @Nullable Codec<?> of(Class<?> type) {
    return BY_CLASS.get(type);
  }

  /** The codec that has a name, or null. */
  public static @Nullable Codec<?> of(String name) {
    return BY_NAME.get(name);
  }

  private static Map<String, Codec<?>> byName() {
    Map<String, Codec<?>> map = new HashMap<>();
    for (Codec<?> codec : BY_CLASS.values()) {
      map.put(codec.name(), codec);
    }
    return map;
  }

  private static Map<Class<?>, Codec<?>> byClass() {
    Map<Class<?>, Codec<?>> map = new HashMap<>();
    map.put(Long.class, Codecs.LONG);
    map.put(long.class, Codecs.LONG);
    map.put(Integer.class, Codecs.INT);
    map.put(int.class, Codecs.INT);
    map.put(Short.class, Codecs.SHORT);
    map.put(short.class, Codecs.SHORT);
    map.put(Byte.class, Codecs.BYTE);
    map.put(byte.class, Codecs.BYTE);
    map.put(Character.class, Codecs.CHAR);
    map.put(char.class, Codecs.CHAR);
    map.put(Boolean.class, Codecs.BOOLEAN);
    map.put(boolean.class, Codecs.BOOLEAN);
    map.put(Float.class, Codecs.FLOAT);
    map.put(float.class, Codecs.FLOAT);
    map.put(Double.class, Codecs.DOUBLE);
    map.put(double.class, Codecs.DOUBLE);
    map.put(String.class, Codecs.STRING);
    map.put(byte[].class, Codecs.BYTES);
    map.put(boolean[].class, Codecs.BOOLEANS);
    map.put(short[].class, Codecs.SHORTS);
    map.put(char[].class, Codecs.CHARS);
    map.put(int[].class, Codecs.INTS);
    map.put(long[].class, Codecs.LONGS);
    map.put(float[].class, Codecs.FLOATS);
    map.put(double[].class, Codecs.DOUBLES);
    map.put(java.util.UUID.class, Codecs.UUID);
    map.put(BigInteger.class, Codecs.BIG_INTEGER);
    map.put(BigDecimal.class, Codecs.BIG_DECIMAL);
    map.put(Instant.class, Codecs.INSTANT);
    map.put(Duration.class, Codecs.DURATION);
    map.put(LocalDate.class, Codecs.LOCAL_DATE);
    map.put(LocalTime.class, Codecs.LOCAL_TIME);
    map.put(LocalDateTime.class, Codecs.LOCAL_DATE_TIME);
    map.put(OffsetDateTime.class, Codecs.OFFSET_DATE_TIME);
    map.put(OffsetTime.class, Codecs.OFFSET_TIME);
    map.put(ZonedDateTime.class, Codecs.ZONED_DATE_TIME);
    map.put(ZoneId.class, Codecs.ZONE_ID);
    map.put(ZoneOffset.class, Codecs.ZONE_OFFSET);
    map.put(Year.class, Codecs.YEAR);
    map.put(YearMonth.class, Codecs.YEAR_MONTH);
    map.put(MonthDay.class, Codecs.MONTH_DAY);
    map.put(Period.class, Codecs.PERIOD);
    map.put(DayOfWeek.class, Codecs.DAY_OF_WEEK);
    map.put(Month.class, Codecs.MONTH);
    return map;
  }
}
