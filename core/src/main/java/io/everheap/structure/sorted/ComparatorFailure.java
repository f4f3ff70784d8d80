package io.everheap.structure.sorted;

/** Carries what a comparator threw out to the caller of the collection's method. */
public final class ComparatorFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final RuntimeException thrown;

  ComparatorFailure(RuntimeException thrown) {
    super(null, thrown, false, false);
    this.thrown = thrown;
  }

  public RuntimeException thrown() {
    return thrown;
  }
}
