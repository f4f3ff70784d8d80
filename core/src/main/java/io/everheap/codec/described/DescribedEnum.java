package io.everheap.codec.described;

import io.everheap.codec.composite.EnumForm;
import io.everheap.codec.composite.Label;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A codec of the constants of an enum, represented by their names. */
public final class DescribedEnum extends EnumForm<String> implements DescribedType {
  private final Map<String, Integer> positions = new HashMap<>();

  /**
   * Creates the codec.
   *
   * @param type name of the enum
   * @param labels of the constants in the order in which they are stored
   */
  public DescribedEnum(String type, List<Label> labels) {
    super(type, labels, labels.stream().map(Label::name).toList());
    for (int i = 0; i < labels.size(); i++) {
      positions.put(labels.get(i).name(), i);
    }
  }

  @Override
  public long toWord(String value) {
    Integer position = positions.get(value);
    if (position == null) {
      throw new IllegalArgumentException(value + " is not a constant of " + name());
    }
    return position;
  }
}
