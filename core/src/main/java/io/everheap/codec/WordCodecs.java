package io.everheap.codec;

import io.everheap.error.CorruptValueException;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.Month;
import java.time.MonthDay;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** The codecs of the JDK's types whose values fit into one word. */
final class WordCodecs {
  /** The width of words of 2 bytes that are extended by zeros. */
  private static final int UNSIGNED_SHORT = -2;

  private WordCodecs() {}

  static final WordCodec<Long> LONG =
      new Word<>("long", 8, Long.MIN_VALUE, Long.MAX_VALUE) {
        @Override
        public long toWord(Long value) {
          return value;
        }

        @Override
        public Long fromWord(long word) {
          return word;
        }
      };

  static final WordCodec<Integer> INT =
      new Word<>("int", 4, Integer.MIN_VALUE, Integer.MAX_VALUE) {
        @Override
        public long toWord(Integer value) {
          return value;
        }

        @Override
        public Integer fromWord(long word) {
          return (int) inRange(word);
        }
      };

  static final WordCodec<Short> SHORT =
      new Word<>("short", 2, Short.MIN_VALUE, Short.MAX_VALUE) {
        @Override
        public long toWord(Short value) {
          return value;
        }

        @Override
        public Short fromWord(long word) {
          return (short) inRange(word);
        }
      };

  static final WordCodec<Byte> BYTE =
      new Word<>("byte", 1, Byte.MIN_VALUE, Byte.MAX_VALUE) {
        @Override
        public long toWord(Byte value) {
          return value;
        }

        @Override
        public Byte fromWord(long word) {
          return (byte) inRange(word);
        }
      };

  static final WordCodec<Character> CHAR =
      new Word<>("char", UNSIGNED_SHORT, Character.MIN_VALUE, Character.MAX_VALUE) {
        @Override
        public long toWord(Character value) {
          return value;
        }

        @Override
        public Character fromWord(long word) {
          return (char) inRange(word);
        }
      };

  static final WordCodec<Boolean> BOOLEAN =
      new Word<>("boolean", 1, 0, 1) {
        @Override
        public long toWord(Boolean value) {
          return value ? 1 : 0;
        }

        @Override
        public Boolean fromWord(long word) {
          return inRange(word) != 0;
        }
      };

  static final WordCodec<Float> FLOAT =
      new Word<>("float", 4, Integer.MIN_VALUE, Integer.MAX_VALUE) {
        @Override
        public long toWord(Float value) {
          return Float.floatToIntBits(value);
        }

        @Override
        public Float fromWord(long word) {
          return Float.intBitsToFloat((int) inRange(word));
        }
      };

  static final WordCodec<Double> DOUBLE =
      new Word<>("double", 8, Long.MIN_VALUE, Long.MAX_VALUE) {
        @Override
        public long toWord(Double value) {
          return Double.doubleToLongBits(value);
        }

        @Override
        public Double fromWord(long word) {
          return Double.longBitsToDouble(word);
        }
      };

  /** Days since 1970-01-01. */
  static final WordCodec<LocalDate> LOCAL_DATE = new DateWord<>(DateKind.LOCAL_DATE);

  /** Nanoseconds since midnight. */
  static final WordCodec<LocalTime> LOCAL_TIME = new DateWord<>(DateKind.LOCAL_TIME);

  static final WordCodec<Year> YEAR = new DateWord<>(DateKind.YEAR);

  /** Months since January of the year 0. */
  static final WordCodec<YearMonth> YEAR_MONTH = new DateWord<>(DateKind.YEAR_MONTH);

  /** The month times 32 plus the day. */
  static final WordCodec<MonthDay> MONTH_DAY = new DateWord<>(DateKind.MONTH_DAY);

  /** From Monday, 1, to Sunday, 7. */
  static final WordCodec<DayOfWeek> DAY_OF_WEEK = new DateWord<>(DateKind.DAY_OF_WEEK);

  /** From January, 1, to December, 12. */
  static final WordCodec<Month> MONTH = new DateWord<>(DateKind.MONTH);

  /** Seconds from UTC. */
  static final WordCodec<ZoneOffset> ZONE_OFFSET = new DateWord<>(DateKind.ZONE_OFFSET);

  /** The types of {@code java.time} that fit into a word. */
  private enum DateKind {
    LOCAL_DATE("local-date", 8),
    LOCAL_TIME("local-time", 8),
    YEAR("year", 4),
    YEAR_MONTH("year-month", 8),
    MONTH_DAY("month-day", 2),
    DAY_OF_WEEK("day-of-week", 1),
    MONTH("month", 1),
    ZONE_OFFSET("zone-offset", 4);

    private final String codec;
    private final int width;

    DateKind(String codec, int width) {
      this.codec = codec;
      this.width = width;
    }
  }

  /** One class for all kinds, as {@link ScalarCodec} is. */
  private static final class DateWord<T> extends Word<T> {
    private final DateKind kind;

    DateWord(DateKind kind) {
      super(kind.codec, kind.width, 1, 0);
      this.kind = kind;
    }

    @Override
    public long toWord(T value) {
      return switch (kind) {
        case LOCAL_DATE -> ((LocalDate) value).toEpochDay();
        case LOCAL_TIME -> ((LocalTime) value).toNanoOfDay();
        case YEAR -> ((Year) value).getValue();
        case YEAR_MONTH -> toMonths((YearMonth) value);
        case MONTH_DAY -> toWord((MonthDay) value);
        case DAY_OF_WEEK -> ((DayOfWeek) value).getValue();
        case MONTH -> ((Month) value).getValue();
        case ZONE_OFFSET -> ((ZoneOffset) value).getTotalSeconds();
      };
    }

    @Override
    @SuppressWarnings("unchecked") // the kind says the class
    public T fromWord(long word) {
      try {
        return (T)
            switch (kind) {
              case LOCAL_DATE -> LocalDate.ofEpochDay(word);
              case LOCAL_TIME -> LocalTime.ofNanoOfDay(word);
              case YEAR -> Year.of(Math.toIntExact(word));
              case YEAR_MONTH -> ofMonths(word);
              case MONTH_DAY -> MonthDay.of(Math.toIntExact(word >> 5), (int) word & 31);
              case DAY_OF_WEEK -> DayOfWeek.of(Math.toIntExact(word));
              case MONTH -> Month.of(Math.toIntExact(word));
              case ZONE_OFFSET -> ZoneOffset.ofTotalSeconds(Math.toIntExact(word));
            };
      } catch (DateTimeException | ArithmeticException e) {
        throw noValue(e);
      }
    }

    private static long toMonths(YearMonth value) {
      return 12L * value.getYear() + value.getMonthValue() - 1;
    }

    private static YearMonth ofMonths(long months) {
      return YearMonth.of(
          Math.toIntExact(Math.floorDiv(months, 12)), Math.floorMod(months, 12) + 1);
    }

    private static long toWord(MonthDay value) {
      return 32L * value.getMonthValue() + value.getDayOfMonth();
    }
  }

  /**
   * A codec whose words are extended from their lowest bytes; a value is written as those bytes
   * alone.
   */
  private abstract static class Word<T> implements WordCodec<T> {
    private final String name;
    private final int width;
    private final long least;
    private final long most;

    /**
     * Creates it.
     *
     * @param least word of a range in which each word has a value
     * @param most word of that range; less than {@code least} if not even one is known
     */
    Word(String name, int width, long least, long most) {
      this.name = name;
      this.width = width;
      this.least = least;
      this.most = most;
    }

    @Override
    public final boolean accepts(long word) {
      return least <= word && word <= most;
    }

    @Override
    public final String name() {
      return name;
    }

    @Override
    public void write(T value, CodecOutput out) {
      long word = toWord(value);
      switch (width) {
        case 1 -> out.writeByte((int) word);
        case 2, UNSIGNED_SHORT -> out.writeShort((int) word);
        case 4 -> out.writeInt((int) word);
        default -> out.writeLong(word);
      }
    }

    @Override
    public T read(CodecInput in) {
      return fromWord(
          switch (width) {
            case 1 -> in.readByte();
            case 2 -> in.readShort();
            case UNSIGNED_SHORT -> Short.toUnsignedLong(in.readShort());
            case 4 -> in.readInt();
            default -> in.readLong();
          });
    }

    final long inRange(long word) {
      if (!accepts(word)) {
        throw noValue(null);
      }
      return word;
    }

    final CorruptValueException noValue(@Nullable Throwable cause) {
      return new CorruptValueException(
          "no value of type " + name + " is stored as this word", cause);
    }

    @Override
    public final String toString() {
      return name;
    }
  }
}
