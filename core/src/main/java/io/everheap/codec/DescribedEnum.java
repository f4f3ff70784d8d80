package io.everheap.codec;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The bytes of {@link EnumCodec}, with the names of the constants in place of the constants. */
final class DescribedEnum implements WordCodec<String> {
  private final String type;
  private final List<Label> labels;
  private final String name;
  private final List<String> constants;
  private final Map<String, Integer> positions = new HashMap<>();

  /**
   * Creates the codec.
   *
   * @param type name of the enum
   * @param labels of the constants in the order in which they are stored
   */
  DescribedEnum(String type, List<Label> labels) {
    this.type = type;
    this.labels = List.copyOf(labels);
    this.constants = labels.stream().map(Label::name).toList();
    this.name =
        IntStream.range(0, labels.size())
            .mapToObj(i -> labels.get(i).text(i))
            .collect(Collectors.joining(",", "enum " + type + "(", ")"));
    for (int i = 0; i < constants.size(); i++) {
      positions.put(constants.get(i), i);
    }
  }

  /** Name of the enum. */
  String type() {
    return type;
  }

  /** Names and ids of the constants. */
  List<Label> labels() {
    return labels;
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
