package io.everheap.structure.common;

import io.everheap.codec.Codec;
import io.everheap.codec.WordCodec;
import io.everheap.codec.described.DescribedCodecs;
import io.everheap.collection.Shape;
import io.everheap.collection.Structure;
import io.everheap.collection.Undecodable;
import io.everheap.engine.alloc.Reference;
import io.everheap.error.GoneException;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Spliterators;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * A kind of structure that can be a root: how its structures are made and opened, and what a heap
 * and its tools must know of them without the classes of the program. Each kind is one stateless
 * object, which {@code Structures} lists; a structure's kind is found by the type of the block that
 * references to it lead to.
 *
 * <p>For use by the library; programs use {@link Shape}.
 */
public abstract class StructureKind {
  private final String name;
  private final int headerType;
  private final List<Part> parts;
  private final int coded; // parts that have codecs

  /**
   * Something that a structure holds, with a type of its own in the heap's type table.
   *
   * @param name what it is: {@code key}, {@code value}, {@code element}, {@code order}
   * @param codec whether the type is a codec's name; otherwise it is only compared, such as the
   *     identity of a comparator
   */
  public record Part(String name, boolean codec) {}

  /**
   * A kind.
   *
   * @param name stays the same across releases; tools show it
   * @param headerType type of the block that a reference to such a structure leads to
   * @param parts what it holds, in a fixed order: first the parts that have codecs
   */
  protected StructureKind(String name, int headerType, Part... parts) {
    this.name = name;
    this.headerType = headerType;
    this.parts = List.of(parts);
    int coded = 0;
    for (Part part : parts) {
      coded += part.codec() ? 1 : 0;
    }
    this.coded = coded;
  }

  /** What people call it: {@code map}. */
  public final String name() {
    return name;
  }

  /** Type of the block that a reference to such a structure leads to. */
  public final int headerType() {
    return headerType;
  }

  /** Whether blocks of this type are headers of such structures. */
  public boolean isHeader(int type) {
    return type == headerType;
  }

  /** What it holds, in a fixed order: first the parts that have codecs. */
  public final List<Part> parts() {
    return parts;
  }

  // ---- Making and opening structures ----------------------------------------------------------

  /**
   * What a shape of this kind stands for.
   *
   * @throws io.everheap.error.UnsupportedTypeException if a class has no codec
   * @throws IllegalArgumentException if the parts are not those of this kind
   */
  public Definition<?> define(ShapeParts shape) {
    return define(shape, null);
  }

  /** What a shape stands for that begins with the codecs of all parts of this kind. */
  protected final Definition<?> define(ShapeParts shape, @Nullable Object option) {
    List<Codec<?>> codecs = new ArrayList<>();
    for (int i = 0; i < coded; i++) {
      codecs.add(isKey(i) ? shape.plainCodec(i) : shape.codec(i));
    }
    return new Definition<>(this, codecs, List.of(), option);
  }

  /** Makes an empty structure in the running transaction: see {@link Definition#create}. */
  protected abstract long create(StructureContext heap, Definition<?> definition, long[] types);

  /** Makes a handle: see {@link Definition#attach}. */
  protected abstract Object attach(StructureContext heap, Definition<?> definition, long reference);

  /** Makes a handle to what was freed: see {@link Definition#dead}. */
  protected Object dead(StructureContext heap, Definition<?> definition, long reference) {
    throw GoneException.reference(
        "the structure at " + Reference.describe(reference) + " was freed");
  }

  /**
   * Whether a part of a structure that has this stored type can be used as that of a definition.
   */
  protected boolean reads(Definition<?> definition, int part, String stored) {
    return definition.types().get(part).equals(stored);
  }

  /**
   * Frees a structure and all that it holds, in the running transaction or one of its own; the
   * blocks of a large one in the background, also after a crash.
   *
   * @throws GoneException if there is no such structure
   */
  public final void destroy(StructureContext heap, long reference) {
    heap.transactions().run(() -> free(heap, reference));
  }

  /** Frees a structure in the running transaction: see {@link #destroy}. */
  protected abstract void free(StructureContext heap, long reference);

  // ---- What it holds --------------------------------------------------------------------------

  /** Whether its entries have keys of their own; otherwise they have positions. */
  public boolean hasKeys() {
    return !parts.isEmpty() && parts.getFirst().name().equals("key");
  }

  /**
   * Numbers of its types in the type table, in the order of the parts. The caller keeps writers
   * out, or validates that no commit was applied meanwhile.
   *
   * @throws io.everheap.error.GoneException if there is no such structure
   * @throws io.everheap.error.CorruptException if its header is damaged
   */
  public abstract long[] types(StructureContext heap, long reference);

  /** Where the number of the type of a part stands in the header, from the address of its block. */
  public int typeOffset(int part) {
    return 8 + 8 * part;
  }

  /** Whether entries are found by a part, so that it must keep its encoded form. */
  public boolean isKey(int part) {
    return parts.get(part).name().equals("key");
  }

  /** Whether the types of its parts may be those of another version of the program. */
  public boolean canChange() {
    return true;
  }

  /** Whether entries are in the order of their keys. */
  public boolean isOrdered() {
    return false;
  }

  /**
   * Whether each of the parts that have codecs is kept as words, not as bytes: for tools that copy
   * what they cannot decode. The caller keeps writers out.
   *
   * @param types names of the types of all parts, null for those that are not known
   * @throws io.everheap.error.UnsupportedTypeException if that is not known
   */
  public boolean[] words(StructureContext heap, long reference, List<@Nullable String> types) {
    boolean[] words = new boolean[coded];
    for (int i = 0; i < coded; i++) {
      String type = Objects.requireNonNullElse(types.get(i), "lost");
      words[i] = NestedNames.isNested(type) || DescribedCodecs.of(type) instanceof WordCodec;
    }
    return words;
  }

  /**
   * How many entries or elements it has, whatever their types are.
   *
   * @throws io.everheap.error.GoneException if there is no such structure
   */
  public abstract long size(StructureContext heap, long reference);

  /**
   * How many entries its header claims, whatever else is damaged. The caller keeps writers out.
   *
   * @return -1 if it does not say; then it is as many as a check counts
   * @throws io.everheap.error.GoneException if there is no such structure
   */
  public long count(StructureContext heap, long reference) {
    return size(heap, reference);
  }

  // ---- Tools ----------------------------------------------------------------------------------

  /**
   * What makes an empty structure that takes raw entries of another one.
   *
   * @throws UnsupportedOperationException if such structures cannot be copied
   */
  public Definition<?> copyDefinition(Original original) {
    return copyDefinition(original, null);
  }

  /** The definition of a copy with this option. */
  protected final Definition<?> copyDefinition(Original original, @Nullable Object option) {
    List<Codec<?>> codecs = new ArrayList<>();
    for (int i = 0; i < coded; i++) {
      codecs.add(original.raw(i));
    }
    List<String> others = original.types().subList(coded, parts.size());
    return new Definition<>(this, codecs, others, option);
  }

  /**
   * Opens what a {@link #copyDefinition} made.
   *
   * @param heap the heap of the copy
   * @param reference of the copy
   * @param original what is copied
   */
  public StructureCopy openCopy(StructureContext heap, long reference, Original original) {
    throw new UnsupportedOperationException("a " + name + " cannot be copied");
  }

  /**
   * What it holds, for tools: the entries of a map; index and element of a list. Weakly consistent.
   *
   * @param codecs of its parts that have codecs
   */
  public abstract Stream<Map.Entry<Object, Object>> entries(
      StructureContext heap, long reference, List<Codec<Object>> codecs);

  /**
   * Iterates over its entries that the codecs do not decode, for tools: see {@link
   * Structure#undecodable}. The iterator's {@code remove} throws {@link
   * UnsupportedOperationException} if only the program can remove an entry.
   *
   * @param codecs of its parts that have codecs
   * @return empty by default, for kinds whose contents are no values of a codec
   */
  public Iterator<Undecodable> undecodable(
      StructureContext heap, long reference, List<Codec<Object>> codecs) {
    return Collections.emptyIterator();
  }

  /** Elements with their positions, from 0 on. */
  protected static Stream<Map.Entry<Object, Object>> numbered(Iterator<Object> elements) {
    AtomicLong position = new AtomicLong();
    return StreamSupport.stream(Spliterators.spliteratorUnknownSize(elements, 0), false)
        .map(element -> new SimpleImmutableEntry<>(position.getAndIncrement(), element));
  }

  /**
   * Checks it block by block. The caller keeps writers out. The heap may be damaged in any way:
   * whatever is wrong goes to the findings, and what can still be reached is checked.
   *
   * @param codecs of its parts that have codecs; null for those that need not decode
   */
  public abstract void verify(
      StructureContext heap,
      long reference,
      List<@Nullable Codec<?>> codecs,
      StructureFindings findings);
}
