package io.everheap.structure.common;

import io.everheap.engine.HeapContext;
import io.everheap.engine.tx.Snapshot;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A heap with the kinds of structures that it can hold, which {@code Structures} injects. */
public final class StructureContext extends HeapContext {
  private final Kinds kinds;
  private final Function<StructureContext, HeapNames> naming;
  private final Consumer<StructureContext> freeing;
  private final HeapNames names;

  /** The kinds of structures, as a structure sees them that others are nested in. */
  public interface Kinds {
    /** The kind of this name, or null. */
    @Nullable StructureKind named(String name);

    /**
     * The kind of the structure that a reference leads to. The caller keeps writers out, or
     * validates.
     *
     * @throws io.everheap.error.StaleReferenceException if it leads to no block
     * @throws io.everheap.error.CorruptHeapException if the block is not the header of a structure
     */
    StructureKind of(HeapContext heap, long reference);

    /** Whether all blocks of this type are headers of structures. */
    boolean isHeader(int type);
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
      Function<StructureContext, HeapNames> naming,
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
  public HeapNames names() {
    return names;
  }

  /** The types of the heap by number and by name. */
  public TypeNames types() {
    return names.types();
  }

  /** Frees all that is pending, in the background. */
  void scheduleFrees() {
    housekeeping(() -> freeing.accept(this));
  }
}
