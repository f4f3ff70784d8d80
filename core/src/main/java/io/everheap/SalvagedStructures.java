package io.everheap;

import io.everheap.collection.NestedType;
import io.everheap.collection.StructureCopy;
import io.everheap.collection.StructureKind;
import io.everheap.engine.Engine;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The structures of a new heap by those of the damaged one that they are copies of. */
final class SalvagedStructures {
  private final Engine source;
  private final Heap target;
  private final Map<Long, Long> copies = new HashMap<>();

  SalvagedStructures(Engine source, Heap target) {
    this.source = source;
    this.target = target;
  }

  /**
   * A structure on its way.
   *
   * @param kind of structure
   * @param types names of its types
   * @param reference of the copy
   * @param copy takes what is saved
   */
  record Target(StructureKind kind, List<String> types, long reference, StructureCopy copy) {
    /** The name of the type of its values or elements. */
    String valueType() {
      return coded().isEmpty() ? "" : coded().getLast();
    }

    /** The name of the type of its keys, or of its elements. */
    String keyType() {
      return coded().isEmpty() ? "" : coded().getFirst();
    }

    private List<String> coded() {
      return java.util.stream.IntStream.range(0, types.size())
          .filter(i -> kind.parts().get(i).codec())
          .mapToObj(types::get)
          .toList();
    }
  }

  /** The copy of a structure, to be filled; an empty one is made if there is none. */
  Target open(long original, StructureKind kind, List<String> types, boolean[] words) {
    long copy = copyOf(original, kind, types, words);
    return new Target(kind, types, copy, kind.openCopy(target.engine(), copy, types, words));
  }

  /** The reference of the copy of a structure whose header is sound. */
  long copyOf(long original, NestedType type) {
    Long known = copies.get(original);
    if (known != null) {
      return known;
    }
    boolean[] words = type.kind().words(source, original, List.copyOf(type.types()));
    return copyOf(original, type.kind(), type.types(), words);
  }

  private long copyOf(long original, StructureKind kind, List<String> types, boolean[] words) {
    Long known = copies.get(original);
    if (known != null) {
      return known;
    }
    long made =
        target.transact(
            () ->
                target
                    .catalog()
                    .make(kind.copyDefinition(types, words, () -> kind.size(source, original))));
    copies.put(original, made);
    return made;
  }

  /** Gives a copy a name. */
  void name(String name, long copy) {
    target.transact(() -> target.catalog().name(name, copy));
  }

  /** Has several entries written at once. */
  void transact(ThrowingRunnable<RuntimeException> body) {
    target.transact(body);
  }
}
