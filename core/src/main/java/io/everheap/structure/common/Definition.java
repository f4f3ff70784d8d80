package io.everheap.structure.common;

import io.everheap.codec.Codec;
import io.everheap.codec.evolution.CodecEvolution;
import io.everheap.collection.Shape;
import io.everheap.error.CorruptException;
import io.everheap.error.GoneException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Shape} whose codecs are known: what its kind makes or opens. Immutable. For use by the
 * heap.
 *
 * @param kind of the structure
 * @param codecs of the parts that have one, in their order; those of values read all versions of
 *     their type
 * @param otherTypes names of the types of the other parts, which follow
 * @param option what else the kind asks for: a capacity, an order, a length
 * @param <S> the structure
 */
@SuppressWarnings("UnusedTypeParameter") // of the handles
public record Definition<S>(
    StructureKind kind, List<Codec<?>> codecs, List<String> otherTypes, @Nullable Object option) {

  /** Lets the codecs of values read all versions. */
  public Definition {
    List<Codec<?>> versioned = new ArrayList<>();
    for (int i = 0; i < codecs.size(); i++) {
      Codec<?> codec = codecs.get(i);
      boolean plain = kind.isKey(i) || !kind.canChange();
      versioned.add(plain ? codec : CodecEvolution.versioned(codec));
    }
    codecs = List.copyOf(versioned);
    otherTypes = List.copyOf(otherTypes);
  }

  /**
   * The same with other codecs for values of the same Java types.
   *
   * @param others as many as there are
   */
  Definition<S> with(List<Codec<?>> others) {
    return new Definition<>(kind, others, otherTypes, option);
  }

  /** The codec of a part that has one. */
  @SuppressWarnings("unchecked") // the kind knows the types
  public <T> Codec<T> codec(int part) {
    return (Codec<T>) codecs.get(part);
  }

  /** The option of a kind that has one. */
  public <T> T option(Class<T> type) {
    return type.cast(Objects.requireNonNull(option));
  }

  /** Names of the types of all parts, in their order. */
  public List<String> types() {
    List<String> types = new ArrayList<>();
    codecs.forEach(codec -> types.add(codec.name()));
    types.addAll(otherTypes);
    return types;
  }

  /**
   * Whether a part of a structure that has this stored type can be used as the one of {@link
   * #types}.
   */
  boolean reads(int part, String stored) {
    return kind.reads(this, part, stored);
  }

  /**
   * Makes an empty structure in the running transaction, or in one of its own.
   *
   * @param types numbers of {@link #types}, to be kept in its header
   * @return its reference
   */
  public long create(StructureContext heap, long[] types) {
    return heap.transactions().call(() -> kind.create(heap, this, types));
  }

  /**
   * Makes a handle to a structure of this kind and these types.
   *
   * @throws GoneException if there is no such structure
   * @throws CorruptException if it does not fit the codecs
   */
  @SuppressWarnings("unchecked") // the kind makes such handles
  public S attach(StructureContext heap, long reference) {
    return (S) kind.attach(heap, this, reference);
  }

  /**
   * Makes a handle to a structure that was freed while an entry still named it. Every method of it
   * throws {@link GoneException}; the entry can be removed or replaced.
   *
   * @throws GoneException if this kind of structure has no such handles
   */
  @SuppressWarnings("unchecked") // the kind makes such handles
  S dead(StructureContext heap, long reference) {
    return (S) kind.dead(heap, this, reference);
  }
}
