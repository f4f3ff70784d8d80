package io.everheap.report;

import io.everheap.stability.Evolving;
import java.util.List;

/**
 * The result of {@code Heap.verify} or {@code HeapCheck.verify}.
 *
 * @param problems empty for a sound heap; at most {@link #MAX_PROBLEMS} of them
 * @param found how many problems there are, listed or not
 * @param dangling references to objects and structures that do not exist: the program freed them,
 *     or kept handles of a transaction that was rolled back. They are not damage: the structures
 *     and objects that hold them can be read, and the references can be removed. At most {@link
 *     #MAX_PROBLEMS} of them
 * @param foundDangling how many such references there are, listed or not
 * @param undecodable values that are sound, but name what this JVM lacks, such as a time zone. They
 *     are not damage: another JVM can decode them. At most {@link #MAX_PROBLEMS} of them
 * @param foundUndecodable how many such values there are, listed or not
 * @param unreferenced raw blocks that are no roots and whose handle was found nowhere in the heap,
 *     except in other blocks of this kind. They are not damage, and no proof of a leak: the program
 *     may keep their handles outside of the heap, in a region, or in another form than as 8 bytes
 *     in a row. At most {@link #MAX_PROBLEMS} of them
 * @param foundUnreferenced how many such blocks there are, listed or not
 * @param unreferencedBytes that they take, headers and rounding included
 * @param notChecked what could not be checked, and why; it may be sound
 * @param roots checked
 * @param entries of collections checked
 * @param unreachable structures that no root leads to: made without a name, and not freed. They are
 *     not damage
 * @param blocks allocated
 * @param bytes in these blocks
 * @param replayed transactions that the opening of the heap replayed from its log
 * @param replayedBytes of log that they take
 * @param tornBytes of an unfinished record at the end of the log, as a crash leaves it
 * @since 0.9
 */
@Evolving
public record VerifyReport(
    List<Problem> problems,
    long found,
    List<Problem> dangling,
    long foundDangling,
    List<Problem> undecodable,
    long foundUndecodable,
    List<RawBlock> unreferenced,
    long foundUnreferenced,
    long unreferencedBytes,
    List<String> notChecked,
    long roots,
    long entries,
    long unreachable,
    long blocks,
    long bytes,
    long replayed,
    long replayedBytes,
    long tornBytes) {

  /** The maximum length of each list; further problems are counted, but not listed. */
  public static final int MAX_PROBLEMS = 1000;

  /** Copies the lists. */
  public VerifyReport {
    problems = List.copyOf(problems);
    dangling = List.copyOf(dangling);
    undecodable = List.copyOf(undecodable);
    unreferenced = List.copyOf(unreferenced);
    notChecked = List.copyOf(notChecked);
  }

  /**
   * Whether there is no problem; {@link #dangling}, {@link #undecodable} and {@link #unreferenced}
   * do not count.
   */
  public boolean ok() {
    return found == 0;
  }

  /**
   * A raw block.
   *
   * @param handle by which {@code heap.blocks()} finds it
   * @param size in bytes, as it was allocated
   * @param offset of the block in the home image, in bytes
   */
  public record RawBlock(long handle, long size, long offset) {}

  /**
   * A place that is damaged or inconsistent.
   *
   * @param kind one of these texts, which stay the same across releases:
   *     <dl>
   *       <dt>{@code superblock}
   *       <dd>a superblock is damaged; the heap opens by the other one, if that is sound
   *       <dt>{@code log}
   *       <dd>something in the log that was durable is damaged or missing
   *       <dt>{@code home file}
   *       <dd>the home image cannot be opened: it is truncated, or its first words are invalid
   *       <dt>{@code checksum}
   *       <dd>a page of the home image does not match its checksum
   *       <dt>{@code allocation}
   *       <dd>chunk tables, bitmaps and block headers disagree
   *       <dt>{@code leak}
   *       <dd>a block is allocated, but nothing owns it
   *       <dt>{@code double reference}
   *       <dd>a block has two owners
   *       <dt>{@code reference}
   *       <dd>a reference leads to a free block, to one of another generation or type, or to no
   *           block
   *       <dt>{@code map}, {@code count}, {@code chain}, {@code node}, {@code value}, {@code entry}
   *       <dd>the header, the count, a chain, a node, a large value, or the encoding of an entry of
   *           a map is damaged
   *       <dt>{@code object}
   *       <dd>an object does not match its stored type; a field that does not decode is a {@code
   *           value}
   *       <dt>{@code type}
   *       <dd>the type table or the types of a map are damaged
   *       <dt>{@code catalog}
   *       <dd>the map of roots is damaged
   *       <dt>{@code pending frees}
   *       <dd>the list of blocks that are still to be freed is damaged
   *       <dt>{@code dangling reference}
   *       <dd>in {@link VerifyReport#dangling} only: the target of a reference does not exist
   *       <dt>{@code undecodable}
   *       <dd>in {@link VerifyReport#undecodable} only: this JVM lacks what a sound value names
   *     </dl>
   *
   * @param root name of the root that owns the place, several separated by commas; {@code the map
   *     of roots}, {@code the map of types}, {@code pending frees} or {@code a structure that no
   *     root leads to} for a place that belongs to no root; empty if nothing owns it
   * @param file relative to the heap's directory
   * @param offset in the file, in bytes; the address, in the home image
   * @param key of the entry concerned, as text; empty if there is none
   * @param message what was found
   */
  public record Problem(
      String kind, String root, String file, long offset, String key, String message) {
    /** The place, as text for people. */
    public String where() {
      return file + " byte " + offset + (key.isEmpty() ? "" : ", key " + key);
    }

    @Override
    public String toString() {
      return kind + " at " + where() + (root.isEmpty() ? "" : " of " + root) + ": " + message;
    }
  }
}
