package io.everheap.structure.common;

import io.everheap.durable.type.StoredTypes;
import io.everheap.engine.HeapContext;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.Snapshot;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A heap with the kinds of structures that it can hold, which {@code Structures} injects. */
public final class StructureContext extends HeapContext {
  private final Kinds kinds;
  private final Function<StructureContext, Names> naming;
  private final Consumer<StructureContext> freeing;
  private final Names names;

  /** The kinds of structures, as a structure sees them that others are nested in. */
  public interface Kinds {
    /** The kind of this name, or null. */
    @Nullable StructureKind named(String name);

    /**
     * The kind of the structure that a reference leads to. The caller keeps writers out, or
     * validates.
     *
     * @throws io.everheap.error.GoneException if it leads to no block
     * @throws io.everheap.error.CorruptException if the block is not the header of a structure
     */
    StructureKind of(HeapContext heap, long reference);

    /** Whether all blocks of this type are headers of structures. */
    boolean isHeader(int type);
  }

  /** The types of a heap by number and by name. */
  public interface Types extends StoredTypes {
    /** The name of the type with this number, or what says that there is none. */
    String name(long number);

    /** The number of a type, or 0 if there is none of this name. */
    long find(String name);
  }

  /** The tables of names that a heap keeps, which are structures themselves. */
  public interface Names {
    /** The types by number. */
    StructureContext.Types types();

    /** Whether this is the reference of the table of roots. */
    boolean isRootTable(long reference);

    /** The name of the root with this reference, or null; looks through all roots. */
    @Nullable String rootName(long reference);
  }

  /**
   * The heap with these kinds of structures.
   *
   * @param naming finds the tables of names of the heap
   * @param freeing frees all that is pending, in steps of one transaction each
   */
  public StructureContext(
      HeapContext heap,
      Kinds kinds,
      Function<StructureContext, Names> naming,
      Consumer<StructureContext> freeing) {
    super(heap);
    this.kinds = kinds;
    this.naming = naming;
    this.freeing = freeing;
    this.names = naming.apply(this);
  }

  private StructureContext(StructureContext of, Snapshot snapshot) {
    super(of, snapshot);
    this.kinds = of.kinds;
    this.naming = of.naming;
    this.freeing = of.freeing;
    this.names = naming.apply(this);
  }

  /**
   * The same heap with the blocks that it had when a snapshot was taken: for what reads structures
   * while writers go on. Nothing can be stored through it.
   */
  public StructureContext at(Snapshot snapshot) {
    return new StructureContext(this, snapshot);
  }

  /** The kinds of structures. */
  public Kinds kinds() {
    return kinds;
  }

  /** The tables of names of the heap. */
  public Names names() {
    return names;
  }

  /** The types of the heap by number and by name. */
  public Types types() {
    return names.types();
  }

  /**
   * Says in messages which structure holds a value: the name of its root, if it is one. All roots
   * are looked through, so it is for failures only.
   */
  public Supplier<String> holder(long reference) {
    return () -> {
      try {
        if (names.isRootTable(reference)) {
          return "the table of roots"; // which cannot be looked through for its own name
        }
        String name = names.rootName(reference);
        if (name != null) {
          return "the root " + name;
        }
      } catch (RuntimeException e) {
        // it has no name that can be found
      }
      return "the structure at 0x" + Long.toHexString(Reference.address(reference));
    };
  }

  /** Frees all that is pending, in the background; of a full heap, before the next transaction. */
  void scheduleFrees() {
    if (isNearlyFull()) {
      transactions().room().want();
    }
    housekeeping(this::finishFrees);
  }

  /** Frees all that is pending, in steps of one transaction each; not inside a transaction. */
  public void finishFrees() {
    freeing.accept(this);
  }
}
