package io.everheap.structure.common;

import io.everheap.codec.Codec;
import io.everheap.error.GoneException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import java.util.stream.Stream;

/** Finds the structures that a structure holds, whatever its codecs are; in a transaction. */
public final class NestedReferences {
  private final StructureContext heap;
  private final StructureContext.Types types;

  /** For the structures of a heap. */
  public NestedReferences(StructureContext heap, StructureContext.Types types) {
    this.heap = heap;
    this.types = types;
  }

  /**
   * Collects the structures within a structure, directly or not, that were not freed.
   *
   * @param reference of the outer one, which is not collected
   * @param kept accepts those that are neither collected nor searched
   * @param found takes their references, each once
   * @throws GoneException if the outer structure was freed
   */
  public void collect(long reference, LongPredicate kept, Set<Long> found) {
    Deque<Long> left = new ArrayDeque<>();
    forEach(reference, left::add);
    while (!left.isEmpty()) {
      long next = left.remove();
      if (next == reference || kept.test(next) || found.contains(next)) {
        continue;
      }
      try {
        forEach(next, left::add);
        found.add(next);
      } catch (GoneException e) {
        // freed before: its entry only names it
      }
    }
  }

  private void forEach(long reference, LongConsumer action) {
    StructureKind kind = heap.kinds().of(heap, reference);
    List<String> names = Arrays.stream(kind.types(heap, reference)).mapToObj(types::name).toList();
    boolean nested = false;
    List<String> coded = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      if (kind.parts().get(i).codec()) {
        coded.add(names.get(i));
        nested |= NestedNames.isNested(names.get(i));
      }
    }
    if (!nested) {
      return;
    }
    boolean[] words = kind.words(heap, reference, new ArrayList<>(names));
    List<Codec<Object>> codecs = new ArrayList<>();
    for (int i = 0; i < words.length; i++) {
      codecs.add(RawCodecs.of(coded.get(i), words[i]));
    }
    try (Stream<Map.Entry<Object, Object>> entries = kind.entries(heap, reference, codecs)) {
      entries.forEach(entry -> action.accept((Long) entry.getValue())); // keys are never nested
    }
  }
}
