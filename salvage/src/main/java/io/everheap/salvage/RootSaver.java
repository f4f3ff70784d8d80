package io.everheap.salvage;

import io.everheap.check.RootWalk;
import io.everheap.codec.Codec;
import io.everheap.codec.described.DescribedCodecs;
import io.everheap.error.CorruptException;
import io.everheap.error.EverheapException;
import io.everheap.error.GoneException;
import io.everheap.structure.cell.ReferenceCheck;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.NestedNames;
import io.everheap.structure.common.NestedType;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureKind;
import io.everheap.structure.map.OrphanNodes;
import io.everheap.structure.object.ObjectKind;
import io.everheap.structure.sorted.OrphanLeaves;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Copies what a walk finds. The walk reports a root, then a structure of it, then the structure's
 * blocks and entries, which go to the copy of that structure. Used by one thread.
 */
final class RootSaver implements RootWalk.Findings {
  private final StructureContext heap;
  private final SalvagedStructures structures;
  private final OwnedBlocks blocks;
  private final EntryDamage damage;
  private final SalvageNotes notes;
  private final Map<Long, String> typeNames;
  private final List<SalvagedRoot> roots = new ArrayList<>();
  private final Map<Long, SalvagedRoot> unnamed = new LinkedHashMap<>();
  private final Set<Long> named = new HashSet<>();
  private final List<CutTable> tables = new ArrayList<>();
  private final List<CutTree> trees = new ArrayList<>();
  private boolean headerLost;

  // The root and the structure that the walk reported last.
  private String owner = RootWalk.ROOTS;
  private @Nullable SalvagedRoot root;
  private long reference;

  /** Where entries go; null if they cannot be saved. */
  private SalvagedStructures.@Nullable Target target;

  /** Finds cut-off nodes of the table; null if no chain is cut. */
  private @Nullable OrphanNodes orphans;

  /** The tree, if the structure is one and no damage was found in it so far. */
  private @Nullable CutTree tree;

  /** Whether only the walk tells how many entries the structure has. */
  private boolean countedByWalk;

  RootSaver(DamagedSource source, SalvagedStructures structures, FoundCatalog catalog) {
    this.heap = source.heap();
    this.structures = structures;
    this.blocks = source.blocks();
    this.damage = source.damage();
    this.notes = source.notes();
    this.typeNames = catalog.typeNames();
    this.headerLost = catalog.headerLost();
  }

  /** Adds a root that is not in the damaged heap; what the walk reports next belongs to it. */
  void begin(String name, SalvagedRoot made) {
    begin(name);
    roots.add(made);
    root = made;
  }

  /** Writes the pending entries of the last root. */
  void flush() {
    SalvagedRoot current = root;
    if (current != null) {
      current.flush();
    }
  }

  /** What the walk found so far. */
  WalkedRoots walked(long unassigned) {
    return new WalkedRoots(roots, unnamed, named, tables, trees, headerLost, unassigned);
  }

  @Override
  public void begin(String name) {
    owner = name;
    root = null;
    target = null;
    orphans = null;
    reference = 0;
  }

  @Override
  public void root(
      String name, long header, @Nullable StructureKind kind, List<@Nullable String> types) {
    owner = name;
    SalvagedRoot next = new SalvagedRoot(name, structures);
    roots.add(next);
    root = next;
    use(next, header, kind, types);
    SalvagedStructures.Target made = target;
    if (made != null && named.add(header)) {
      structures.name(name, made.reference());
    } else if (made != null) {
      next.reason("another root leads to the same structure");
    }
  }

  @Override
  public void nested(long header, @Nullable StructureKind kind, List<@Nullable String> types) {
    SalvagedRoot current = root;
    if (current == null) {
      current = new SalvagedRoot("", structures);
      roots.add(current);
      unnamed.put(header, current);
      root = current;
    }
    use(current, header, kind, types);
  }

  /** Directs the entries that come next to the copy of a structure. */
  private void use(
      SalvagedRoot current,
      long header,
      @Nullable StructureKind kind,
      List<@Nullable String> types) {
    reference = header;
    target = null;
    orphans = null;
    tree = null;
    countedByWalk = false;
    try {
      target = open(current, header, kind, types);
    } catch (UnsupportedOperationException e) {
      current.reason("this structure is not saved: " + e.getMessage());
    } catch (EverheapException
        | IllegalArgumentException
        | IllegalStateException
        | IndexOutOfBoundsException e) {
      headerLost = true;
      String what = kind == null ? "structure" : kind.name();
      current.reason(
          "the header of the " + what + " is lost, and with it all entries: " + e.getMessage());
    }
  }

  private SalvagedStructures.Target open(
      SalvagedRoot current,
      long header,
      @Nullable StructureKind kind,
      List<@Nullable String> types) {
    if (kind == null) {
      throw CorruptException.heap("it is none");
    }
    long[] numbers = kind.types(heap, header);
    List<String> known = new ArrayList<>();
    for (int i = 0; i < numbers.length; i++) {
      known.add(Objects.requireNonNullElse(types.get(i), "lost-type-" + numbers[i]));
    }
    if (kind.equals(ObjectKind.INSTANCE)) {
      SalvagedStructures.Target object = structures.openObject(header, known);
      current.add(object, 0);
      return object;
    }
    boolean[] words = kind.words(heap, header, new ArrayList<>(types));
    for (int part : SalvagedStructures.misfits(kind, known, words)) {
      current.reason("the type " + known.get(part) + " does not fit the header");
      known.set(part, "lost-type-" + numbers[part]);
    }
    SalvagedStructures.Target next = structures.open(header, kind, known, words);
    long count = kind.count(heap, header);
    countedByWalk = count < 0;
    current.add(next, Math.max(0, count));
    if (OrphanLeaves.isOrdered(heap, header)) {
      OrphanLeaves leaves =
          new OrphanLeaves(heap, header, codec(next.keyType()), codec(next.valueType()));
      tree = new CutTree(current, next, leaves);
    }
    return next;
  }

  /** The codec of values of a type; null if only the program has one. */
  private @Nullable Codec<?> codec(String type) {
    try {
      return NestedNames.isNested(type)
          ? new ReferenceCheck(
              heap, NestedType.parse(type, heap.kinds()), typeNames::get, found -> {})
          : DescribedCodecs.of(type);
    } catch (RuntimeException e) {
      return null; // the text of a type may be damaged in any way
    }
  }

  @Override
  public void problem(String kind, long address, @Nullable String key, String message) {
    CutTree damaged = tree;
    if (damaged != null) {
      trees.add(damaged);
      tree = null;
    }
    String problem = SalvageNotes.problem(kind, address, key, message);
    SalvagedRoot current = root;
    if (current != null) {
      current.reason(problem);
    } else {
      notes.addProblem(owner + ": " + problem);
    }
  }

  @Override
  public boolean owned(long block) {
    damage.block(block);
    return blocks.add(block);
  }

  @Override
  public void cut(long first, long end) {
    OrphanNodes search = orphans;
    if (search == null) {
      search = search();
      orphans = search;
    }
    if (search != null) {
      search.cut(first, end);
    }
  }

  private @Nullable OrphanNodes search() {
    SalvagedRoot current = root;
    SalvagedStructures.Target into = target;
    if (current == null || into == null) {
      return null;
    }
    try {
      OrphanNodes search =
          new OrphanNodes(heap, reference, codec(into.keyType()), codec(into.valueType()));
      tables.add(new CutTable(current, into, search));
      return search;
    } catch (GoneException | CorruptException | IndexOutOfBoundsException e) {
      Damage.rethrowOfLog(e);
      headerLost = true;
      return null;
    }
  }

  @Override
  public boolean wantsEntries() {
    return true;
  }

  @Override
  public void skipped(String what) {
    SalvagedRoot current = root;
    if (current != null && what.startsWith("the value")) {
      current.reason(what);
    }
  }

  @Override
  public void entry(long node, Object key, Object value) {
    String doubt = damage.ofEntry(node);
    SalvagedRoot current = root;
    SalvagedStructures.Target into = target;
    if (current != null && into != null) {
      current.add(into, key, value, false, doubt);
    }
  }

  @Override
  public void checked(long object) {
    String doubt = damage.ofObject();
    SalvagedRoot current = root;
    if (current != null) {
      current.add(object, doubt);
    }
  }

  @Override
  public void counted() {
    SalvagedRoot current = root;
    if (current != null && countedByWalk) {
      current.expectMore();
    }
  }
}
