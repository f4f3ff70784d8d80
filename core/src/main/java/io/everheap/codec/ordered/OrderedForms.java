package io.everheap.codec.ordered;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.codec.Codecs;
import io.everheap.codec.OrderedBytes;
import io.everheap.codec.OrderedCodec;
import io.everheap.codec.WordCodec;
import io.everheap.codec.check.BuiltIns;
import io.everheap.codec.composite.EnumForm;
import io.everheap.codec.ordered.OrderedWords.Order;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The ordered form of codecs, in which sorted collections keep their keys. */
public final class OrderedForms {
  /** Built-in codecs whose order is not that of their words as signed numbers. */
  private static final Map<Codec<?>, Order> WORDS =
      Map.of(
          Codecs.FLOAT, Order.FLOATING,
          Codecs.DOUBLE, Order.FLOATING,
          Codecs.ZONE_OFFSET, Order.DESCENDING);

  private static final Map<Codec<?>, OrderedCodec<?>> BYTES = new HashMap<>();

  static {
    add(
        new OrderedScalar<>(
            Codecs.STRING, OrderedBytes::writeText, OrderedBytes::readText, null, true));
    add(
        new OrderedScalar<byte[]>(
            Codecs.BYTES,
            (value, out) -> out.writeBytes(value, 0, value.length),
            in -> in.readBytes(in.remaining()),
            Arrays::compareUnsigned,
            true));
    add(Codecs.UUID, OrderedForms::write, OrderedForms::readUuid);
    add(Codecs.BIG_INTEGER, OrderedNumbers::write, OrderedNumbers::readInteger);
    add(Codecs.BIG_DECIMAL, OrderedNumbers::write, OrderedNumbers::readDecimal);
    add(Codecs.INSTANT, OrderedTimes::write, OrderedTimes::readInstant);
    add(Codecs.DURATION, OrderedTimes::write, OrderedTimes::readDuration);
    add(Codecs.LOCAL_DATE_TIME, OrderedTimes::write, OrderedTimes::readLocalDateTime);
    add(Codecs.OFFSET_DATE_TIME, OrderedTimes::write, OrderedTimes::readOffsetDateTime);
    add(Codecs.OFFSET_TIME, OrderedTimes::write, OrderedTimes::readOffsetTime);
    add(Codecs.ZONED_DATE_TIME, OrderedTimes::write, OrderedTimes::readZonedDateTime);
  }

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
      boolean ordered =
          codec instanceof EnumForm
              || codec instanceof OrderedCodec
              || codec.equals(BuiltIns.of(codec.name()));
      return ordered ? new OrderedWords<>(words, WORDS.getOrDefault(codec, Order.SIGNED)) : null;
    }
    return codec instanceof OrderedCodec ? codec : (Codec<T>) BYTES.get(codec);
  }

  /**
   * Whether the words of a codec, as signed numbers, have the natural order of its values. For
   * codecs of the JDK's types: those of the program's may change with its classes.
   */
  public static boolean hasSignedWords(Codec<?> codec) {
    return codec instanceof WordCodec
        && !WORDS.containsKey(codec)
        && codec.equals(BuiltIns.of(codec.name()));
  }

  private static <T> void add(
      Codec<T> plain, BiConsumer<T, CodecOutput> writer, Function<CodecInput, T> reader) {
    add(new OrderedScalar<>(plain, writer, reader, null, false));
  }

  private static void add(OrderedScalar<?> form) {
    BYTES.put(form.plain(), form);
  }

  private static void write(UUID value, CodecOutput out) {
    OrderedBytes.writeLong(value.getMostSignificantBits(), out);
    OrderedBytes.writeLong(value.getLeastSignificantBits(), out);
  }

  private static UUID readUuid(CodecInput in) {
    return new UUID(OrderedBytes.readLong(in), OrderedBytes.readLong(in));
  }
}
