package io.everheap.codec.composite;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** The constants of an enum of the program. */
public final class EnumCodec<E extends Enum<E>> extends EnumForm<E> implements DeclaredType {
  private final Class<E> type;
  private final int[] positions;

  /** Constants have the positions that they have in the enum. */
  public EnumCodec(Class<E> type) {
    this(type, List.of(type.getEnumConstants()));
  }

  /**
   * Creates a codec.
   *
   * @param constants of the enum, in the order of their positions; all of them, unless it only
   *     reads
   */
  @SuppressWarnings("EnumOrdinal") // it never leaves the process
  public EnumCodec(Class<E> type, List<E> constants) {
    super(
        type.getName(),
        IntStream.range(0, constants.size())
            .mapToObj(i -> new Label(constants.get(i).name(), List.of(), i + 1))
            .toList(),
        constants);
    this.type = type;
    this.positions = new int[type.getEnumConstants().length];
    for (int i = 0; i < constants.size(); i++) {
      positions[constants.get(i).ordinal()] = i;
    }
  }

  @Override
  public Class<E> declaration() {
    return type;
  }

  @Override
  public List<Member> members() {
    List<Member> members = new ArrayList<>();
    for (E constant : constants()) {
      try {
        Field field = type.getDeclaredField(constant.name());
        members.add(new Member(constant.name(), DeclaredType.formerly(field), List.of()));
      } catch (NoSuchFieldException e) {
        throw new AssertionError(constant.name(), e);
      }
    }
    return members;
  }

  @Override
  @SuppressWarnings("EnumOrdinal") // its meaning is in the name, so a change is noticed
  public long toWord(E value) {
    if (value.getDeclaringClass() != type) {
      throw new ClassCastException(value.getDeclaringClass() + " is not " + type);
    }
    return positions[value.ordinal()];
  }
}
