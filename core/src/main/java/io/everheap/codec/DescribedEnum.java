package io.everheap.codec;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The bytes of {@link EnumCodec}, with the names of the constants in place of the constants. */
final class DescribedEnum implements WordCodec<String> {
  private final String name;
  private final List<String> constants;
  private final Map<String, Integer> positions = new HashMap<>();

  /**
   * Creates the codec.
   *
   * @param type name of the enum
   * @param constants in the order in which they are stored
   */
  DescribedEnum(String type, List<String> constants) {
    this.name = "enum " + type + "(" + String.join(",", constants) + ")";
    this.constants = List.copyOf(constants);
    for (int i = 0; i < constants.size(); i++) {
      positions.put(constants.get(i), i);
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long toWord(String value) {
    Integer position = positions.get(value);
    if (position == null) {
      throw new IllegalArgumentException(value + " is no constant of " + name);
    }
    return position;
  }

  @Override
  public String fromWord(long word) {
    if (word < 0 || word >= constants.size()) {
      throw WordCodecs.noValue(name, word);
    }
    return constants.get((int) word);
  }

  @Override
  public void write(String value, CodecOutput out) {
    out.writeVarLong(toWord(value));
  }

  @Override
  public String read(CodecInput in) {
    return fromWord(in.readVarLong());
  }

  @Override
  public String toString() {
    return name;
  }
}
