package io.everheap.structure.cell;

import io.everheap.codec.WordCodec;
import io.everheap.engine.alloc.Reference;
import io.everheap.error.CorruptValueException;
import io.everheap.error.GoneException;
import io.everheap.structure.common.NestedNames;
import io.everheap.structure.common.NestedType;
import io.everheap.structure.common.ObjectReferences;
import io.everheap.structure.common.StructureContext;
import java.util.Locale;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Stands for the codec of nested structures while a heap is checked: a reference decodes if it
 * leads to a structure of the right kind and types, which it then passes on, or to one that is
 * gone. The caller keeps writers out.
 */
public final class ReferenceCheck implements WordCodec<Object> {
  private final StructureContext heap;
  private final NestedType type;
  private final LongFunction<@Nullable String> typeNames;
  private final LongConsumer found;

  /**
   * A check.
   *
   * @param type that the structures must have
   * @param typeNames the name of a type by its number; null if there is none
   * @param found is passed the references that decode
   */
  public ReferenceCheck(
      StructureContext heap,
      NestedType type,
      LongFunction<@Nullable String> typeNames,
      LongConsumer found) {
    this.heap = heap;
    this.type = type;
    this.typeNames = typeNames;
    this.found = found;
  }

  @Override
  public String name() {
    return type.name();
  }

  @Override
  public boolean canonical() {
    return false;
  }

  @Override
  public long toWord(Object value) {
    throw new UnsupportedOperationException("a check stores nothing");
  }

  @Override
  public Object fromWord(long word) {
    int header;
    try {
      header = heap.allocator().type(word);
    } catch (GoneException e) {
      return new ObjectReferences.Gone(
          "the " + type.kind().name() + " at " + Reference.describe(word) + " is gone");
    }
    if (!type.kind().isHeader(header)) {
      throw mismatch(word, "a block of type " + header);
    }
    long[] numbers = type.kind().types(heap, word);
    for (int i = 0; i < numbers.length; i++) {
      String name = typeNames.apply(numbers[i]);
      if (!NestedNames.isRelated(type.types().get(i), name)) {
        throw mismatch(word, "a " + type.kind().name() + " with the type " + name);
      }
    }
    found.accept(word);
    return name();
  }

  private CorruptValueException mismatch(long word, String there) {
    return new CorruptValueException(
        String.format(
            Locale.ROOT,
            "the reference %s to a %s leads to %s",
            Reference.describe(word),
            type.name(),
            there));
  }
}
