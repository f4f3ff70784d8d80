package io.everheap.salvage;

import io.everheap.Heap;
import io.everheap.ThrowingRunnable;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.error.CorruptValueException;
import io.everheap.heap.OpenHeap;
import io.everheap.structure.Structures;
import io.everheap.structure.cell.ReferenceCheck;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.NestedType;
import io.everheap.structure.common.Original;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureCopy;
import io.everheap.structure.common.StructureKind;
import io.everheap.structure.common.ValueCheck;
import io.everheap.structure.names.NameTables;
import io.everheap.structure.names.TypeTable;
import io.everheap.structure.object.ObjectKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Maps structures of the damaged heap to their copies in the new one. Used by one thread. */
final class SalvagedStructures {
  private final StructureContext source;
  private final Heap target;
  private final StructureContext made;
  private final SalvagedObjects objects;
  private final Map<Long, Long> copies = new HashMap<>();
  private final Map<Long, Long> blocks = new HashMap<>();
  private final List<StructureCopy> open = new ArrayList<>();

  SalvagedStructures(StructureContext source, Heap target) {
    this.source = source;
    this.target = target;
    this.made = OpenHeap.structures(target);
    this.objects = new SalvagedObjects(source, target, this);
  }

  /** The copies of objects, which structures refer to and which refer to structures. */
  SalvagedObjects objects() {
    return objects;
  }

  /** The heap that receives everything. */
  Heap target() {
    return target;
  }

  /** The raw blocks among the copies, by their originals. */
  Map<Long, Long> blocks() {
    return blocks;
  }

  /** The copy of an object that is a root. */
  Target openObject(long original, List<String> types) {
    long reference = target.transact(() -> objects.object(original));
    return new Target(ObjectKind.INSTANCE, types, reference, (field, value) -> false);
  }

  /** A new list for references to objects of one type. */
  Target openList(String type) {
    StructureKind kind = Objects.requireNonNull(Structures.KINDS.named("list"));
    List<String> types = List.of("object " + type);
    Original none = new Original(source, Reference.NULL, () -> 0, types, new boolean[] {true});
    long list = target.transact(() -> make(kind.copyDefinition(none)));
    return new Target(kind, types, list, kind.openCopy(made, list, none));
  }

  /**
   * A structure that is being copied.
   *
   * @param kind of structure
   * @param types names of its types
   * @param reference of the copy
   * @param copy receives what is saved
   */
  record Target(StructureKind kind, List<String> types, long reference, StructureCopy copy) {
    /** Formats a raw key for messages. */
    String text(Object key) {
      return kind.hasKeys() ? copy.text(keyType(), key) : key.toString();
    }

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
    Original from = from(original, kind, types, words);
    long reference = copyOf(kind, from);
    StructureCopy copy = kind.openCopy(made, reference, from);
    open.add(copy);
    return new Target(kind, types, reference, copy);
  }

  /** Completes all copies that were opened. */
  void finish() {
    for (StructureCopy copy : open) {
      target.transact(copy::finish);
    }
    open.clear();
  }

  /**
   * The reference of the copy of a structure whose header is sound.
   *
   * @throws CorruptValueException if the types do not fit the header, or the copy has other types,
   *     as when it was saved as a root after the names of its types were lost
   */
  long copyOf(long original, NestedType type) {
    Long known = copies.get(original);
    if (known != null) {
      Object _ =
          new ReferenceCheck(made, type, new TypeTable(made)::find, found -> {}).fromWord(known);
      return known;
    }
    List<String> types = types(original, type);
    boolean[] words = type.kind().words(source, original, List.copyOf(types));
    if (!misfits(type.kind(), types, words).isEmpty()) {
      throw new CorruptValueException(
          "the header of the " + type.kind().name() + " does not fit its types " + types);
    }
    return copyOf(type.kind(), from(original, type.kind(), types, words));
  }

  /** The parts whose values cannot be kept as the header says: it is damaged, or the type is. */
  static List<Integer> misfits(StructureKind kind, List<String> types, boolean[] words) {
    List<Integer> misfits = new ArrayList<>();
    int coded = 0;
    for (int part = 0; part < types.size(); part++) {
      if (kind.parts().get(part).codec() && !ValueCheck.fits(types.get(part), words[coded++])) {
        misfits.add(part);
      }
    }
    return misfits;
  }

  /**
   * The types in its header, which may be of another version than those in the structure that holds
   * it.
   */
  private List<String> types(long original, NestedType type) {
    List<String> types = new ArrayList<>();
    for (long number : type.kind().types(source, original)) {
      String name = new TypeTable(source).find(number);
      if (name == null) {
        return type.types();
      }
      types.add(name);
    }
    return types;
  }

  private Original from(long original, StructureKind kind, List<String> types, boolean[] words) {
    return new Original(source, original, () -> kind.size(source, original), types, words);
  }

  private long copyOf(StructureKind kind, Original original) {
    Long known = copies.get(original.reference());
    if (known != null) {
      return known;
    }
    long copy = target.transact(() -> make(kind.copyDefinition(original)));
    copies.put(original.reference(), copy);
    if (kind.headerType() == BlockType.RAW) {
      blocks.put(original.reference(), copy);
    }
    return copy;
  }

  /** Makes an empty structure in the running transaction, with any names of types. */
  private long make(Definition<?> wanted) {
    long[] types = wanted.types().stream().mapToLong(made.types()::number).toArray();
    return wanted.create(made, types);
  }

  /** Gives a copy a name. */
  void name(String name, long copy) {
    target.transact(
        () -> {
          TypeTable.makeNames(made, NameTables.ROOTS_WORD).put(name, copy);
        });
  }

  /** Writes several entries at once. */
  void transact(ThrowingRunnable<RuntimeException> body) {
    target.transact(body);
  }
}
