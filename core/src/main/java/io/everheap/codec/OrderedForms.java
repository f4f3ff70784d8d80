package io.everheap.codec;

import io.everheap.codec.OrderedWords.Order;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The ordered form of codecs: what sorted collections keep their keys in. For use by the
 * collections.
 */
public final class OrderedForms {
  /** Built-in codecs whose order is not that of their words as signed numbers. */
  private static final Map<Codec<?>, Order> WORDS =
      Map.of(
          Codecs.FLOAT, Order.FLOATING,
          Codecs.DOUBLE, Order.FLOATING,
          Codecs.ZONE_OFFSET, Order.DESCENDING);

  private static final Set<WordCodec<?>> SIGNED =
      Set.of(
          Codecs.LONG,
          Codecs.INT,
          Codecs.SHORT,
          Codecs.BYTE,
          Codecs.CHAR,
          Codecs.BOOLEAN,
          Codecs.LOCAL_DATE,
          Codecs.LOCAL_TIME,
          Codecs.YEAR,
          Codecs.YEAR_MONTH,
          Codecs.MONTH_DAY,
          Codecs.DAY_OF_WEEK,
          Codecs.MONTH);

  private static final Map<Codec<?>, OrderedCodec<?>> BYTES = bytes();

  private OrderedForms() {}

  /**
   * The ordered form of a codec, which has the same name: a {@link WordCodec} whose words are
   * ordered as unsigned numbers, or an {@link OrderedCodec}.
   *
   * @return null if the codec has none: then its values must be compared one by one
   */
  @SuppressWarnings("unchecked") // each form is one of the same type
  public static <T> @Nullable Codec<T> of(Codec<T> codec) {
    if (codec instanceof WordCodec<T> words) {
      Order order = WORDS.get(codec);
      boolean signed =
          SIGNED.contains(words)
              || codec instanceof EnumCodec
              || codec instanceof DescribedEnum
              || codec instanceof OrderedCodec;
      return order != null
          ? new OrderedWords<>(words, order)
          : signed ? new OrderedWords<>(words, Order.SIGNED) : null;
    }
    return codec instanceof OrderedCodec ? codec : (Codec<T>) BYTES.get(codec);
  }

  private static Map<Codec<?>, OrderedCodec<?>> bytes() {
    Map<Codec<?>, OrderedCodec<?>> forms = new HashMap<>();
    add(
        forms,
        new OrderedScalar<>(Codecs.STRING, OrderedText::write, OrderedText::read, null, true));
    add(
        forms,
        new OrderedScalar<byte[]>(
            Codecs.BYTES,
            (value, out) -> out.writeBytes(value, 0, value.length),
            in -> in.readBytes(in.remaining()),
            Arrays::compareUnsigned,
            true));
    add(
        forms,
        new OrderedScalar<>(
            Codecs.UUID,
            (value, out) -> {
              OrderedBytes.writeLong(value.getMostSignificantBits(), out);
              OrderedBytes.writeLong(value.getLeastSignificantBits(), out);
            },
            in -> new java.util.UUID(OrderedBytes.readLong(in), OrderedBytes.readLong(in))));
    add(
        forms,
        new OrderedScalar<>(
            Codecs.BIG_INTEGER, OrderedNumbers::write, OrderedNumbers::readInteger));
    add(
        forms,
        new OrderedScalar<>(
            Codecs.BIG_DECIMAL, OrderedNumbers::write, OrderedNumbers::readDecimal));
    add(forms, new OrderedScalar<>(Codecs.INSTANT, OrderedTimes::write, OrderedTimes::readInstant));
    add(
        forms,
        new OrderedScalar<>(Codecs.DURATION, OrderedTimes::write, OrderedTimes::readDuration));
    add(
        forms,
        new OrderedScalar<>(
            Codecs.LOCAL_DATE_TIME, OrderedTimes::write, OrderedTimes::readLocalDateTime));
    add(
        forms,
        new OrderedScalar<>(
            Codecs.OFFSET_DATE_TIME, OrderedTimes::write, OrderedTimes::readOffsetDateTime));
    add(
        forms,
        new OrderedScalar<>(Codecs.OFFSET_TIME, OrderedTimes::write, OrderedTimes::readOffsetTime));
    add(
        forms,
        new OrderedScalar<>(
            Codecs.ZONED_DATE_TIME, OrderedTimes::write, OrderedTimes::readZonedDateTime));
    return Map.copyOf(forms);
  }

  private static void add(Map<Codec<?>, OrderedCodec<?>> forms, OrderedScalar<?> form) {
    forms.put(form.plain(), form);
  }
}
