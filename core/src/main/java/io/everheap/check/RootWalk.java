package io.everheap.check;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.Codecs;
import io.everheap.codec.described.DescribedCodecs;
import io.everheap.codec.reference.References;
import io.everheap.durable.type.ObjectImage;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.home.HomeLayout;
import io.everheap.error.CorruptException;
import io.everheap.error.GoneException;
import io.everheap.error.UnsupportedTypeException;
import io.everheap.structure.Structures;
import io.everheap.structure.cell.ReferenceCheck;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.NestedNames;
import io.everheap.structure.common.NestedType;
import io.everheap.structure.common.PendingFreesCheck;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureFindings;
import io.everheap.structure.common.StructureKind;
import io.everheap.structure.map.MapVerifier;
import io.everheap.structure.names.NameTables;
import io.everheap.structure.names.TypeTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Visits everything that a heap's structures own, in a fixed order: the map of types, the map of
 * roots, each root with the structures and objects reachable from it, and the pending frees. It
 * trusts no byte: damage in one root does not keep the others from being visited. A structure that
 * several entries lead to is visited once, with the first root from which it is reached.
 *
 * <p>Used by one thread, which keeps writers out.
 */
public final class RootWalk {
  /** Owner of the map of types, in findings. */
  public static final String TYPES = "the map of types";

  /** Owner of the map of roots, in findings. */
  public static final String ROOTS = "the map of roots";

  /** Owner of blocks that are still to be freed, in findings. */
  public static final String PENDING = "pending frees";

  /** Owner of the blocks of structures that no root leads to, in findings. */
  public static final String UNREACHABLE = "a structure that no root leads to";

  /** Owner of the blocks of the structure that {@link #own} visits, in findings. */
  public static final String PART = "the structure";

  /** Receives the findings, and the owner of the blocks that come next. */
  public interface Findings extends StructureFindings {
    /**
     * The findings and blocks that follow belong to this owner.
     *
     * @param owner name of a root, or one of the names above
     */
    void begin(String owner);

    /**
     * A root comes next.
     *
     * @param name of the root
     * @param reference of its structure
     * @param kind of its structure, or null if its header is damaged
     * @param types names of the types of its parts, null for those that are not known
     */
    default void root(
        String name, long reference, @Nullable StructureKind kind, List<@Nullable String> types) {
      begin(name);
    }

    /**
     * A structure within the root, or in none, comes next.
     *
     * @param reference of the structure
     * @param kind of the structure
     * @param types names of the types of its parts, null for those that are not known
     */
    default void nested(
        long reference, @Nullable StructureKind kind, List<@Nullable String> types) {}

    /**
     * Whether keys and values of structures are decoded. Otherwise only those are whose types may
     * contain references, since the walk follows these.
     */
    default boolean decodesAll() {
      return true;
    }
  }

  private final StructureContext heap;
  private final Findings findings;
  private final Collector collector;
  private final MapVerifier verifier;
  private final Map<Long, String> types = new TreeMap<>();
  private final long capacity;
  private final BlockSet visited;
  private final ObjectWalk objects;
  private Map<String, Long> roots = Map.of();

  /** Structures that entries lead to and that are still to be visited, by the names of types. */
  private Map<String, BlockSet> named = new LinkedHashMap<>();

  /** Receives the entries while a map of the catalog is visited; null otherwise. */
  private @Nullable Map<String, Long> collected;

  /** Creates a walk through a heap. */
  public RootWalk(StructureContext heap, Findings findings) {
    this.heap = heap;
    this.findings = findings;
    this.collector = new Collector();
    this.verifier = new MapVerifier(heap, collector);
    this.capacity = heap.memory().getLong(HomeLayout.CAPACITY_ADDRESS);
    this.visited = new BlockSet(capacity);
    this.objects = new ObjectWalk(heap, types, this::described, collector);
  }

  /** Visits everything. */
  public void run() {
    useTypes();
    readRoots();
    useRoots(roots.values());
    roots.forEach(this::root);
    pending();
  }

  private void useTypes() {
    findings.begin(TYPES);
    useTypes(catalogMap(heap.memory().getLong(heap.catalog(TypeTable.CATALOG_WORD))));
  }

  private void readRoots() {
    findings.begin(ROOTS);
    roots = catalogMap(heap.memory().getLong(heap.catalog(NameTables.ROOTS_WORD)));
  }

  /** Lets these structures be visited as roots only, even if entries of others lead to them. */
  public void useRoots(Collection<Long> references) {
    references.forEach(this::isFirstVisit);
  }

  /**
   * Visits one structure or object alone; {@link #rest} visits the structures and objects that it
   * leads to, except other roots. To be called once, in place of {@link #run}.
   *
   * @param reference that leads to the structure or object
   */
  public void own(long reference) {
    useTypes();
    if (mayLead(reference)) {
      readRoots();
      roots.values().stream().filter(root -> root != reference).forEach(this::leaveOut);
    }
    isFirstVisit(reference);
    findings.begin(PART);
    visitOne(PART, reference, (kind, types) -> findings.nested(reference, kind, types));
    if (ObjectImage.isObject(heap.allocator().type(reference))) {
      objects.runOne();
    }
  }

  /** Visits the structures and objects that the one of {@link #own} leads to. */
  public void rest() {
    visitNamed(PART);
  }

  private boolean mayLead(long reference) {
    if (ObjectImage.isObject(heap.allocator().type(reference))) {
      return true;
    }
    for (long number : heap.kinds().of(heap, reference).types(heap, reference)) {
      if (References.inType(typeName(number))) {
        return true;
      }
    }
    return false;
  }

  private void leaveOut(long root) {
    isFirstVisit(root);
    objects.leaveOut(root);
  }

  private boolean isFirstVisit(long reference) {
    return Reference.address(reference) < capacity && visited.add(reference);
  }

  /** Visits the pending frees. */
  public void pending() {
    findings.begin(PENDING);
    new PendingFreesCheck(heap, Structures.freers(), collector).run();
  }

  /** Visits a map of names to numbers in the catalog, and returns its entries. */
  public Map<String, Long> catalogMap(long reference) {
    Map<String, Long> entries = new LinkedHashMap<>();
    if (reference != Reference.NULL) {
      collected = entries;
      verifier.verify(reference, Codecs.STRING, Codecs.LONG);
      collected = null;
    }
    return entries;
  }

  /** Sets the types that the walk knows, and checks that their numbers are unique, without gaps. */
  public void useTypes(Map<String, Long> numbers) {
    long at = heap.catalog(TypeTable.CATALOG_WORD);
    numbers.forEach(
        (name, number) -> {
          String other = types.putIfAbsent(number, name);
          if (other != null) {
            String message = "the types " + other + " and " + name + " have the number " + number;
            findings.problem("type", at, null, message);
          }
        });
    long expected = 1;
    for (long number : types.keySet()) {
      if (number != expected) {
        String message = "types are numbered from 1 on, but there is none with " + expected;
        findings.problem("type", at, null, message);
        return;
      }
      expected++;
    }
  }

  /** The name of a type; empty if it is not known. */
  public String typeName(long number) {
    return types.getOrDefault(number, "");
  }

  /** Visits a root and what is nested in it. */
  public void root(String name, long reference) {
    visit(name, reference, (kind, types) -> findings.root(name, reference, kind, types));
  }

  /** Visits a structure that no root leads to, if it was not visited, and what is nested in it. */
  public void unreachable(long reference) {
    if (isFirstVisit(reference)) {
      visit(UNREACHABLE, reference, (kind, types) -> findings.nested(reference, kind, types));
    }
  }

  /** Reports the beginning of a structure to the findings. */
  private interface Announcement {
    void make(@Nullable StructureKind kind, List<@Nullable String> types);
  }

  private void visit(String name, long reference, Announcement announcement) {
    visitOne(name, reference, announcement);
    visitNamed(name);
  }

  /** Visits objects that no root leads to, if they were not visited, and what they lead to. */
  public void unreachableObjects(Collection<Long> references) {
    references.forEach(reference -> objects.add(reference, Reference.address(reference), null));
    visitNamed(UNREACHABLE);
  }

  private void visitNamed(String name) {
    while (objects.run() || !named.isEmpty()) { // ends, because nothing is visited twice
      Map<String, BlockSet> now = named;
      named = new LinkedHashMap<>();
      now.values()
          .forEach(
              structures ->
                  structures.forEach(
                      address -> {
                        long nested = reference(address);
                        visitOne(
                            name, nested, (kind, types) -> findings.nested(nested, kind, types));
                      }));
    }
  }

  private long reference(long address) {
    return Reference.withGenerationOf(address, heap.memory().getLong(address));
  }

  private void visitOne(String name, long reference, Announcement announcement) {
    StructureKind kind;
    long[] numbers;
    try {
      kind = heap.kinds().of(heap, reference);
      numbers = kind.types(heap, reference);
    } catch (GoneException | CorruptException | IndexOutOfBoundsException e) {
      Damage.rethrowOfLog(e);
      announcement.make(null, List.of());
      long at = Reference.address(reference);
      findings.problem("reference", at, null, "the header: " + e.getMessage());
      return;
    }
    List<@Nullable String> names = new ArrayList<>();
    for (long number : numbers) {
      names.add(types.get(number));
    }
    announcement.make(kind, names);
    List<@Nullable Codec<?>> codecs = new ArrayList<>();
    for (int i = 0; i < numbers.length; i++) {
      StructureKind.Part part = kind.parts().get(i);
      if (part.codec()) {
        codecs.add(codec(name, part.name(), numbers[i], names.get(i), reference));
      }
    }
    kind.verify(heap, reference, codecs, collector);
  }

  private @Nullable Codec<?> codec(
      String root, String part, long number, @Nullable String name, long reference) {
    if (name == null) {
      String message = "the " + part + "s have type number " + number + ", which has no name";
      findings.problem("type", Reference.address(reference), null, message);
      return null;
    }
    if (!findings.decodesAll() && !References.inType(name)) {
      return null;
    }
    try {
      return described(name);
    } catch (UnsupportedTypeException e) {
      findings.skipped(
          String.format(
              Locale.ROOT,
              "whether the %ss of %s decode: only its program knows the type %s",
              part,
              root,
              name));
    } catch (RuntimeException e) {
      String message = "the " + part + " type " + name + " cannot be understood: " + e.getMessage();
      findings.problem("type", Reference.address(reference), null, message);
    }
    return null;
  }

  private Codec<Object> described(String name) {
    return NestedNames.isNested(name) ? references(name) : DescribedCodecs.of(name);
  }

  /** A codec that queues the structures to which values of this type lead. */
  private Codec<Object> references(String name) {
    return new ReferenceCheck(
        heap,
        NestedType.parse(name, heap.kinds()),
        types::get,
        reference -> {
          if (isFirstVisit(reference)) {
            named.computeIfAbsent(name, type -> new BlockSet(capacity)).add(reference);
          }
        });
  }

  /** Passes everything to the caller's findings; keeps the entries of the catalog's maps. */
  private final class Collector implements StructureFindings {
    @Override
    public void problem(String kind, long address, @Nullable String key, String message) {
      findings.problem(kind, address, key, message);
    }

    @Override
    public boolean owned(long reference) {
      return findings.owned(reference);
    }

    @Override
    public void cut(long first, long end) {
      findings.cut(first, end);
    }

    @Override
    public void object(long reference, long address, @Nullable Object key) {
      objects.add(reference, address, key);
    }

    @Override
    public void dangling(long address, @Nullable Object key, String message) {
      findings.dangling(address, key, message);
    }

    @Override
    public void undecodable(long address, @Nullable Object key, String message) {
      findings.undecodable(address, key, message);
    }

    @Override
    public void checked(long reference) {
      findings.checked(reference);
    }

    @Override
    public void counted() {
      if (collected == null) {
        findings.counted();
      }
    }

    @Override
    public void skipped(String what) {
      findings.skipped(what);
    }

    @Override
    public boolean wantsEntries() {
      return collected != null || findings.wantsEntries();
    }

    @Override
    public void entry(long node, Object key, Object value) {
      Map<String, Long> target = collected;
      if (target == null) {
        findings.entry(node, key, value);
      } else if (key instanceof byte[] name && value instanceof Long number) {
        target.put(Codecs.STRING.read(new CodecInput(name)), number);
      }
    }
  }
}
