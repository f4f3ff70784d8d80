package io.everheap.report;

import java.util.List;

/**
 * What {@code Heap.verify} or {@code HeapBuilder.verify} found.
 *
 * @param problems none in a sound heap; at most {@link #MAX_PROBLEMS} of them
 * @param found how many problems there are, listed or not
 * @param dangling references to objects and structures that are gone: the program freed them, or
 *     kept handles of a transaction that was rolled back. They are no damage: what holds them can
 *     be read, and they can be removed. At most {@link #MAX_PROBLEMS} of them
 * @param foundDangling how many such references there are, listed or not
 * @param notChecked what could not be looked at, and why; it may be sound
 * @param roots checked
 * @param entries of collections checked
 * @param unreachable structures that are whole, but that no root leads to: made without a name, and
 *     not freed. They are no damage
 * @param blocks allocated
 * @param bytes in these blocks
 * @param replayed transactions that opening the heap took from its log
 * @param replayedBytes of the log that they take
 * @param tornBytes of an unfinished record at the end of the log, as a crash leaves it
 */
public record VerifyReport(
    List<Problem> problems,
    long found,
    List<Problem> dangling,
    long foundDangling,
    List<String> notChecked,
    long roots,
    long entries,
    long unreachable,
    long blocks,
    long bytes,
    long replayed,
    long replayedBytes,
    long tornBytes) {

  /** More problems than these are counted, but not listed. */
  public static final int MAX_PROBLEMS = 1000;

  /** Copies the lists. */
  public VerifyReport {
    problems = List.copyOf(problems);
    dangling = List.copyOf(dangling);
    notChecked = List.copyOf(notChecked);
  }

  /** Whether there is no problem; {@link #dangling} references are none. */
  public boolean ok() {
    return found == 0;
  }

  /**
   * Something that is not as it must be.
   *
   * @param kind one of these texts, which stay the same across releases:
   *     <dl>
   *       <dt>{@code superblock}
   *       <dd>a superblock is damaged; the heap opens by the other one, if that is sound
   *       <dt>{@code log}
   *       <dd>something in the log that was durable is damaged or missing
   *       <dt>{@code home file}
   *       <dd>the home image cannot be opened: it is cut off, or its first words make no sense
   *       <dt>{@code checksum}
   *       <dd>a page of the home image does not have its checksum
   *       <dt>{@code allocation}
   *       <dd>chunk tables, bitmaps and block headers disagree
   *       <dt>{@code leak}
   *       <dd>a block is allocated, but nothing owns it
   *       <dt>{@code double reference}
   *       <dd>a block is owned twice
   *       <dt>{@code reference}
   *       <dd>a reference leads to a free block, to one of another generation or type, or to none
   *       <dt>{@code map}, {@code count}, {@code chain}, {@code node}, {@code value}, {@code entry}
   *       <dd>the header, the count, a chain, a node, a large value, or the encoding of an entry of
   *           a map is damaged
   *       <dt>{@code object}
   *       <dd>an object does not fit its stored type; a field that does not decode is a {@code
   *           value}
   *       <dt>{@code type}
   *       <dd>the type table or the types of a map are damaged
   *       <dt>{@code catalog}
   *       <dd>the map of roots is damaged
   *       <dt>{@code pending frees}
   *       <dd>the list of blocks that are still to be freed is damaged
   *       <dt>{@code dangling reference}
   *       <dd>in {@link VerifyReport#dangling} only: what a reference led to is gone
   *     </dl>
   *
   * @param root name of the root that owns the place, several with commas between them; {@code the
   *     map of roots}, {@code the map of types}, {@code pending frees} or {@code a structure that
   *     no root leads to} for what belongs to none; empty if nothing owns it
   * @param file relative to the heap's directory
   * @param offset in the file, in bytes; the address, in the home image
   * @param key of the entry concerned, as text; empty if there is none
   * @param message what was found
   */
  public record Problem(
      String kind, String root, String file, long offset, String key, String message) {
    /** Where it is, for people. */
    public String where() {
      return file + " byte " + offset + (key.isEmpty() ? "" : ", key " + key);
    }

    @Override
    public String toString() {
      return kind + " at " + where() + (root.isEmpty() ? "" : " of " + root) + ": " + message;
    }
  }
}
