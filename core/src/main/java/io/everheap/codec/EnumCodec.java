package io.everheap.codec;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The position of an enum constant in the list that is in the codec's name. */
final class EnumCodec<E extends Enum<E>> implements WordCodec<E> {
  private final Class<E> type;
  private final List<E> constants;
  private final int[] positions;
  private final String name;

  /** Constants have the positions that they have in the enum. */
  EnumCodec(Class<E> type) {
    this(type, List.of(type.getEnumConstants()));
  }

  /**
   * Creates a codec.
   *
   * @param constants all of the enum, in the order of their positions
   */
  @SuppressWarnings("EnumOrdinal") // it never leaves the process
  EnumCodec(Class<E> type, List<E> constants) {
    this.type = type;
    this.constants = List.copyOf(constants);
    this.positions = new int[constants.size()];
    for (int i = 0; i < positions.length; i++) {
      positions[constants.get(i).ordinal()] = i;
    }
    name =
        constants.stream()
            .map(Enum::name)
            .collect(Collectors.joining(",", "enum " + type.getName() + "(", ")"));
  }

  /** The enum. */
  Class<E> type() {
    return type;
  }

  /** The constants in the order of their positions. */
  List<E> constants() {
    return constants;
  }

  /** What the constants are called, and were before. */
  List<Label.Wanted> members() {
    List<Label.Wanted> members = new ArrayList<>();
    for (E constant : constants) {
      try {
        Field field = type.getDeclaredField(constant.name());
        members.add(new Label.Wanted(constant.name(), Label.formerly(field)));
      } catch (NoSuchFieldException e) {
        throw new AssertionError(constant.name(), e);
      }
    }
    return members;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  @SuppressWarnings("EnumOrdinal") // its meaning is in the name, so a change is noticed
  public long toWord(E value) {
    if (value.getDeclaringClass() != type) {
      throw new ClassCastException(value.getDeclaringClass() + " is not " + type);
    }
    return positions[value.ordinal()];
  }

  @Override
  public E fromWord(long word) {
    if (word < 0 || word >= positions.length) {
      throw WordCodecs.noValue(name, word);
    }
    return constants.get((int) word);
  }

  @Override
  public void write(E value, CodecOutput out) {
    out.writeVarLong(toWord(value));
  }

  @Override
  public E read(CodecInput in) {
    return fromWord(in.readVarLong());
  }

  @Override
  public String toString() {
    return name;
  }
}
