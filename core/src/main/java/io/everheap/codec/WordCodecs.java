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
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The codecs of the JDK's types whose values fit into one word. */
final class WordCodecs {
  /** The width of words of 2 bytes that are extended by zeros. */
  private static final int UNSIGNED_SHORT = -2;

  private WordCodecs() {}

  static final WordCodec<Long> LONG =
      new Word<>("long", 8) {
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
      new Word<>("int", 4) {
        @Override
        public long toWord(Integer value) {
          return value;
        }

        @Override
        public Integer fromWord(long word) {
          return (int) inRange(word, Integer.MIN_VALUE, Integer.MAX_VALUE);
        }
      };

  static final WordCodec<Short> SHORT =
      new Word<>("short", 2) {
        @Override
        public long toWord(Short value) {
          return value;
        }

        @Override
        public Short fromWord(long word) {
          return (short) inRange(word, Short.MIN_VALUE, Short.MAX_VALUE);
        }
      };

  static final WordCodec<Byte> BYTE =
      new Word<>("byte", 1) {
        @Override
        public long toWord(Byte value) {
          return value;
        }

        @Override
        public Byte fromWord(long word) {
          return (byte) inRange(word, Byte.MIN_VALUE, Byte.MAX_VALUE);
        }
      };

  static final WordCodec<Character> CHAR =
      new Word<>("char", UNSIGNED_SHORT) {
        @Override
        public long toWord(Character value) {
          return value;
        }

        @Override
        public Character fromWord(long word) {
          return (char) inRange(word, Character.MIN_VALUE, Character.MAX_VALUE);
        }
      };

  static final WordCodec<Boolean> BOOLEAN =
      new Word<>("boolean", 1) {
        @Override
        public long toWord(Boolean value) {
          return value ? 1 : 0;
        }

        @Override
        public Boolean fromWord(long word) {
          return inRange(word, 0, 1) != 0;
        }
      };

  static final WordCodec<Float> FLOAT =
      new Word<>("float", 4) {
        @Override
        public long toWord(Float value) {
          return Float.floatToIntBits(value);
        }

        @Override
        public Float fromWord(long word) {
          return Float.intBitsToFloat((int) inRange(word, Integer.MIN_VALUE, Integer.MAX_VALUE));
        }
      };

  static final WordCodec<Double> DOUBLE =
      new Word<>("double", 8) {
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
  static final WordCodec<LocalDate> LOCAL_DATE =
      dated("local-date", 8, LocalDate::toEpochDay, LocalDate::ofEpochDay);

  /** Nanoseconds since midnight. */
  static final WordCodec<LocalTime> LOCAL_TIME =
      dated("local-time", 8, LocalTime::toNanoOfDay, LocalTime::ofNanoOfDay);

  static final WordCodec<Year> YEAR =
      dated("year", 4, Year::getValue, word -> Year.of(Math.toIntExact(word)));

  /** Months since January of the year 0. */
  static final WordCodec<YearMonth> YEAR_MONTH =
      dated(
          "year-month",
          8,
          value -> 12L * value.getYear() + value.getMonthValue() - 1,
          word ->
              YearMonth.of(Math.toIntExact(Math.floorDiv(word, 12)), Math.floorMod(word, 12) + 1));

  /** The month times 32 plus the day. */
  static final WordCodec<MonthDay> MONTH_DAY =
      dated(
          "month-day",
          2,
          value -> 32L * value.getMonthValue() + value.getDayOfMonth(),
          word -> MonthDay.of(Math.toIntExact(word >> 5), (int) word & 31));

  /** From Monday, 1, to Sunday, 7. */
  static final WordCodec<DayOfWeek> DAY_OF_WEEK =
      dated("day-of-week", 1, DayOfWeek::getValue, word -> DayOfWeek.of(Math.toIntExact(word)));

  /** From January, 1, to December, 12. */
  static final WordCodec<Month> MONTH =
      dated("month", 1, Month::getValue, word -> Month.of(Math.toIntExact(word)));

  /** Seconds from UTC. */
  static final WordCodec<ZoneOffset> ZONE_OFFSET =
      dated(
          "zone-offset",
          4,
          ZoneOffset::getTotalSeconds,
          word -> ZoneOffset.ofTotalSeconds(Math.toIntExact(word)));

  private static <T> WordCodec<T> dated(
      String name, int width, ToLongFunction<T> toWord, LongFunction<T> fromWord) {
    return new Word<>(name, width) {
      @Override
      public long toWord(T value) {
        return toWord.applyAsLong(value);
      }

      @Override
      public T fromWord(long word) {
        try {
          return fromWord.apply(word);
        } catch (DateTimeException | ArithmeticException e) {
          throw noValue(word, e);
        }
      }
    };
  }

  /**
   * A codec whose words are extended from their lowest bytes; a value is written as those bytes
   * alone.
   */
  private abstract static class Word<T> implements WordCodec<T> {
    private final String name;
    private final int width;

    Word(String name, int width) {
      this.name = name;
      this.width = width;
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

    final long inRange(long word, long least, long most) {
      if (word < least || word > most) {
        throw noValue(word, null);
      }
      return word;
    }

    final CorruptValueException noValue(long word, @Nullable Throwable cause) {
      return new CorruptValueException("no value of type " + name + " is stored as " + word, cause);
    }

    @Override
    public final String toString() {
      return name;
    }
  }
}
