package io.everheap.engine.tx;

/**
 * Keeps state in DRAM beside the write set, and follows its commits and rollbacks: the allocator.
 * Every method is called by the writer with the writer lock held.
 */
public interface CommitParticipant {
  /** Follows nothing. */
  CommitParticipant NONE =
      new CommitParticipant() {
        @Override
        public void prepare() {}

        @Override
        public void fresh(FreshBlocks sink) {}

        @Override
        public void applied() {}

        @Override
        public int mark() {
          return 0;
        }

        @Override
        public void rollbackTo(int mark) {}

        @Override
        public void reset() {}
      };

  /** Enumerates the blocks that were there before this transaction and that it frees. */
  default void freed(FreedBlocks sink) {}

  /** The outermost commit begins: deferred frees become stores. May throw; then all rolls back. */
  void prepare();

  /** Enumerates the blocks that this transaction allocated and did not free. */
  void fresh(FreshBlocks sink);

  /** The record was applied. Neither allocates on the Java heap nor throws. */
  void applied();

  /**
   * Whether an error of the virtual machine cut a change of the DRAM state in half, so that a
   * rollback could not restore it.
   */
  default boolean isTorn() {
    return false;
  }

  /** Position for a savepoint. */
  int mark();

  /** Undoes DRAM effects since {@code mark}; 0 undoes the whole transaction. */
  void rollbackTo(int mark);

  /** The transaction is over, one way or the other. */
  void reset();

  /** Receives blocks that are freed. */
  interface FreedBlocks {
    /**
     * One block.
     *
     * @param address of the header
     * @param bytes header and payload, a multiple of 8
     */
    void block(long address, long bytes);
  }

  /** Receives fresh blocks. */
  interface FreshBlocks {
    /**
     * One block whose bytes, header included, belong whole into the record.
     *
     * @param address of the header, a multiple of 16
     * @param bytes header and payload, a multiple of 8
     * @param header where its header stands in the write set, as {@link HeapMemory#stored} says
     */
    void block(long address, long bytes, int header);
  }
}
