package io.everheap.gc;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.reference.References;
import io.everheap.durable.type.ObjectImage;
import io.everheap.durable.type.ObjectLayout;
import io.everheap.durable.type.TypeDescriptor;
import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.alloc.SlotShape;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Snapshot;
import io.everheap.error.CorruptException;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureFindings;
import io.everheap.structure.common.StructureKind;
import io.everheap.structure.names.NameTables;
import io.everheap.structure.names.TypeTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Marks the objects and structures that are reachable from the roots in a snapshot of the heap. It
 * knows the places of references from the stored types alone, without the program's classes.
 *
 * <p>Anything that it cannot interpret ends it with a {@link CorruptException}, because a block
 * that it does not reach is freed. Used by one thread.
 */
final class Marker implements MarkCodecs.Found {
  private final StructureContext view;
  private final HeapMemory memory;
  private final Allocator allocator;
  private final MarkBits marks;
  private final MarkBits owned;
  private final MarkQueue queue;
  private final MarkStack overflow;
  private final MarkBatch batch;
  private final MarkStack structures;
  private final MarkCodecs codecs = new MarkCodecs(this);
  private final Map<Long, String> types = new HashMap<>();
  private final List<@Nullable ObjectScan> scans = new ArrayList<>();
  private final boolean[] headers = new boolean[BlockType.FIRST_USER_TYPE];
  private final Findings findings = new Findings();
  private final LongConsumer steps;
  private long liveObjects;
  private long liveStructures;
  private final int step;
  private int work;

  /**
   * Creates a marker.
   *
   * @param view the heap as of the snapshot
   * @param live the heap as it is now
   * @param snapshot the snapshot
   * @param marks receives the reachable blocks
   * @param effort how the work is divided
   * @param steps called between steps with the number of objects and structures marked so far; what
   *     it throws ends the marking
   */
  Marker(
      StructureContext view,
      HeapMemory live,
      Snapshot snapshot,
      MarkBits marks,
      Effort effort,
      LongConsumer steps) {
    this.batch = new MarkBatch(live, snapshot);
    this.step = effort.step();
    this.view = view;
    this.memory = view.memory();
    this.allocator = view.allocator();
    this.marks = marks;
    this.steps = steps;
    long capacity = memory.getLong(HomeLayout.CAPACITY_ADDRESS);
    this.owned = new MarkBits(capacity);
    this.queue = new MarkQueue(capacity, effort.maxQueued());
    this.overflow = new MarkStack(memory, capacity, 0);
    this.structures = new MarkStack(memory, capacity, effort.maxQueued());
    for (int type = 0; type < headers.length; type++) {
      headers[type] = view.kinds().isHeader(type);
    }
  }

  long liveObjects() {
    return liveObjects;
  }

  long liveStructures() {
    return liveStructures;
  }

  /** Marks everything that the roots lead to. */
  void markRoots() {
    names(TypeTable.CATALOG_WORD).forEach((name, number) -> types.put(number, name));
    Map<String, Long> roots = names(NameTables.ROOTS_WORD);
    for (int word = 0; word < HomeLayout.FREE_CATALOG_WORDS; word++) {
      suspected(catalog(word)); // the maps of types and roots are marked already
    }
    run();
    for (Map.Entry<String, Long> root : roots.entrySet()) {
      try {
        root(root.getValue());
        run();
      } catch (CorruptException e) {
        Damage.rethrowOfLog(e);
        CorruptException named =
            CorruptException.heap("in the root " + root.getKey() + ": " + e.getMessage());
        named.addSuppressed(e);
        throw named;
      }
    }
  }

  /** Reads a map of the catalog, whose types have no numbers, and marks it. */
  private Map<String, Long> names(int word) {
    long map = catalog(word);
    Map<String, Long> names = NameMap.read(view, map);
    if (map != Reference.NULL) {
      marks.add(map);
    }
    return names;
  }

  private void root(long reference) {
    long header = allocator.find(reference);
    if (header == 0) {
      throw CorruptException.heap("it leads to no block: " + Reference.describe(reference));
    }
    if (Allocator.typeOf(header) != BlockType.RAW) {
      reference(reference);
    }
  }

  private long catalog(int word) {
    return memory.getLong(view.catalog(word));
  }

  /** Marks what a reference leads to, and all that this leads to. */
  void mark(long reference) {
    reference(reference);
    run();
  }

  private void run() {
    while (true) {
      followAll();
      long structure = structures.pop();
      if (structure == Reference.NULL) {
        return;
      }
      scanStructure(structure);
    }
  }

  /** Empties the queue; structures that are found stay on their stack. */
  private void followAll() {
    while (true) {
      int block = queue.takeChunk();
      if (block != 0) {
        follow(block);
      } else {
        long object = overflow.pop();
        if (object == Reference.NULL) {
          return;
        }
        scanObject(object, memory.getLong(Reference.address(object)));
      }
    }
  }

  private void follow(int first) {
    int block = first;
    while (block != 0) {
      int count = 0;
      while (block != 0 && count <= MarkBatch.MAX_REFERENCES - MarkQueue.BLOCK_CAPACITY) {
        long word = queue.drain(block, batch.references, count);
        count += (int) word & MarkQueue.BLOCK_CAPACITY;
        block = (int) (word >>> 4);
      }
      boolean loaded = batch.load(count, scans);
      for (int i = 0; i < count; i++) {
        if (loaded && batch.isObject(i)) {
          markObject(i);
        } else {
          visit(batch.references[i], true);
        }
      }
    }
  }

  private void markObject(int i) {
    if (marks.add(batch.references[i])) {
      liveObjects++;
      step();
      for (int at = batch.start(i); at < batch.end(i); at++) {
        reference(batch.found(at));
      }
    }
  }

  private void step() {
    if (++work >= step) {
      work = 0;
      steps.accept(liveObjects + liveStructures);
    }
  }

  /** Queues a reference for marking. */
  @Override
  public void reference(long reference) {
    if (reference != Reference.NULL && !queue.add(reference)) {
      visit(reference, false);
    }
  }

  /**
   * Marks what a reference leads to.
   *
   * @param now whether to look into an object at once
   */
  private void visit(long reference, boolean now) {
    long header = allocator.find(reference);
    if (header == 0) {
      return; // the program freed it
    }
    int type = Allocator.typeOf(header);
    if (ObjectImage.isObject(type)) {
      if (marks.add(reference)) {
        liveObjects++;
        if (now) {
          scanObject(reference, header);
        } else {
          overflow.push(reference);
        }
      }
    } else if (type < headers.length && headers[type]) {
      if (marks.add(reference)) {
        liveStructures++;
        structures.push(reference);
      }
    } else {
      throw CorruptException.heap(
          "the reference "
              + Reference.describe(reference)
              + " leads to a block of type "
              + type
              + ", no object and no structure");
    }
  }

  /** Marks what a word leads to, if it is a reference to an object or structure. */
  @Override
  public void suspected(long word) {
    long header = allocator.find(word);
    if (header != 0) {
      int type = Allocator.typeOf(header);
      if (ObjectImage.isObject(type) || (type < headers.length && headers[type])) {
        reference(word);
      }
    }
  }

  private void scanObject(long reference, long header) {
    step();
    long address = Reference.address(reference);
    int type = Allocator.typeOf(header);
    if (type == ObjectLayout.MOVED) {
      scanBody(reference, address);
      return;
    }
    ObjectScan scan = scan(ObjectLayout.number(type));
    if (allocator.size(reference, header) < scan.payload) {
      throw damaged(reference, "it is smaller than its type");
    }
    scanFields(address, scan);
  }

  private void scanBody(long reference, long address) {
    long body = memory.getLong(address + ObjectLayout.TO_BODY);
    long header = allocator.find(body);
    if (header == 0 || Allocator.typeOf(header) != ObjectLayout.BODY) {
      throw damaged(reference, "its body is missing at " + Reference.describe(body));
    }
    long start = Reference.address(body);
    ObjectScan scan = scan(memory.getLong(start + ObjectLayout.VERSION));
    if (allocator.size(body, header) < scan.payload + 8L) {
      throw damaged(reference, "its body is smaller than its type");
    }
    scanFields(start + ObjectLayout.BODY_BASE, scan);
  }

  private void scanFields(long base, ObjectScan scan) {
    for (int offset : scan.references) {
      reference(memory.getLong(base + offset));
    }
    for (int i = 0; i < scan.words.length; i++) {
      long flag = base + scan.flags[i];
      if ((memory.getLong(flag & -8) >>> ((flag & 7) << 3) & 0xff) != 0) {
        reference(memory.getLong(base + scan.words[i]));
      }
    }
    for (int i = 0; i < scan.cells.length; i++) {
      long cell = memory.getLong(base + scan.cells[i]);
      if (cell != Reference.NULL) {
        scanCell(cell, scan.codecs.get(i));
      }
    }
  }

  private void scanCell(long cell, Codec<Object> codec) {
    long header = allocator.find(cell);
    if (header == 0 || Allocator.typeOf(header) != ObjectLayout.CELL) {
      throw damaged(cell, "the value of a field is missing");
    }
    long size = allocator.size(cell, header);
    if (size < 0 || size > Integer.MAX_VALUE - 16) {
      throw damaged(cell, "the value of a field has " + size + " bytes");
    }
    byte[] bytes = new byte[(int) size];
    if (bytes.length > 0) {
      memory.copyOut(Reference.payload(cell), bytes, 0, bytes.length);
    }
    CodecInput in = new CodecInput(bytes);
    Object _ = codec.read(in);
    in.expectEnd();
  }

  private ObjectScan scan(long number) {
    if (number > 0 && number < scans.size()) {
      ObjectScan known = scans.get((int) number);
      if (known != null) {
        return known;
      }
    }
    String text = types.get(number);
    if (text == null || !TypeDescriptor.isText(text)) {
      throw CorruptException.heap(
          text == null
              ? "no type has the number " + number
              : "type number " + number + " is " + text + ", no type of objects");
    }
    ObjectLayout layout = ObjectLayout.of(TypeDescriptor.parse(text));
    SlotShape shape = allocator.shape(ObjectLayout.blockType(number), layout.payload());
    ObjectScan scan = new ObjectScan(layout, codecs, shape);
    while (scans.size() <= number) {
      scans.add(null);
    }
    scans.set((int) number, scan);
    return scan;
  }

  private void scanStructure(long reference) {
    step();
    StructureKind kind = view.kinds().of(view, reference);
    long[] numbers = kind.types(view, reference);
    List<@Nullable Codec<?>> marking = new ArrayList<>();
    boolean hasReferences = false;
    for (int i = 0; i < numbers.length; i++) {
      if (kind.parts().get(i).codec()) {
        String type = types.get(numbers[i]);
        if (type == null) {
          throw damaged(reference, "its type number " + numbers[i] + " has no name");
        }
        marking.add(References.inType(type) ? codecs.of(type) : null);
        hasReferences |= References.inType(type);
      }
    }
    if (hasReferences) {
      kind.verify(view, reference, marking, findings);
      findings.requireSound(reference);
    }
  }

  private static CorruptException damaged(long reference, String why) {
    return CorruptException.heap(
        "what is at " + Reference.describe(reference) + " is damaged: " + why);
  }

  /** Receives the findings of the checks of structures; remembers the first problem. */
  private final class Findings implements StructureFindings {
    private @Nullable String problem;

    void requireSound(long reference) {
      if (problem != null) {
        throw damaged(reference, problem);
      }
    }

    @Override
    public void problem(String kind, long address, @Nullable String key, String message) {
      if (problem == null) {
        problem = message;
      }
    }

    @Override
    public boolean owned(long reference) {
      step();
      if (queue.isHalfFull()) {
        followAll();
      }
      boolean first = owned.add(reference);
      if (!first) {
        problem("reference", Reference.address(reference), null, "a block has two owners");
      }
      return first;
    }

    @Override
    public void skipped(String what) {
      problem("value", 0, null, "it cannot be read: " + what);
    }
  }
}
