package io.everheap.codec;

import static java.util.concurrent.TimeUnit.SECONDS;

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

/** The codecs of the values of {@code java.time} that take more than one word. */
final class TimeCodecs {
  private TimeCodecs() {}

  /** Seconds since 1970-01-01T00:00Z, then nanoseconds. */
  static final Codec<Instant> INSTANT =
      new ScalarCodec<>(
          "instant",
          (value, out) -> {
            out.writeLong(value.getEpochSecond());
            out.writeInt(value.getNano());
          },
          in -> Instant.ofEpochSecond(in.readLong(), nanos(in)));

  /** Seconds, then nanoseconds. */
  static final Codec<Duration> DURATION =
      new ScalarCodec<>(
          "duration",
          (value, out) -> {
            out.writeLong(value.getSeconds());
            out.writeInt(value.getNano());
          },
          in -> Duration.ofSeconds(in.readLong(), nanos(in)));

  /** Days since 1970-01-01, then nanoseconds since midnight. */
  static final Codec<LocalDateTime> LOCAL_DATE_TIME =
      new ScalarCodec<>("local-date-time", TimeCodecs::write, TimeCodecs::readLocalDateTime);

  /** The local date and time, then seconds from UTC. */
  static final Codec<OffsetDateTime> OFFSET_DATE_TIME =
      new ScalarCodec<>(
          "offset-date-time",
          (value, out) -> {
            write(value.toLocalDateTime(), out);
            write(value.getOffset(), out);
          },
          in -> OffsetDateTime.of(readLocalDateTime(in), readOffset(in)));

  /** Nanoseconds since midnight, then seconds from UTC. */
  static final Codec<OffsetTime> OFFSET_TIME =
      new ScalarCodec<>(
          "offset-time",
          (value, out) -> {
            out.writeLong(value.toLocalTime().toNanoOfDay());
            write(value.getOffset(), out);
          },
          in -> OffsetTime.of(LocalTime.ofNanoOfDay(in.readLong()), readOffset(in)));

  /** Its identifier. */
  static final Codec<ZoneId> ZONE_ID =
      new ScalarCodec<>(
          "zone-id", (value, out) -> out.writeUtf(value.getId()), in -> ZoneId.of(in.readUtf()));

  /**
   * The local date and time, seconds from UTC and the zone. If the rules of the zone have changed
   * such that the local time is no longer valid, the instant is kept.
   */
  static final Codec<ZonedDateTime> ZONED_DATE_TIME =
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

  /** Years, months and days, as they are. */
  static final Codec<Period> PERIOD =
      new ScalarCodec<>(
          "period",
          (value, out) -> {
            out.writeInt(value.getYears());
            out.writeInt(value.getMonths());
            out.writeInt(value.getDays());
          },
          in -> Period.of(in.readInt(), in.readInt(), in.readInt()));

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
}
