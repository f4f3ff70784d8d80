package io.everheap.codec;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads records that an earlier version of their class wrote. */
final class EarlierRecord<R> extends EarlierForm<R> {
  private final RecordCodec<R> present;
  private final List<Component> components = new ArrayList<>();

  /** A stored component; {@code target} is -1 if the class does not have it any more. */
  private record Component(boolean nullable, int target, Codec<?> codec) {}

  /** Creates a codec whose components are still missing. */
  EarlierRecord(RecordCodec<R> present) {
    this.present = present;
  }

  void add(boolean nullable, int target, Codec<?> codec) {
    components.add(new Component(nullable, target, codec));
  }

  @Override
  R decode(CodecInput in) {
    long[] words = new long[present.size()];
    @Nullable Object[] objects = new Object[present.size()];
    for (Component component : components) {
      Object value = !component.nullable || in.readBoolean() ? component.codec.read(in) : null;
      int target = component.target;
      if (target >= 0 && present.isPrimitive(target)) {
        words[target] = word(value);
      } else if (target >= 0) {
        objects[target] = value;
      }
    }
    return present.create(words, objects);
  }

  private static long word(@Nullable Object value) {
    return switch (value) {
      case Boolean flag -> flag ? 1 : 0;
      case Character character -> character;
      case Float number -> Float.floatToIntBits(number);
      case Double number -> Double.doubleToLongBits(number);
      case Number number -> number.longValue();
      case null, default -> throw new AssertionError(value);
    };
  }
}
