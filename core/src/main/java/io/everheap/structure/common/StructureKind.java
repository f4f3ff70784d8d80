package io.everheap.structure.common;

import io.everheap.codec.Codec;
import io.everheap.codec.WordCodec;
import io.everheap.codec.described.DescribedCodecs;
import io.everheap.collection.Shape;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A kind of structure that can be a root: what a heap and its tools must know of it without the
 * classes of the program that made it. Each is one stateless object in {@link StructureKinds},
 * found by the type of the block that references to such structures lead to.
 *
 * <p>For use by the library; programs use {@link Shape}.
 */
public interface StructureKind {
  /**
   * Something that a structure holds, with a type of its own in the heap's type table.
   *
   * @param name what it is: {@code key}, {@code value}, {@code element}, {@code order}
   * @param codec whether the type is a codec's name; otherwise it is only compared, such as the
   *     identity of a comparator
   */
  record Part(String name, boolean codec) {}

  /** What people call it: {@code map}. It stays the same across releases; tools show it. */
  String name();

  /**
   * What a shape of this kind stands for.
   *
   * @throws io.everheap.error.UnsupportedTypeException if a class has no codec
   * @throws IllegalArgumentException if the parts are not those of this kind
   */
  default Definition<?> define(ShapeParts parts) {
    throw new IllegalArgumentException("a " + name() + " has no shapes");
  }

  /** Whether its entries have keys of their own; otherwise they have positions. */
  default boolean hasKeys() {
    return !parts().isEmpty() && parts().getFirst().name().equals("key");
  }

  /** Type of the block that a reference to such a structure leads to. */
  int headerType();

  /** What it holds, in a fixed order. */
  List<Part> parts();

  /**
   * Numbers of its types in the type table, in the order of the parts. The caller keeps writers
   * out, or validates that no commit was applied meanwhile.
   *
   * @throws io.everheap.error.StaleReferenceException if there is no such structure
   * @throws io.everheap.error.CorruptHeapException if its header is damaged
   */
  long[] types(StructureContext heap, long reference);

  /** Where the number of the type of a part stands in the header, from the address of its block. */
  default int typeOffset(int part) {
    return 8 + 8 * part;
  }

  /** Whether entries are found by a part, so that it must keep its encoded form. */
  default boolean isKey(int part) {
    return parts().get(part).name().equals("key");
  }

  /** Whether the types of its parts may be those of another version of the program. */
  default boolean canChange() {
    return true;
  }

  /** Whether entries are in the order of their keys. */
  default boolean isOrdered() {
    return false;
  }

  /**
   * Whether each of the parts that have codecs is kept as words, not as bytes: for tools that copy
   * what they cannot decode. The caller keeps writers out.
   *
   * @param types names of the types of all parts, null for those that are not known
   * @throws io.everheap.error.UnsupportedTypeException if that cannot be told
   */
  default boolean[] words(StructureContext heap, long reference, List<@Nullable String> types) {
    List<Part> parts = parts();
    boolean[] words = new boolean[(int) parts.stream().filter(Part::codec).count()];
    int next = 0;
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i).codec()) {
        String type = Objects.requireNonNullElse(types.get(i), "lost");
        words[next++] = NestedNames.isNested(type) || DescribedCodecs.of(type) instanceof WordCodec;
      }
    }
    return words;
  }

  /**
   * How many entries or elements it has, whatever their types are.
   *
   * @throws io.everheap.error.StaleReferenceException if there is no such structure
   */
  long size(StructureContext heap, long reference);

  /**
   * How many entries its header claims, whatever else is damaged. The caller keeps writers out.
   *
   * @return -1 if it does not say; then it is as many as a check counts
   * @throws io.everheap.error.StaleReferenceException if there is no such structure
   */
  default long count(StructureContext heap, long reference) {
    return size(heap, reference);
  }

  /**
   * What makes an empty structure that takes raw entries of another one.
   *
   * @throws UnsupportedOperationException if such structures cannot be copied
   */
  default Definition<?> copyDefinition(Original original) {
    throw new UnsupportedOperationException("a " + name() + " cannot be copied");
  }

  /**
   * Opens what a {@link #copyDefinition} made.
   *
   * @param heap the heap of the copy
   * @param reference of the copy
   * @param original what is copied
   */
  default StructureCopy openCopy(StructureContext heap, long reference, Original original) {
    throw new UnsupportedOperationException("a " + name() + " cannot be copied");
  }

  /**
   * Frees it and all that it holds, in the running transaction; the blocks of a large one in the
   * background, also after a crash.
   *
   * @throws io.everheap.error.StaleReferenceException if there is no such structure
   */
  void destroy(StructureContext heap, long reference);

  /**
   * What it holds, for tools: the entries of a map; index and element of a list. Weakly consistent.
   *
   * @param codecs of its parts that have codecs
   */
  Stream<Map.Entry<Object, Object>> entries(
      StructureContext heap, long reference, List<Codec<Object>> codecs);

  /**
   * Checks it block by block. The caller keeps writers out. The heap may be damaged in any way:
   * whatever is wrong is told to the findings, and what can still be reached is checked.
   *
   * @param codecs of its parts that have codecs; null for those that need not decode
   */
  void verify(
      StructureContext heap,
      long reference,
      List<@Nullable Codec<?>> codecs,
      StructureFindings findings);
}
