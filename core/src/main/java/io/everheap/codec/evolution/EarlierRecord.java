package io.everheap.codec.evolution;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.codec.composite.CompositeCodec;
import io.everheap.codec.composite.RecordCodec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads records that an earlier version of their class wrote. It writes none. */
final class EarlierRecord<R> extends CompositeCodec<R> {
  private final RecordCodec<R> present;
  private final boolean[] primitive;
  private final List<Component> components = new ArrayList<>();

  /** A stored component; {@code target} is -1 if the class does not have it any more. */
  private record Component(boolean nullable, int target, Codec<?> codec) {}

  /** Creates a codec whose components are still missing. */
  EarlierRecord(RecordCodec<R> present) {
    super("earlier");
    this.present = present;
    this.primitive = new boolean[present.components().size()];
    for (int i = 0; i < primitive.length; i++) {
      primitive[i] = !present.components().get(i).nullable();
    }
  }

  void add(boolean nullable, int target, Codec<?> codec) {
    components.add(new Component(nullable, target, codec));
  }

  @Override
  protected void encode(R value, CodecOutput out) {
    throw new UnsupportedOperationException("values are written in their present form");
  }

  @Override
  protected R decode(CodecInput in) {
    long[] words = new long[primitive.length];
    @Nullable Object[] objects = new Object[primitive.length];
    for (Component component : components) {
      Object value = !component.nullable || in.readBoolean() ? component.codec.read(in) : null;
      int target = component.target;
      if (target >= 0 && primitive[target]) {
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
