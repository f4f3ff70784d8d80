package io.everheap.structure.common;

import io.everheap.codec.Codec;
import io.everheap.codec.composite.CodecNames;
import io.everheap.codec.evolution.CodecEvolution;
import io.everheap.codec.reference.StructureCodec;
import io.everheap.collection.Structure;
import io.everheap.engine.alloc.Reference;
import io.everheap.error.GoneException;
import io.everheap.error.SchemaMismatchException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The codec of values that are structures of the same heap: the word is the reference. A definition
 * has it unbound, and a handle bound to its heap. References of one structure are decoded to one
 * handle as long as that is in use.
 *
 * <p>Safe for use by many threads.
 *
 * @param <S> the structure
 */
public final class NestedCodec<S> implements StructureCodec<S> {
  private final StructureContext.Kinds kinds;
  private final Definition<S> definition;
  private final String name;

  private NestedCodec(StructureContext.Kinds kinds, Definition<S> definition, String name) {
    this.kinds = kinds;
    this.definition = definition;
    this.name = name;
  }

  /** The codec for structures of a definition, not bound to a heap yet. */
  public static <S> Codec<S> of(Definition<S> definition, StructureContext.Kinds kinds) {
    return new NestedCodec<>(kinds, definition, NestedType.of(definition).name());
  }

  /** Whether structures of a definition may have types of other versions of the program. */
  private static boolean canChange(Definition<?> definition) {
    return definition.codecs().stream()
        .anyMatch(
            codec ->
                codec instanceof NestedCodec<?> nested
                    ? canChange(nested.definition)
                    : CodecEvolution.canChange(codec));
  }

  /**
   * The codec as a handle uses it.
   *
   * @param codec of any kind
   * @return one that is bound to the heap, if it is one of structures; else itself
   */
  public static <T> Codec<T> bound(Codec<T> codec, StructureContext heap) {
    return codec instanceof NestedCodec<T> nested
        ? new Bound<>(heap, nested.definition, nested.name)
        : codec;
  }

  /**
   * Checks that codecs have names as {@link Codec#name()} demands, also those of nested structures.
   */
  public static void requireNames(Definition<?> definition) {
    for (Codec<?> codec : definition.codecs()) {
      if (codec instanceof NestedCodec<?> nested) {
        requireNames(nested.definition);
      } else {
        CodecNames.require(codec);
      }
    }
  }

  @Override
  public List<String> differences(String stored) {
    return differences(kinds, definition, name, stored);
  }

  private static List<String> differences(
      StructureContext.Kinds kinds, Definition<?> definition, String name, String stored) {
    NestedType type = NestedNames.isNested(stored) ? NestedType.parse(stored, kinds) : null;
    List<String> differences = new ArrayList<>();
    if (type == null || !type.kind().equals(definition.kind())) {
      differences.add("stored " + stored + ", wanted " + name);
      return differences;
    }
    int coded = 0;
    for (int i = 0; i < type.types().size(); i++) {
      String part = type.types().get(i);
      boolean hasCodec = type.kind().parts().get(i).codec();
      Codec<?> codec = hasCodec ? definition.codecs().get(coded++) : null;
      if (!definition.reads(i, part)) {
        if (codec == null || !(codec instanceof NestedCodec || CodecEvolution.canChange(codec))) {
          differences.add("stored " + part + ", wanted " + definition.types().get(i));
        } else {
          differences.addAll(Binding.evolution(type.kind(), i, part, codec).differences());
        }
      }
    }
    return differences;
  }

  @Override
  public String name() {
    return name;
  }

  /** Equal contents are no reason to find one structure in place of another: it is no key. */
  @Override
  public boolean canonical() {
    return false;
  }

  @Override
  public long toWord(S value) {
    throw unbound();
  }

  @Override
  public S fromWord(long word) {
    throw unbound();
  }

  private static IllegalStateException unbound() {
    return new IllegalStateException("a codec of structures that is bound to no heap");
  }

  /** The codec as a handle uses it. */
  private static final class Bound<S> implements StructureCodec<S> {
    private final StructureContext heap;
    private final Definition<S> definition;
    private final String name;
    private final boolean changes;
    private final Binding binding;
    private final HandleCache<S> handles = new HandleCache<>();

    Bound(StructureContext heap, Definition<S> definition, String name) {
      this.heap = heap;
      this.changes = canChange(definition);
      this.binding = new Binding(heap, heap.types());
      this.definition = definition;
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public boolean canonical() {
      return false;
    }

    @Override
    public List<String> differences(String stored) {
      return NestedCodec.differences(heap.kinds(), definition, name, stored);
    }

    @Override
    public long toWord(S value) {
      if (!(value instanceof Structure structure)) {
        throw new ClassCastException(value.getClass().getName() + " is no structure of a heap");
      }
      HeapStructureId id = HeapStructureId.of(structure);
      if (!id.heap().equals(heap)) {
        throw new IllegalArgumentException(
            "a structure of the heap "
                + id.heap().location()
                + " cannot be a value in the heap "
                + heap.location());
      }
      requireType(id.reference());
      heap.transactions().storing(id.reference());
      return id.reference();
    }

    private void requireType(long reference) {
      StructureTypes stored = StructureTypes.of(heap, reference);
      StructureKind kind = stored.kind();
      List<Long> found = stored.numbers();
      if (!kind.equals(definition.kind())) {
        throw other(kind, found, null);
      }
      if (!isSame(found)) {
        try {
          bind(reference, found);
        } catch (SchemaMismatchException e) {
          throw other(kind, found, e);
        }
      }
    }

    private IllegalArgumentException other(
        StructureKind kind, List<Long> numbers, @Nullable Exception cause) {
      List<String> found = numbers.stream().map(heap.types()::name).toList();
      return new IllegalArgumentException(
          "the value is a " + new NestedType(kind, found).name() + ", the values here are " + name,
          cause);
    }

    /** Whether a structure has just the types of the definition. */
    private boolean isSame(List<Long> numbers) {
      StructureContext.Types types = heap.types();
      List<String> wanted = definition.types();
      for (int i = 0; i < numbers.size(); i++) {
        if (types.find(wanted.get(i)) != numbers.get(i)) {
          return false;
        }
      }
      return true;
    }

    private Definition<S> bind(long reference, List<Long> numbers) {
      return binding.bind("(within " + name + ")", reference, definition, numbers);
    }

    /** Its types may be those of another version of the program than made what holds it. */
    private S attach(long reference) {
      if (!changes) {
        return definition.attach(heap, reference);
      }
      List<Long> numbers = StructureTypes.of(heap, reference).numbers();
      Definition<S> bound = isSame(numbers) ? definition : bind(reference, numbers);
      return bound.attach(heap, reference);
    }

    @Override
    public S fromWord(long word) {
      S known = handles.get(word);
      if (known != null) {
        return known;
      }
      if (word == Reference.NULL) {
        throw Damage.at(0, "a reference to a nested structure is zero");
      }
      try {
        return handles.put(word, attach(word));
      } catch (GoneException e) {
        return definition.dead(heap, word);
      }
    }
  }
}
