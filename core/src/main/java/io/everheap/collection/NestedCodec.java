package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecRegistry;
import io.everheap.codec.WordCodec;
import io.everheap.collection.base.Damage;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.Reference;
import io.everheap.error.StaleReferenceException;
import java.util.List;

/**
 * The codec of values that are structures of the same heap: the word is the reference. A definition
 * has it unbound, and a handle bound to its heap. References of one structure are decoded to one
 * handle as long as that is in use.
 *
 * <p>Safe for use by many threads.
 *
 * @param <S> the structure
 */
public final class NestedCodec<S> implements WordCodec<S> {
  private final Definition<S> definition;
  private final String name;

  private NestedCodec(Definition<S> definition, String name) {
    this.definition = definition;
    this.name = name;
  }

  /** The codec for structures of a shape, not bound to a heap yet. */
  public static <S> Codec<S> of(Shape<S> shape, CodecRegistry codecs) {
    Definition<S> definition = shape.define(codecs);
    return new NestedCodec<>(definition, NestedType.of(definition).name());
  }

  /**
   * The codec as a handle uses it.
   *
   * @param codec of any kind
   * @return one that is bound to the heap, if it is one of structures; else itself
   */
  public static <T> Codec<T> bound(Codec<T> codec, Engine engine) {
    return codec instanceof NestedCodec<T> nested
        ? new Bound<>(engine, nested.definition, nested.name)
        : codec;
  }

  /**
   * Checks the names of codecs as {@link CodecRegistry#requireName} does, also those of nested
   * structures.
   */
  public static void requireNames(Definition<?> definition) {
    for (Codec<?> codec : definition.codecs()) {
      if (codec instanceof NestedCodec<?> nested) {
        requireNames(nested.definition);
      } else {
        CodecRegistry.requireName(codec);
      }
    }
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
  private static final class Bound<S> implements WordCodec<S> {
    private final Engine engine;
    private final Definition<S> definition;
    private final String name;
    private final HandleCache<S> handles = new HandleCache<>();

    Bound(Engine engine, Definition<S> definition, String name) {
      this.engine = engine;
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
    public long toWord(S value) {
      if (!(value instanceof Structure structure)) {
        throw new ClassCastException(value.getClass().getName() + " is no structure of a heap");
      }
      StructureId id = structure.id();
      if (id.engine() != engine) {
        throw new IllegalArgumentException(
            "a structure of the heap "
                + id.engine().location()
                + " cannot be a value in the heap "
                + engine.location());
      }
      requireType(id.reference());
      engine.transactions().storing(id.reference());
      return id.reference();
    }

    private void requireType(long reference) {
      StructureTypes stored = StructureTypes.of(engine, reference);
      StructureKind kind = stored.kind();
      List<Long> numbers = stored.numbers();
      TypeTable types = new TypeTable(engine);
      List<String> wanted = definition.types();
      boolean same = kind.equals(definition.kind());
      for (int i = 0; same && i < numbers.size(); i++) {
        same = types.find(wanted.get(i)) == numbers.get(i);
      }
      if (!same) {
        List<String> found = numbers.stream().map(types::name).toList();
        throw new IllegalArgumentException(
            "the value is a "
                + new NestedType(kind, found).name()
                + ", the values here are "
                + name);
      }
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
        return handles.put(word, definition.attach(engine, word));
      } catch (StaleReferenceException e) {
        return definition.dead(engine, word);
      }
    }
  }
}
