package io.everheap.engine;

import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.engine.tx.Transactions;
import io.everheap.log.Terms;
import io.everheap.memory.MediumFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * How far a heap follows another one, kept in reserved words of its catalog and stored by each
 * transaction that applies one of the other heap, so that it is right after any crash:
 *
 * <pre>
 * word 1  line of the primary, 0 in a heap that is no replica
 *      2  LSN of the primary behind the last transaction that was applied
 *      3  CRC of the part before that LSN
 *      4  term of the primary; see {@link Terms}
 *      5  line before the last promotion, 0 if there was none
 *      6  LSN of that line at the promotion
 *      7  CRC of the part before that LSN
 *      8  LSN of this heap from which on it was the primary
 *      9  term with which the next opening promotes it; 0 if it does not
 *     10  random number that tells this replica from others; 0 if it has none
 *     11  time of creation, in the superblock, of the files for which word 10 was made
 * </pre>
 *
 * A line is the log of one heap that was written without a restore in between, named by the time at
 * which its superblock says that it was created.
 *
 * @param line of the primary; 0 for none
 * @param lsn up to which it is followed
 * @param chain CRC of the part before that LSN
 */
public record ReplicaPosition(long line, long lsn, int chain) {
  /** The position of a heap that follows no other one. */
  public static final ReplicaPosition NONE = new ReplicaPosition(0, 0, 0);

  private static final int TERM = 3;
  private static final int ANCESTOR = 4;
  private static final int BEGINNING = 7;
  private static final int DECIDED = 8;
  private static final int IDENTITY = 9;
  private static final int IDENTIFIED = 10;

  /**
   * The line that a primary continued when it was promoted.
   *
   * @param end where the line before ended for it; {@link #NONE} if it was never promoted
   * @param beginning LSN of its own line that is the same state
   */
  public record Ancestor(ReplicaPosition end, long beginning) {
    /** Stores it, in the running transaction. */
    void write(HeapMemory memory) {
      end.write(memory, ANCESTOR);
      memory.putLong(Stripes.NONE, address(BEGINNING), beginning);
    }
  }

  private static long address(int word) {
    return HomeLayout.REPLICA_ADDRESS + 8L * word;
  }

  /** Reads the position; consistent if no transaction is applied meanwhile. */
  public static ReplicaPosition read(HeapMemory memory) {
    return read(memory, 0);
  }

  private static ReplicaPosition read(HeapMemory memory, int word) {
    return new ReplicaPosition(
        memory.getLong(address(word)),
        memory.getLong(address(word + 1)),
        (int) memory.getLong(address(word + 2)));
  }

  /** Reads the term. */
  public static long term(HeapMemory memory) {
    return memory.getLong(address(TERM));
  }

  /** Reads where the line of this heap began. */
  public static Ancestor ancestor(HeapMemory memory) {
    return new Ancestor(read(memory, ANCESTOR), memory.getLong(address(BEGINNING)));
  }

  /**
   * Compares the page of the position with its checksum, before a heap is refused by it.
   *
   * @throws io.everheap.error.CorruptException if it is damaged
   */
  public static void requireSound(HeapMemory memory) {
    memory.requireSound(address(0), Long.BYTES);
  }

  /** The bytes of the words. */
  ByteBuffer encode() {
    ByteBuffer b = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
    return b.putLong(line).putLong(lsn).putLong(chain).flip();
  }

  /** Stores the position, in the running transaction. */
  void write(HeapMemory memory) {
    write(memory, 0);
  }

  private void write(HeapMemory memory, int word) {
    memory.putLong(Stripes.NONE, address(word), line);
    memory.putLong(Stripes.NONE, address(word + 1), lsn);
    memory.putLong(Stripes.NONE, address(word + 2), chain);
  }

  /** Stores the term, in the running transaction. */
  static void writeTerm(HeapMemory memory, long term) {
    memory.putLong(Stripes.NONE, address(TERM), term);
  }

  /** Reads the identity of a replica whose files were made at a time; 0 if it has none. */
  static long identity(HeapMemory memory, long created) {
    boolean own = memory.getLong(address(IDENTIFIED)) == created; // else it came with the pages
    return own ? memory.getLong(address(IDENTITY)) : 0;
  }

  /** Stores the identity, in the running transaction. */
  static void identify(HeapMemory memory, long id, long created) {
    memory.putLong(Stripes.NONE, address(IDENTITY), id);
    memory.putLong(Stripes.NONE, address(IDENTIFIED), created);
  }

  /** Whether the next opening promotes the replica. */
  public static boolean isDecided(HeapMemory memory) {
    return memory.getLong(address(DECIDED)) != 0;
  }

  /**
   * Stores that the next opening promotes the replica, in the running transaction.
   *
   * @return the new term
   */
  static long decide(HeapMemory memory) {
    long term = Terms.next(term(memory));
    memory.putLong(Stripes.NONE, address(DECIDED), term);
    return term;
  }

  /**
   * Gives the decision in a home file that is being restored, if there is one, another term than
   * that of the heap that was backed up.
   */
  static void decideAnew(MediumFile home) {
    ByteBuffer words = ByteBuffer.allocate(8 * (DECIDED + 1 - TERM)).order(ByteOrder.LITTLE_ENDIAN);
    home.read(words, address(TERM));
    if (words.getLong(8 * (DECIDED - TERM)) != 0) {
      long term = Terms.next(words.getLong(0));
      home.write(
          ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, term), address(DECIDED));
    }
  }

  /** Drops a decision, which another replica made, in the running transaction. */
  static void dropDecision(HeapMemory memory) {
    if (isDecided(memory)) {
      memory.putLong(Stripes.NONE, address(DECIDED), 0);
    }
  }

  /**
   * Makes a replica, which was opened as an ordinary heap and not changed since, a primary: its
   * line begins here, with a new term, in one durable transaction.
   *
   * @param beginning end of the log at the opening
   */
  public static void promote(Transactions transactions, long beginning) {
    HeapMemory memory = transactions.memory();
    transactions.run(
        () -> {
          transactions.wantSync(true);
          ReplicaPosition end = read(memory);
          if (end.line != 0) { // else it was promoted before, and its line goes on
            new Ancestor(end, beginning).write(memory);
            NONE.write(memory);
          }
          long term = term(memory);
          long decided = memory.getLong(address(DECIDED));
          writeTerm(memory, decided > term ? decided : Terms.next(term));
          memory.putLong(Stripes.NONE, address(DECIDED), 0);
        });
  }
}
