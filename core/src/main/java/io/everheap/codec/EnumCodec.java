package io.everheap.codec;

import java.util.Arrays;
import java.util.stream.Collectors;

/** The position of an enum constant in the list that is in the codec's name. */
final class EnumCodec<E extends Enum<E>> implements WordCodec<E> {
  private final Class<E> type;
  private final E[] constants;
  private final String name;

  EnumCodec(Class<E> type) {
    this.type = type;
    constants = type.getEnumConstants();
    name =
        Arrays.stream(constants)
            .map(Enum::name)
            .collect(Collectors.joining(",", "enum " + type.getName() + "(", ")"));
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
    return value.ordinal();
  }

  @Override
  public E fromWord(long word) {
    if (word < 0 || word >= constants.length) {
      throw WordCodecs.noValue(name, word);
    }
    return constants[(int) word];
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
