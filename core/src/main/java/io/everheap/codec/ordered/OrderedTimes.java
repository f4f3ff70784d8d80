package io.everheap.codec.ordered;

import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.codec.OrderedBytes;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;

/**
 * The values of {@code java.time} that take more than one word, as ordered bytes. Those with an
 * offset are ordered by their instant first, as their {@code compareTo} orders.
 */
final class OrderedTimes {
  private static final long NANOS = 1_000_000_000L;

  private OrderedTimes() {}

  static void write(Instant value, CodecOutput out) {
    OrderedBytes.writeLong(value.getEpochSecond(), out);
    OrderedBytes.writeInt(value.getNano(), out);
  }

  static Instant readInstant(CodecInput in) {
    long seconds = OrderedBytes.readLong(in);
    return Instant.ofEpochSecond(seconds, nanos(in));
  }

  static void write(Duration value, CodecOutput out) {
    OrderedBytes.writeLong(value.getSeconds(), out);
    OrderedBytes.writeInt(value.getNano(), out);
  }

  static Duration readDuration(CodecInput in) {
    long seconds = OrderedBytes.readLong(in);
    return Duration.ofSeconds(seconds, nanos(in));
  }

  static void write(LocalDateTime value, CodecOutput out) {
    OrderedBytes.writeLong(value.toLocalDate().toEpochDay(), out);
    OrderedBytes.writeLong(value.toLocalTime().toNanoOfDay(), out);
  }

  static LocalDateTime readLocalDateTime(CodecInput in) {
    LocalDate date = LocalDate.ofEpochDay(OrderedBytes.readLong(in));
    return date.atTime(LocalTime.ofNanoOfDay(OrderedBytes.readLong(in)));
  }

  /** Seconds and nanoseconds of the instant, then seconds from UTC: a later local time is more. */
  static void write(OffsetDateTime value, CodecOutput out) {
    OrderedBytes.writeLong(value.toEpochSecond(), out);
    OrderedBytes.writeInt(value.getNano(), out);
    OrderedBytes.writeInt(value.getOffset().getTotalSeconds(), out);
  }

  static OffsetDateTime readOffsetDateTime(CodecInput in) {
    long seconds = OrderedBytes.readLong(in);
    int nanos = nanos(in);
    ZoneOffset offset = ZoneOffset.ofTotalSeconds(OrderedBytes.readInt(in));
    return LocalDateTime.ofEpochSecond(seconds, nanos, offset).atOffset(offset);
  }

  /** Nanoseconds since midnight in UTC, which may be negative, then seconds from UTC. */
  static void write(OffsetTime value, CodecOutput out) {
    int offset = value.getOffset().getTotalSeconds();
    OrderedBytes.writeLong(value.toLocalTime().toNanoOfDay() - offset * NANOS, out);
    OrderedBytes.writeInt(offset, out);
  }

  static OffsetTime readOffsetTime(CodecInput in) {
    long nanos = OrderedBytes.readLong(in);
    int offset = OrderedBytes.readInt(in);
    LocalTime time = LocalTime.ofNanoOfDay(nanos + offset * NANOS);
    return time.atOffset(ZoneOffset.ofTotalSeconds(offset));
  }

  static void write(ZonedDateTime value, CodecOutput out) {
    write(value.toOffsetDateTime(), out);
    OrderedBytes.writeText(value.getZone().getId(), out);
  }

  static ZonedDateTime readZonedDateTime(CodecInput in) {
    OffsetDateTime time = readOffsetDateTime(in);
    return ZonedDateTime.ofInstant(
        time.toLocalDateTime(), time.getOffset(), ZoneId.of(OrderedBytes.readText(in)));
  }

  private static int nanos(CodecInput in) {
    int nanos = OrderedBytes.readInt(in);
    if (nanos < 0 || nanos >= NANOS) {
      throw in.corrupt("found " + nanos + " nanoseconds of a second");
    }
    return nanos;
  }
}
