package io.everheap.codec;

import io.everheap.codec.derived.DerivedCodecs;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Each canonical built-in codec with a source of values, extremes included. */
record Samples<T>(Codec<T> codec, Arbitrary<T> values) {

  static List<Samples<?>> all() {
    List<Samples<?>> all = new ArrayList<>(scalars());
    all.addAll(times());
    all.add(lists(Codecs.LONG, longs()));
    all.add(lists(Codecs.STRING, texts()));
    all.add(
        new Samples<>(
            DerivedCodecs.optional(Codecs.STRING),
            texts()
                .map(Optional::of)
                .injectNull(0.2)
                .map(text -> text == null ? Optional.<String>empty() : text)));
    all.add(new Samples<>(DerivedCodecs.nullable(Codecs.LONG), longs().injectNull(0.2)));
    return all;
  }

  private static <E> Samples<List<E>> lists(Codec<E> codec, Arbitrary<E> elements) {
    return new Samples<>(DerivedCodecs.list(codec), elements.injectNull(0.1).list().ofMaxSize(20));
  }

  private static List<Samples<?>> scalars() {
    return List.of(
        new Samples<>(Codecs.LONG, longs()),
        new Samples<>(Codecs.INT, Arbitraries.integers()),
        new Samples<>(Codecs.SHORT, Arbitraries.shorts()),
        new Samples<>(Codecs.BYTE, Arbitraries.bytes()),
        new Samples<>(Codecs.CHAR, characters()),
        new Samples<>(Codecs.BOOLEAN, Arbitraries.of(true, false)),
        new Samples<>(Codecs.FLOAT, floats()),
        new Samples<>(Codecs.DOUBLE, doubles()),
        new Samples<>(Codecs.STRING, texts()),
        new Samples<>(Codecs.BYTES, Arbitraries.bytes().array(byte[].class)),
        new Samples<>(Codecs.BOOLEANS, Arbitraries.of(true, false).array(boolean[].class)),
        new Samples<>(Codecs.SHORTS, Arbitraries.shorts().array(short[].class)),
        new Samples<>(Codecs.CHARS, characters().array(char[].class)),
        new Samples<>(Codecs.INTS, Arbitraries.integers().array(int[].class)),
        new Samples<>(Codecs.LONGS, longs().array(long[].class)),
        new Samples<>(Codecs.FLOATS, floats().array(float[].class)),
        new Samples<>(Codecs.DOUBLES, doubles().array(double[].class)),
        new Samples<>(Codecs.UUID, Combinators.combine(longs(), longs()).as(UUID::new)),
        new Samples<>(Codecs.BIG_INTEGER, bigIntegers()),
        new Samples<>(
            Codecs.BIG_DECIMAL,
            Combinators.combine(bigIntegers(), Arbitraries.integers()).as(BigDecimal::new)));
  }

  private static List<Samples<?>> times() {
    return List.of(
        new Samples<>(Codecs.LOCAL_DATE, dates()),
        new Samples<>(Codecs.LOCAL_TIME, localTimes()),
        new Samples<>(Codecs.LOCAL_DATE_TIME, dateTimes()),
        new Samples<>(Codecs.ZONE_OFFSET, offsets()),
        new Samples<>(Codecs.ZONE_ID, zones()),
        new Samples<>(
            Codecs.OFFSET_DATE_TIME,
            Combinators.combine(dateTimes(), offsets()).as(OffsetDateTime::of)),
        new Samples<>(
            Codecs.OFFSET_TIME, Combinators.combine(localTimes(), offsets()).as(OffsetTime::of)),
        new Samples<>(
            Codecs.ZONED_DATE_TIME,
            Combinators.combine(between(-1_000_000_000L, 4_000_000_000L), nanos(), zones())
                .as((s, n, zone) -> Instant.ofEpochSecond(s, n).atZone(zone))),
        new Samples<>(
            Codecs.INSTANT,
            Combinators.combine(
                    between(Instant.MIN.getEpochSecond(), Instant.MAX.getEpochSecond()), nanos())
                .as((seconds, nanos) -> Instant.ofEpochSecond(seconds, nanos))),
        new Samples<>(
            Codecs.DURATION,
            Combinators.combine(longs(), nanos())
                .as((seconds, nanos) -> Duration.ofSeconds(seconds, nanos))),
        new Samples<>(
            Codecs.PERIOD,
            Combinators.combine(
                    Arbitraries.integers(), Arbitraries.integers(), Arbitraries.integers())
                .as(Period::of)),
        new Samples<>(Codecs.YEAR, years().map(Year::of)),
        new Samples<>(
            Codecs.YEAR_MONTH,
            Combinators.combine(years(), Arbitraries.of(Month.class)).as(YearMonth::of)),
        new Samples<>(
            Codecs.MONTH_DAY,
            dates().map(date -> MonthDay.of(date.getMonth(), date.getDayOfMonth()))),
        new Samples<>(Codecs.DAY_OF_WEEK, Arbitraries.of(DayOfWeek.class)),
        new Samples<>(Codecs.MONTH, Arbitraries.of(Month.class)));
  }

  /** Any characters: half of them near the ends of ranges, where encodings change. */
  static Arbitrary<String> texts() {
    Arbitrary<Character> edges =
        Arbitraries.of(
            '\0', 'a', '?', '\u007f', '\u0080', '\u00ff', '\u0100', '\ud800', '\udbff', '\udc00',
            '\udfff', '\ufffd', '\uffff');
    return Arbitraries.oneOf(
        Arbitraries.of(Bytes.texts()),
        Arbitraries.strings().all().ofMaxLength(80),
        Arbitraries.oneOf(edges, characters())
            .list()
            .ofMaxSize(70)
            .map(
                list -> {
                  var text = new StringBuilder();
                  list.forEach(text::append);
                  return text.toString();
                }));
  }

  private static Arbitrary<Character> characters() {
    return Arbitraries.chars().range(Character.MIN_VALUE, Character.MAX_VALUE);
  }

  private static Arbitrary<Long> longs() {
    return Arbitraries.longs();
  }

  private static Arbitrary<Long> between(long least, long most) {
    return Arbitraries.longs().between(least, most);
  }

  private static Arbitrary<Integer> nanos() {
    return Arbitraries.integers().between(0, 999_999_999);
  }

  private static Arbitrary<Integer> years() {
    return Arbitraries.integers().between(Year.MIN_VALUE, Year.MAX_VALUE);
  }

  private static Arbitrary<Float> floats() {
    return Arbitraries.oneOf(
        Arbitraries.integers().map(Float::intBitsToFloat),
        Arbitraries.of(0f, -0f, Float.NaN, Float.POSITIVE_INFINITY, Float.MIN_VALUE));
  }

  private static Arbitrary<Double> doubles() {
    return Arbitraries.oneOf(
        longs().map(Double::longBitsToDouble),
        Arbitraries.of(0.0, -0.0, Double.NaN, Double.NEGATIVE_INFINITY, Double.MIN_VALUE));
  }

  private static Arbitrary<BigInteger> bigIntegers() {
    return Arbitraries.oneOf(
        longs().map(BigInteger::valueOf),
        Arbitraries.bytes().array(byte[].class).ofMinSize(1).ofMaxSize(100).map(BigInteger::new));
  }

  private static Arbitrary<LocalDate> dates() {
    return between(LocalDate.MIN.toEpochDay(), LocalDate.MAX.toEpochDay())
        .map(LocalDate::ofEpochDay);
  }

  private static Arbitrary<LocalTime> localTimes() {
    return between(0, LocalTime.MAX.toNanoOfDay()).map(LocalTime::ofNanoOfDay);
  }

  private static Arbitrary<LocalDateTime> dateTimes() {
    return Combinators.combine(dates(), localTimes()).as(LocalDateTime::of);
  }

  private static Arbitrary<ZoneOffset> offsets() {
    return Arbitraries.integers().between(-18 * 3600, 18 * 3600).map(ZoneOffset::ofTotalSeconds);
  }

  private static Arbitrary<ZoneId> zones() {
    return Arbitraries.oneOf(
        Arbitraries.of("Europe/Paris", "UTC", "Z", "GMT0", "UTC+02:00", "America/St_Johns")
            .map(ZoneId::of),
        offsets().map(offset -> offset));
  }
}
