package io.everheap.engine.tx;

/**
 * Takes part in commits and rollbacks, because it keeps state in memory that must match the home
 * image: the allocator. Every method is called by the writer with the writer lock held.
 */
public interface CommitParticipant {
  /** A participant without state. */
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

  /** Enumerates the blocks that this transaction frees and that existed before it. */
  default void freed(FreedBlocks sink) {}

  /**
   * Called when the outermost commit begins: turns deferred frees into stores. If it throws, the
   * transaction is rolled back.
   */
  void prepare();

  /** Enumerates the blocks that this transaction allocated and did not free. */
  void fresh(FreshBlocks sink);

  /** Called when the record is applied. Neither allocates on the Java heap nor throws. */
  void applied();

  /**
   * Whether an error of the virtual machine interrupted a change of the state in memory, so that a
   * rollback could not restore it.
   */
  default boolean isTorn() {
    return false;
  }

  /** The present position in the undo log, for a savepoint. */
  int mark();

  /** Undoes the changes in memory since {@code mark}; 0 undoes the whole transaction. */
  void rollbackTo(int mark);

  /** Called when the transaction has ended, by commit or rollback. */
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
     * One block, all bytes of which, including the header, go into the record.
     *
     * @param address of the header, a multiple of 16
     * @param bytes header and payload, a multiple of 8
     * @param header index of the header's word in the write set; see {@link HeapMemory#stored}
     */
    void block(long address, long bytes, int header);
  }
}
