package io.everheap.structure.common;

import io.everheap.engine.HeapContext;
import io.everheap.engine.tx.Snapshot;
import java.util.function.Function;

/** A heap with the kinds of structures that it can hold, which {@code Structures} injects. */
public final class StructureContext extends HeapContext {
  private final StructureKinds kinds;
  private final Freers freers;
  private final Function<StructureContext, HeapNames> naming;
  private final HeapNames names;

  /**
   * The heap with these kinds of structures.
   *
   * @param naming finds the tables of names of the heap
   */
  public StructureContext(
      HeapContext heap,
      StructureKinds kinds,
      Freers freers,
      Function<StructureContext, HeapNames> naming) {
    super(heap);
    this.kinds = kinds;
    this.freers = freers;
    this.naming = naming;
    this.names = naming.apply(this);
  }

  private StructureContext(StructureContext of, Snapshot snapshot) {
    super(of, snapshot);
    this.kinds = of.kinds;
    this.freers = of.freers;
    this.naming = of.naming;
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
  public StructureKinds kinds() {
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

  /** What frees large structures in the background. */
  public Freers freers() {
    return freers;
  }
}
