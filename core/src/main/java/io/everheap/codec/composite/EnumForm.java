package io.everheap.codec.composite;

import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.codec.WordCodec;
import io.everheap.error.CorruptValueException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A codec of the constants of an enum: the position of the constant in the list that is in the
 * codec's name, as a word or as LEB128.
 *
 * @param <T> the type that represents a constant
 */
public abstract class EnumForm<T> implements WordCodec<T> {
  private final String type;
  private final List<Label> labels;
  private final List<T> constants;
  private final String name;

  /**
   * Creates a codec.
   *
   * @param type name of the enum
   * @param labels of the constants, in the order of their positions
   * @param constants their representations, in the same order
   */
  protected EnumForm(String type, List<Label> labels, List<T> constants) {
    this.type = type;
    this.labels = List.copyOf(labels);
    this.constants = List.copyOf(constants);
    name =
        IntStream.range(0, labels.size())
            .mapToObj(i -> labels.get(i).text(i))
            .collect(Collectors.joining(",", "enum " + type + "(", ")"));
  }

  /** Name of the enum. */
  public final String type() {
    return type;
  }

  /** Names and ids of the constants. */
  public final List<Label> labels() {
    return labels;
  }

  /** The representations of the constants, in the order of their positions. */
  public final List<T> constants() {
    return constants;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final T fromWord(long word) {
    if (word < 0 || word >= constants.size()) {
      throw new CorruptValueException("no value of type " + name + " is stored as this word");
    }
    return constants.get((int) word);
  }

  @Override
  public final void write(T value, CodecOutput out) {
    out.writeVarLong(toWord(value));
  }

  @Override
  public final T read(CodecInput in) {
    return fromWord(in.readVarLong());
  }

  @Override
  public final String toString() {
    return name;
  }
}
