package io.everheap.codec;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads constants that an earlier version of their enum wrote. */
final class EarlierEnum<E> extends EarlierForm<E> {
  private final String name;
  private final List<@Nullable E> constants;

  /**
   * Creates the codec.
   *
   * @param constants in their stored order
   */
  EarlierEnum(String name, List<E> constants) {
    this.name = name;
    this.constants = List.copyOf(constants);
  }

  @Override
  E decode(CodecInput in) {
    long word = in.readVarLong();
    if (word < 0 || word >= constants.size()) {
      throw WordCodecs.noValue(name, word);
    }
    return constants.get((int) word);
  }
}
