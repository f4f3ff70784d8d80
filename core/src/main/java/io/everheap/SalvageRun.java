package io.everheap;

import io.everheap.check.BlockSet;
import io.everheap.check.RootWalk;
import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.Codecs;
import io.everheap.codec.described.DescribedCodecs;
import io.everheap.engine.DamagedHeap;
import io.everheap.engine.alloc.AllocationVisitor;
import io.everheap.engine.alloc.AllocationWalker;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.home.HomeLayout;
import io.everheap.error.CorruptHeapException;
import io.everheap.error.EverheapException;
import io.everheap.error.StaleReferenceException;
import io.everheap.object.type.ObjectImage;
import io.everheap.report.VerifyProgress;
import io.everheap.structure.common.NestedNames;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureKind;
import io.everheap.structure.map.MapType;
import io.everheap.structure.map.MapVerifier;
import io.everheap.structure.map.OrphanNodes;
import io.everheap.structure.names.NameTables;
import io.everheap.structure.names.TypeTable;
import io.everheap.structure.object.ObjectKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Copies what is sound of one heap, open in whatever state it is, into another: first all that the
 * roots lead to, then structures that no root leads to, then nodes that no chain leads to.
 */
final class SalvageRun implements RootWalk.Findings {
  private final StructureContext heap;
  private final SalvagedStructures structures;
  private final DamagedPlaces places;
  private final VerifyProgress progress;
  private final MapVerifier headers;
  private final RootWalk walk;
  private final BlockSet owned;
  private final List<SalvagedRoot> roots = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final Map<String, Long> names = new LinkedHashMap<>();
  private final Map<String, Long> types = new LinkedHashMap<>();
  private final Map<String, OrphanNodes> catalog = new LinkedHashMap<>();

  /** Tables whose chains are cut. */
  private final List<CutTable> cuts = new ArrayList<>();

  private final CutTrees trees;

  /** Roots without a name, by the references of their structures. */
  private final Map<Long, SalvagedRoot> unnamed = new LinkedHashMap<>();

  /** Structures that have a name in the new heap. */
  private final Set<Long> named = new HashSet<>();

  private String owner = "";
  private long reference;
  private @Nullable SalvagedRoot root;

  /** Where entries go; null if they cannot be saved. */
  private SalvagedStructures.@Nullable Target target;

  private @Nullable OrphanNodes orphans;
  private boolean scanning;

  /** Whether it takes a check to know how many entries the structure has that is looked at. */
  private boolean countsThemselves;

  private long lastBlock;
  private boolean headerLost;
  private boolean blockDamaged;

  /** Whether the block that holds the entries that come next is damaged. */
  private boolean holderDamaged;

  private long unassigned;

  /** Tells whether a range of addresses is partly in pages that are known to be damaged. */
  interface DamagedPlaces {
    boolean contain(long address, long bytes);
  }

  /** A table with cut chains, and what finds its nodes. */
  private record CutTable(
      SalvagedRoot root, SalvagedStructures.Target target, OrphanNodes orphans) {}

  SalvageRun(StructureContext heap, Heap target, DamagedPlaces places, VerifyProgress progress) {
    this.heap = heap;
    this.structures = new SalvagedStructures(heap, target);
    this.places = places;
    this.progress = progress;
    this.headers = new MapVerifier(heap, this);
    this.walk = new RootWalk(heap, this);
    this.trees = new CutTrees(heap, this);
    this.owned = new BlockSet(heap.memory().getLong(HomeLayout.CAPACITY_ADDRESS));
  }

  void run() {
    catalogMap(RootWalk.TYPES, TypeTable.CATALOG_WORD, types);
    catalogMap(RootWalk.ROOTS, NameTables.ROOTS_WORD, names);
    findCatalog();
    walk.useTypes(types);
    structures.objects().useTypes(types);
    walk.useRoots(names.values());
    double done = 0;
    for (Map.Entry<String, Long> entry : names.entrySet()) {
      progress.update(entry.getKey(), 0.1 + 0.6 * done++ / names.size());
      walk.root(entry.getKey(), entry.getValue());
      flush();
    }
    walk.pending();
    progress.update("structures without a name", 0.7);
    findStructures();
    findObjects();
    progress.update("entries outside of their chains", 0.8);
    findNodes();
    nameTheRest();
    structures.finish();
    progress.update("raw blocks", 0.9);
    findBlocks();
  }

  /** Reads a map of the catalog, with its nodes that are cut off. */
  private void catalogMap(String name, int word, Map<String, Long> into) {
    begin(name);
    reference = heap.memory().getLong(heap.catalog(word));
    into.putAll(walk.catalogMap(reference));
    OrphanNodes lost = catalog.get(name);
    if (lost != null) {
      scanning = true;
      forEachUnowned(
          type -> type == BlockType.MAP_NODE,
          node -> {
            if (lost.mayOwn(node)) {
              lost.take(node);
            }
          });
      scanning = false;
    }
  }

  /** Looks for the maps of the catalog if nothing leads to them: only they have no types. */
  private void findCatalog() {
    List<Long> found = new ArrayList<>();
    forEachUnowned(
        type -> type == BlockType.MAP_HEADER,
        header -> {
          if (headers.typeOf(header).equals(new MapType(0, 0))
              && !headers.hasWordKeys(header)
              && headers.hasWordValues(header)) {
            found.add(header);
          }
        });
    for (long header : found) {
      begin(RootWalk.ROOTS);
      reference = header;
      Map<String, Long> entries = walk.catalogMap(header);
      boolean isRoots = !entries.isEmpty() && entries.values().stream().allMatch(this::isStructure);
      (isRoots ? names : types).putAll(entries);
      notes.add("the catalog has lost its map of " + (isRoots ? "roots" : "types"));
    }
  }

  private boolean isStructure(long candidate) {
    try {
      int type = heap.allocator().type(candidate);
      return heap.kinds().isHeader(type) || type == BlockType.RAW || ObjectImage.isObject(type);
    } catch (RuntimeException e) {
      return false;
    }
  }

  /** Saves structures that no root leads to: those that hold others before those. */
  private void findStructures() {
    List<Long> found = new ArrayList<>();
    forEachUnowned(heap.kinds()::isHeader, found::add);
    Map<Long, Integer> depths = new HashMap<>();
    found.forEach(header -> depths.put(header, depth(header)));
    found.sort(Comparator.comparingInt(header -> -depths.getOrDefault(header, 0)));
    for (long header : found) {
      begin("");
      walk.unreachable(header);
      flush();
    }
    root = null;
  }

  /** Saves objects that nothing leads to in lists, one for each type. */
  private void findObjects() {
    Map<String, List<Long>> found = new LinkedHashMap<>();
    forEachUnowned(
        ObjectImage::isObject,
        object -> {
          String type = structures.objects().typeOf(object);
          if (type == null) {
            unassigned++;
          } else {
            found.computeIfAbsent(type, name -> new ArrayList<>()).add(object);
          }
        });
    found.forEach(
        (type, objects) -> {
          String name = freeName();
          SalvagedRoot list = new SalvagedRoot(name, structures);
          SalvagedStructures.Target to = structures.openList(type);
          notes.add("no root leads to objects of type " + type + "; a list has them: " + name);
          structures.name(name, to.reference());
          list.add(to, objects.size());
          roots.add(list);
          begin(name);
          root = list;
          walk.unreachableObjects(objects);
          for (int i = 0; i < objects.size(); i++) {
            list.add(to, (long) i, objects.get(i), true, null);
          }
          flush();
        });
    root = null;
  }

  /** Saves raw blocks, which programs find in ways of their own. */
  private void findBlocks() {
    SalvagedBlocks blocks = new SalvagedBlocks(heap, structures, places);
    forEachUnowned(type -> type == BlockType.RAW, blocks::add);
    notes.addAll(blocks.finish());
  }

  private String freeName() {
    int number = 1;
    while (names.containsKey("salvaged-" + number)) {
      number++;
    }
    String name = "salvaged-" + number;
    names.put(name, Reference.NULL);
    return name;
  }

  /** How many levels of structures the types of a structure name, or a few more. */
  private int depth(long header) {
    try {
      int depth = 0;
      for (long number : heap.kinds().of(heap, header).types(heap, header)) {
        depth = Math.max(depth, walk.typeName(number).split("ref ", -1).length);
      }
      return depth;
    } catch (RuntimeException e) {
      return 0;
    }
  }

  private void findNodes() {
    if (cuts.isEmpty() && !headerLost && !trees.any()) {
      return;
    }
    scanning = true;
    forEachUnowned(type -> type == BlockType.SORTED_NODE, this::giveToTree);
    forEachUnowned(type -> type == BlockType.SORTED_ENTRY, this::giveToTree);
    forEachUnowned(type -> type == BlockType.MAP_NODE, this::giveNode);
    scanning = false;
    roots.forEach(SalvagedRoot::flush);
  }

  private void giveNode(long node) {
    CutTable only = null;
    int candidates = 0;
    for (CutTable candidate : cuts) {
      if (candidate.orphans.mayOwn(node)) {
        only = candidate;
        candidates++;
      }
    }
    if (only != null && candidates == 1) {
      root = only.root;
      target = only.target;
      only.orphans.take(node);
    } else {
      unassigned++;
    }
  }

  /** Gives a leaf or an entry to the sorted map or set that it must be of, if there is one. */
  private void giveToTree(long block) {
    CutTrees.Tree tree = trees.ownerOf(block);
    if (tree != null) {
      root = tree.root();
      target = tree.target();
      tree.leaves().take(block);
    } else if (trees.isNoInnerNode(block)) {
      unassigned++;
    }
  }

  /** Gives names to structures that nothing leads to that was found. */
  private void nameTheRest() {
    for (Map.Entry<Long, SalvagedRoot> entry : unnamed.entrySet()) {
      SalvagedRoot rest = entry.getValue();
      SalvagedStructures.Target first = rest.first();
      if (rest.isPart() || named.contains(entry.getKey())) {
        continue;
      }
      String name = freeName();
      rest.rename(name);
      String kind = first == null ? "structure" : first.kind().name();
      notes.add("no root leads to a " + kind + "; it is saved as " + name);
      if (first != null) {
        structures.name(name, first.reference());
      }
    }
    roots.forEach(SalvagedRoot::fold);
    roots.removeIf(SalvagedRoot::isPart);
  }

  /** Passes on the blocks of some types that are allocated and nothing owns. */
  private void forEachUnowned(IntPredicate types, LongConsumer action) {
    Repeated damage = new Repeated();
    AllocationWalker walker = new AllocationWalker(heap.memory(), heap.extentShift());
    walker.walk(
        new AllocationVisitor() {
          @Override
          public void block(long block, int found, long size) {
            if (types.test(found) && !owned.contains(block)) {
              action.accept(block);
            }
          }

          @Override
          public void problem(long address, String message) {
            damage.add(address, message);
          }
        });
    damage.texts("allocation tables").stream()
        .filter(note -> !notes.contains(note))
        .forEach(notes::add);
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

  /** Has what comes next go to the copy of a structure. */
  private void use(
      SalvagedRoot current,
      long header,
      @Nullable StructureKind kind,
      List<@Nullable String> types) {
    reference = header;
    target = null;
    orphans = null;
    trees.end();
    countsThemselves = false;
    try {
      if (kind == null) {
        throw new CorruptHeapException("it is none");
      }
      long[] numbers = kind.types(heap, header);
      List<String> known = new ArrayList<>();
      for (int i = 0; i < numbers.length; i++) {
        known.add(Objects.requireNonNullElse(types.get(i), "lost-type-" + numbers[i]));
      }
      if (kind.equals(ObjectKind.INSTANCE)) {
        SalvagedStructures.Target object = structures.openObject(header, known);
        current.add(object, 0);
        target = object;
        return;
      }
      boolean[] words = kind.words(heap, header, new ArrayList<>(types));
      SalvagedStructures.Target next = structures.open(header, kind, known, words);
      long count = kind.count(heap, header);
      countsThemselves = count < 0;
      current.add(next, Math.max(0, count));
      target = next;
      trees.begin(current, next, header, known(next.keyType()), known(next.valueType()));
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

  private void flush() {
    SalvagedRoot current = root;
    if (current != null) {
      current.flush();
    }
  }

  @Override
  public void problem(String kind, long address, @Nullable String key, String message) {
    if (scanning) {
      return;
    }
    trees.problem();
    String text = kind + " at address " + address + (key == null ? "" : ", key " + key);
    SalvagedRoot current = root;
    if (current != null) {
      current.reason(text + ": " + message);
    } else if (notes.size() < SalvageReport.MAX_LISTED) {
      notes.add(owner + ": " + text + ": " + message);
    }
  }

  @Override
  public boolean owned(long block) {
    noteDamage(block);
    return owned.add(block);
  }

  /** Of an entry, the block comes first that holds it, then the parts of its value. */
  private void noteDamage(long block) {
    lastBlock = Reference.address(block);
    try {
      int type = heap.allocator().type(block);
      long bytes = heap.allocator().size(block) + Long.BYTES;
      boolean damaged = places.contain(Reference.address(block), bytes);
      if (type == BlockType.VALUE_PART
          || type == BlockType.VALUE_CELL
          || type == BlockType.LARGE_VALUE_CELL
          || type == BlockType.OBJECT_BODY
          || type == BlockType.OBJECT_CELL) {
        blockDamaged |= damaged;
      } else {
        holderDamaged = damaged;
        blockDamaged = damaged;
      }
    } catch (StaleReferenceException | CorruptHeapException e) {
      blockDamaged = true;
    }
  }

  @Override
  public void cut(long first, long end) {
    OrphanNodes search = root == null ? catalog.get(owner) : orphans;
    if (search == null) {
      search = search();
    }
    if (search != null) {
      search.cut(first, end);
    }
  }

  private @Nullable OrphanNodes search() {
    SalvagedRoot current = root;
    SalvagedStructures.Target into = target;
    try {
      if (current != null && into != null && headers.isTable(reference)) {
        OrphanNodes search =
            new OrphanNodes(heap, reference, known(into.keyType()), known(into.valueType()), this);
        orphans = search;
        cuts.add(new CutTable(current, into, search));
        return search;
      }
      if (current == null && (owner.equals(RootWalk.TYPES) || owner.equals(RootWalk.ROOTS))) {
        OrphanNodes search = new OrphanNodes(heap, reference, Codecs.STRING, Codecs.LONG, this);
        catalog.put(owner, search);
        return search;
      }
    } catch (RuntimeException e) {
      headerLost = true;
    }
    return null;
  }

  private @Nullable Codec<?> known(String name) {
    try {
      return NestedNames.isNested(name) ? walk.checked(name) : DescribedCodecs.of(name);
    } catch (RuntimeException e) {
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
    SalvagedRoot current = root;
    SalvagedStructures.Target into = target;
    if (current != null && into != null) {
      String doubt = null;
      if (blockDamaged || isDamaged(node)) {
        doubt = "in a page that does not match its checksum";
      } else if (scanning && headerLost) {
        doubt = "found outside of its chain, while the header of another structure is lost";
      }
      current.add(into, key, value, scanning, doubt);
      claim(current, into, value);
    } else if (current == null && scanning) {
      Map<String, Long> entries = owner.equals(RootWalk.TYPES) ? types : names;
      entries.putIfAbsent(Codecs.STRING.read(new CodecInput((byte[]) key)), (Long) value);
    }
    blockDamaged = holderDamaged;
  }

  /** Whether the block of an entry is damaged that is not the one that came last. */
  private boolean isDamaged(long block) {
    if (block == lastBlock) {
      return false;
    }
    try {
      long header = heap.memory().getLong(block);
      long size = heap.allocator().size(Reference.withGenerationOf(block, header));
      return places.contain(block, size + Long.BYTES);
    } catch (StaleReferenceException | CorruptHeapException | IndexOutOfBoundsException e) {
      return false; // a place within a block that came before
    }
  }

  @Override
  public void checked(long object) {
    SalvagedRoot current = root;
    if (current != null) {
      current.add(object, blockDamaged ? "in a page that does not match its checksum" : null);
    }
    blockDamaged = false;
  }

  @Override
  public void counted() {
    SalvagedRoot current = root;
    if (current != null && countsThemselves) {
      current.expectMore();
    }
  }

  /** An entry that was found late may name a structure that seemed to be without a root. */
  private void claim(SalvagedRoot current, SalvagedStructures.Target into, Object value) {
    if (scanning && value instanceof Long named && NestedNames.isNested(into.valueType())) {
      SalvagedRoot part = unnamed.get(named);
      if (part != null && !part.isPart() && !part.equals(current)) {
        part.partOf(current);
      }
    }
  }

  SalvageReport report(
      DamagedHeap damaged,
      List<SalvageReport.Region> regions,
      List<SalvageReport.Range> unreadable) {
    List<String> all = new ArrayList<>(damaged.notes());
    all.addAll(notes);
    return new SalvageReport(
        roots.stream().map(SalvagedRoot::report).toList(),
        regions,
        all,
        damaged.isOneState(),
        damaged.transactions(),
        damaged.end(),
        damaged.known(),
        unreadable,
        unassigned);
  }
}
