package io.everheap;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.Codecs;
import io.everheap.codec.DescribedCodecs;
import io.everheap.collection.MapType;
import io.everheap.collection.MapVerifier;
import io.everheap.collection.OrphanNodes;
import io.everheap.collection.RawCodecs;
import io.everheap.collection.StructureKind;
import io.everheap.engine.DamagedHeap;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.AllocationVisitor;
import io.everheap.engine.alloc.AllocationWalker;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.home.HomeLayout;
import io.everheap.error.CorruptHeapException;
import io.everheap.error.StaleReferenceException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Copies what is sound of one heap, open in whatever state it is, into another: first all that the
 * roots lead to, then maps that no root leads to, then nodes that no chain leads to.
 */
final class SalvageRun implements RootWalk.Findings {
  private final Engine engine;
  private final Heap target;
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
  private String owner = "";
  private long reference;
  private @Nullable SalvagedRoot root;
  private boolean scanning;
  private boolean headerLost;
  private boolean blockDamaged;
  private long unassigned;

  /** Tells whether a range of addresses is partly in pages that are known to be damaged. */
  interface DamagedPlaces {
    boolean contain(long address, long bytes);
  }

  SalvageRun(Engine engine, Heap target, DamagedPlaces places, VerifyProgress progress) {
    this.engine = engine;
    this.target = target;
    this.places = places;
    this.progress = progress;
    this.headers = new MapVerifier(engine, this);
    this.walk = new RootWalk(engine, this);
    this.owned = new BlockSet(engine.memory().getLong(HomeLayout.CAPACITY_ADDRESS));
  }

  void run() {
    catalogMap(RootWalk.TYPES, Catalog.TYPES_WORD, types);
    catalogMap(RootWalk.ROOTS, Catalog.ROOTS_WORD, names);
    findCatalog();
    walk.useTypes(types);
    double done = 0;
    for (Map.Entry<String, Long> entry : names.entrySet()) {
      progress.update(entry.getKey(), 0.1 + 0.6 * done++ / names.size());
      walk.root(entry.getKey(), entry.getValue());
      flush();
    }
    walk.pending();
    progress.update("maps without a name", 0.7);
    findMaps();
    progress.update("entries outside of their chains", 0.8);
    findNodes();
    progress.update("done", 1);
  }

  /** Reads a map of the catalog, with its nodes that are cut off. */
  private void catalogMap(String name, int word, Map<String, Long> into) {
    begin(name);
    reference = engine.memory().getLong(engine.catalog(word));
    into.putAll(walk.catalogMap(reference));
    OrphanNodes orphans = catalog.get(name);
    if (orphans != null) {
      scanning = true;
      forEachUnowned(
          BlockType.MAP_NODE,
          node -> {
            if (orphans.mayOwn(node)) {
              orphans.take(node);
            }
          });
      scanning = false;
    }
  }

  /** Looks for the maps of the catalog if nothing leads to them: only they have no types. */
  private void findCatalog() {
    List<Long> found = new ArrayList<>();
    forEachUnowned(
        BlockType.MAP_HEADER,
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
      boolean isRoots = !entries.isEmpty() && entries.values().stream().allMatch(this::isMap);
      (isRoots ? names : types).putAll(entries);
      notes.add("the catalog has lost its map of " + (isRoots ? "roots" : "types"));
    }
  }

  private boolean isMap(long candidate) {
    try {
      return engine.allocator().type(candidate) == BlockType.MAP_HEADER;
    } catch (RuntimeException e) {
      return false;
    }
  }

  private void findMaps() {
    List<Long> found = new ArrayList<>();
    forEachUnowned(BlockType.MAP_HEADER, found::add);
    int number = 1;
    for (long header : found) {
      while (names.containsKey("salvaged-" + number)) {
        number++;
      }
      String name = "salvaged-" + number++;
      notes.add("no root leads to a map; it is saved as " + name);
      walk.root(name, header);
      flush();
    }
  }

  private void findNodes() {
    List<SalvagedRoot> cut = roots.stream().filter(r -> r.orphans() != null).toList();
    if (cut.isEmpty() && !headerLost) {
      return;
    }
    scanning = true;
    forEachUnowned(
        BlockType.MAP_NODE,
        node -> {
          SalvagedRoot only = null;
          int candidates = 0;
          for (SalvagedRoot candidate : cut) {
            OrphanNodes orphans = candidate.orphans();
            if (orphans != null && orphans.mayOwn(node)) {
              only = candidate;
              candidates++;
            }
          }
          if (only != null && candidates == 1 && only.orphans() != null) {
            root = only;
            only.orphans().take(node);
          } else {
            unassigned++;
          }
        });
    scanning = false;
    roots.forEach(r -> r.flush(target));
  }

  /** Passes on the blocks of a type that are allocated and nothing owns. */
  private void forEachUnowned(int type, LongConsumer action) {
    List<String> damage = new ArrayList<>();
    AllocationWalker walker = new AllocationWalker(engine.memory(), engine.home().extentShift());
    walker.walk(
        new AllocationVisitor() {
          @Override
          public void block(long block, int found, long size) {
            if (found == type && !owned.contains(block)) {
              action.accept(block);
            }
          }

          @Override
          public void problem(long address, String message) {
            if (damage.size() < SalvageReport.MOST_LISTED) {
              damage.add("allocation tables at address " + address + ": " + message);
            }
          }
        });
    damage.stream().filter(note -> !notes.contains(note)).forEach(notes::add);
  }

  @Override
  public void begin(String name) {
    owner = name;
    root = null;
    reference = 0;
  }

  @Override
  public void root(
      String name, long header, @Nullable StructureKind kind, List<@Nullable String> types) {
    owner = name;
    reference = header;
    boolean described = types.size() == 2;
    SalvagedRoot next =
        describe(name, header, described ? types.get(0) : null, described ? types.get(1) : null);
    if (next.isKnown()) {
      next.create(target);
      root = next;
    } else {
      headerLost = true;
      root = null;
    }
    roots.add(next);
  }

  private SalvagedRoot describe(
      String name, long header, @Nullable String keys, @Nullable String values) {
    try {
      MapType numbers = headers.typeOf(header);
      Codec<Object> keyCodec = codec(keys, numbers.key(), headers.hasWordKeys(header));
      Codec<Object> valueCodec = codec(values, numbers.value(), headers.hasWordValues(header));
      long expected = Math.max(0, headers.countOf(header));
      return new SalvagedRoot(name, keyCodec, valueCodec, expected);
    } catch (StaleReferenceException
        | CorruptHeapException
        | IllegalArgumentException
        | IllegalStateException
        | IndexOutOfBoundsException e) {
      SalvagedRoot lost =
          new SalvagedRoot(name, RawCodecs.of("lost", false), RawCodecs.of("lost", false), -1);
      lost.reason("the header of the map is lost, and with it all entries: " + e.getMessage());
      return lost;
    }
  }

  private static Codec<Object> codec(@Nullable String name, long number, boolean words) {
    return RawCodecs.of(name == null ? "lost-type-" + number : name, words);
  }

  private void flush() {
    SalvagedRoot current = root;
    if (current != null) {
      current.flush(target);
    }
  }

  @Override
  public void problem(String kind, long address, @Nullable String key, String message) {
    if (scanning) {
      return;
    }
    String text = kind + " at address " + address + (key == null ? "" : ", key " + key);
    SalvagedRoot current = root;
    if (current != null) {
      current.reason(text + ": " + message);
    } else if (notes.size() < SalvageReport.MOST_LISTED) {
      notes.add(owner + ": " + text + ": " + message);
    }
  }

  @Override
  public boolean owned(long block) {
    blockDamaged = isDamaged(block);
    return owned.add(block);
  }

  /** Whether an entry that ends with this block is damaged: its node comes first, then the rest. */
  private boolean isDamaged(long block) {
    try {
      boolean begins = engine.allocator().type(block) == BlockType.MAP_NODE;
      long bytes = engine.allocator().size(block) + Long.BYTES;
      return (!begins && blockDamaged) || places.contain(Reference.address(block), bytes);
    } catch (StaleReferenceException | CorruptHeapException e) {
      return true;
    }
  }

  @Override
  public void cut(long first, long end) {
    SalvagedRoot current = root;
    OrphanNodes orphans = current == null ? catalog.get(owner) : current.orphans();
    if (orphans == null) {
      orphans = search(current);
    }
    if (orphans != null) {
      orphans.cut(first, end);
    }
  }

  private @Nullable OrphanNodes search(@Nullable SalvagedRoot current) {
    try {
      if (current != null) {
        SalvageReport.Root described = current.report();
        OrphanNodes orphans =
            new OrphanNodes(
                engine, reference, known(described.keyType()), known(described.valueType()), this);
        current.orphans(orphans);
        return orphans;
      }
      if (owner.equals(RootWalk.TYPES) || owner.equals(RootWalk.ROOTS)) {
        OrphanNodes orphans = new OrphanNodes(engine, reference, Codecs.STRING, Codecs.LONG, this);
        catalog.put(owner, orphans);
        return orphans;
      }
    } catch (RuntimeException e) {
      headerLost = true;
    }
    return null;
  }

  private static @Nullable Codec<?> known(String name) {
    try {
      return DescribedCodecs.of(name);
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
    if (current != null) {
      String doubt = null;
      if (blockDamaged) {
        doubt = "in a page that does not match its checksum";
      } else if (scanning && headerLost) {
        doubt = "found outside of its chain, while another map's header is lost";
      }
      current.add(target, key, value, scanning, doubt);
    } else if (scanning) {
      Map<String, Long> into = owner.equals(RootWalk.TYPES) ? types : names;
      into.putIfAbsent(Codecs.STRING.read(new CodecInput((byte[]) key)), (Long) value);
    }
  }

  SalvageReport report(DamagedHeap damaged, List<SalvageReport.Range> unreadable) {
    List<String> all = new ArrayList<>(damaged.notes());
    all.addAll(notes);
    return new SalvageReport(
        roots.stream().map(SalvagedRoot::report).toList(),
        all,
        damaged.isOneState(),
        damaged.transactions(),
        damaged.end(),
        damaged.known(),
        unreadable,
        unassigned);
  }
}
