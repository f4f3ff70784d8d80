package io.everheap.structure.deque;

import static io.everheap.structure.deque.DequeLayout.CHUNK_PLACES;

import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.error.GoneException;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureHeader;
import io.everheap.structure.common.ValueCells;
import io.everheap.structure.list.TreeLayout;
import org.jspecify.annotations.Nullable;

/**
 * The words of a deque in chunks. Adding at an end stores two words, removing there one, and now
 * and then a chunk comes or goes; removing in between marks a place as gone. Changes need a
 * transaction. One stripe guards it all.
 */
public final class DequeChunks extends StructureHeader {
  private static final int PLACE_MASK = CHUNK_PLACES - 1;

  private final long at;
  private final int stripe;
  private final @Nullable ValueCells cells;

  /**
   * The chunks of a deque.
   *
   * @param reference of the header, which exists
   * @param offset of the words in the header's block
   */
  public DequeChunks(StructureContext heap, long reference, int offset) {
    this(heap, reference, offset, false);
  }

  /** The chunks of a deque that is gone: {@link #checkAlive} throws. */
  public static DequeChunks dead(StructureContext heap, long reference) {
    return new DequeChunks(heap, reference, 8, true);
  }

  private DequeChunks(StructureContext heap, long reference, int offset, boolean dead) {
    super(heap.memory(), heap.allocator(), reference, dead);
    this.at = header + offset;
    this.stripe = TreeLayout.stripe(header);
    this.cells = words() ? null : new ValueCells(memory, allocator);
  }

  /** What readers validate. */
  public int stripe() {
    return stripe;
  }

  /** Address of the words in the header. */
  public long at() {
    return at;
  }

  private long get(int word) {
    return memory.getLong(at + word);
  }

  private void put(int word, long value) {
    memory.putLong(stripe, at + word, value);
  }

  /** Whether words are values, and not references of cells. */
  public boolean words() {
    return get(DequeLayout.KIND) == 1;
  }

  /** The position of the first element. */
  public long head() {
    return get(DequeLayout.HEAD);
  }

  /** The position behind the last element. */
  public long tail() {
    return get(DequeLayout.TAIL);
  }

  long gone() {
    return get(DequeLayout.GONE);
  }

  public long size() {
    return tail() - head() - gone();
  }

  public long firstChunk() {
    return get(DequeLayout.FIRST);
  }

  long lastChunk() {
    return get(DequeLayout.LAST);
  }

  // ---- Both ends ------------------------------------------------------------------------------

  /** Whether adding at an end needs no chunk: two stores, of which the first one shows nothing. */
  public boolean hasPlace(boolean front) {
    long end = front ? head() : tail();
    return (end & PLACE_MASK) != 0 && (front ? firstChunk() : lastChunk()) != Reference.NULL;
  }

  /** Whether removing an element, if there is one, is one store that frees nothing. */
  public boolean removesAtOnce(boolean front) {
    long left = front ? head() + 1 : tail() - 1;
    return cells == null && (left & PLACE_MASK) != 0 && gone() == 0;
  }

  /** The word at the front of a deque that is not empty. */
  public long first() {
    return memory.getLong(DequeLayout.place(firstChunk(), head()));
  }

  /** The word at the back of a deque that is not empty. */
  public long last() {
    return memory.getLong(DequeLayout.place(lastChunk(), tail() - 1));
  }

  public void addLast(long word) {
    long tail = tail();
    long last = lastChunk();
    if ((tail & PLACE_MASK) != 0 && last != Reference.NULL) {
      requireChunk(last);
      memory.putLong(stripe, DequeLayout.place(last, tail), word);
    } else {
      long chunk = newChunk(tail, word, last, Reference.NULL);
      put(DequeLayout.LAST, chunk);
      if (last == Reference.NULL) {
        put(DequeLayout.FIRST, chunk);
      } else {
        link(last, DequeLayout.NEXT, chunk);
      }
    }
    put(DequeLayout.TAIL, tail + 1);
  }

  public void addFirst(long word) {
    long head = head();
    long first = firstChunk();
    if ((head & PLACE_MASK) != 0 && first != Reference.NULL) {
      requireChunk(first);
      memory.putLong(stripe, DequeLayout.place(first, head - 1), word);
    } else {
      long chunk = newChunk(head - 1, word, Reference.NULL, first);
      put(DequeLayout.FIRST, chunk);
      if (first == Reference.NULL) {
        put(DequeLayout.LAST, chunk);
      } else {
        link(first, DequeLayout.PREVIOUS, chunk);
      }
    }
    put(DequeLayout.HEAD, head - 1);
  }

  private long newChunk(long position, long word, long previous, long next) {
    long chunk = allocator.allocate(BlockType.DEQUE_CHUNK, DequeLayout.CHUNK_BYTES);
    long address = Reference.address(chunk);
    memory.initLong(address + DequeLayout.BASE, DequeLayout.base(position));
    memory.initLong(address + DequeLayout.PREVIOUS, previous);
    memory.initLong(address + DequeLayout.NEXT, next);
    memory.initLong(DequeLayout.place(chunk, position), word);
    return chunk;
  }

  /** Removes the first element and frees what it leads to. */
  public void removeFirst() {
    long head = head();
    if (cells != null) {
      freeCell(first());
    }
    long gone = gone();
    long before = gone;
    head++;
    if (gone == 0 && (head & PLACE_MASK) != 0) {
      put(DequeLayout.HEAD, head);
      return;
    }
    long tail = tail();
    while (true) {
      if ((head & PLACE_MASK) == 0) {
        long next = dropFirst();
        if (next == Reference.NULL) {
          break;
        }
        long base = before == 0 ? head : base(next);
        gone -= base - head;
        head = base;
      }
      if (gone <= 0 || head >= tail || !clearDead(firstChunk(), head)) {
        break;
      }
      gone--;
      head++;
    }
    put(DequeLayout.HEAD, head);
    setGone(before, gone);
    requireSense(head, tail, gone);
  }

  /** Removes the last element and frees what it leads to. */
  public void removeLast() {
    long tail = tail() - 1;
    if (cells != null) {
      freeCell(last());
    }
    long gone = gone();
    long before = gone;
    if (gone == 0 && (tail & PLACE_MASK) != 0) {
      put(DequeLayout.TAIL, tail);
      return;
    }
    long head = head();
    while (true) {
      if ((tail & PLACE_MASK) == 0) {
        long previous = dropLast();
        if (previous == Reference.NULL) {
          break;
        }
        long end = before == 0 ? tail : base(previous) + CHUNK_PLACES;
        gone -= tail - end;
        tail = end;
      }
      if (gone <= 0 || head >= tail || !clearDead(lastChunk(), tail - 1)) {
        break;
      }
      gone--;
      tail--;
    }
    put(DequeLayout.TAIL, tail);
    setGone(before, gone);
    requireSense(head, tail, gone);
  }

  private void requireSense(long head, long tail, long gone) {
    boolean sense = gone >= 0 && tail - head >= gone && (head != tail || gone == 0);
    if (!sense) {
      throw Damage.at(header, "a deque from " + head + " to " + tail + ", " + gone + " gone");
    }
  }

  private void setGone(long before, long gone) {
    if (gone != before) {
      put(DequeLayout.GONE, gone);
    }
  }

  private void freeCell(long word) {
    if (cells != null) {
      cells.free(stripe, word);
    }
  }

  private long dropFirst() {
    long chunk = firstChunk();
    long next = next(chunk);
    put(DequeLayout.FIRST, next);
    if (next == Reference.NULL) {
      put(DequeLayout.LAST, Reference.NULL);
    } else {
      link(next, DequeLayout.PREVIOUS, Reference.NULL);
    }
    allocator.free(stripe, chunk, BlockType.DEQUE_CHUNK);
    return next;
  }

  private long dropLast() {
    long chunk = lastChunk();
    long previous = previous(chunk);
    put(DequeLayout.LAST, previous);
    if (previous == Reference.NULL) {
      put(DequeLayout.FIRST, Reference.NULL);
    } else {
      link(previous, DequeLayout.NEXT, Reference.NULL);
    }
    allocator.free(stripe, chunk, BlockType.DEQUE_CHUNK);
    return previous;
  }

  private void link(long chunk, int offset, long target) {
    requireChunk(chunk);
    memory.putLong(stripe, Reference.address(chunk) + offset, target);
  }

  // ---- In between -----------------------------------------------------------------------------

  /** Removes the element at a position of a chunk, which is there. */
  public void remove(long chunk, long position) {
    if (position == head()) {
      removeFirst();
      return;
    }
    if (position == tail() - 1) {
      removeLast();
      return;
    }
    requireChunk(chunk);
    freeCell(memory.getLong(DequeLayout.place(chunk, position)));
    long dead = dead(chunk) | DequeLayout.bit(position);
    if (dead == -1L) {
      long previous = previous(chunk);
      long next = next(chunk);
      link(previous, DequeLayout.NEXT, next);
      link(next, DequeLayout.PREVIOUS, previous);
      allocator.free(stripe, chunk, BlockType.DEQUE_CHUNK);
    } else {
      memory.putLong(stripe, Reference.address(chunk) + DequeLayout.DEAD, dead);
    }
    put(DequeLayout.GONE, gone() + 1);
  }

  /** If the place of a position is gone, makes it an ordinary one, which it is outside. */
  private boolean clearDead(long chunk, long position) {
    long dead = dead(chunk);
    if ((dead & DequeLayout.bit(position)) == 0) {
      return false;
    }
    requireChunk(chunk);
    memory.putLong(
        stripe, Reference.address(chunk) + DequeLayout.DEAD, dead & ~DequeLayout.bit(position));
    return true;
  }

  /** Position of the first place of a chunk. */
  long base(long chunk) {
    return memory.getLong(Reference.address(chunk) + DequeLayout.BASE);
  }

  long next(long chunk) {
    return memory.getLong(Reference.address(chunk) + DequeLayout.NEXT);
  }

  long previous(long chunk) {
    return memory.getLong(Reference.address(chunk) + DequeLayout.PREVIOUS);
  }

  /** Bits of the places that are gone. */
  public long dead(long chunk) {
    return memory.getLong(Reference.address(chunk) + DequeLayout.DEAD);
  }

  /** Whether a reference leads to a chunk with this position. May be optimistic. */
  boolean isChunk(long chunk, long position) {
    try {
      return chunk != Reference.NULL
          && allocator.type(chunk) == BlockType.DEQUE_CHUNK
          && base(chunk) == DequeLayout.base(position);
    } catch (GoneException e) {
      return false;
    }
  }

  /** Whether a reference leads to a chunk of this deque. May be optimistic. */
  boolean isMember(long chunk) {
    try {
      return chunk != Reference.NULL
          && allocator.type(chunk) == BlockType.DEQUE_CHUNK
          && base(chunk) >= DequeLayout.base(head())
          && base(chunk) < tail();
    } catch (GoneException e) {
      return false;
    }
  }

  private void requireChunk(long chunk) {
    long word = memory.getLong(Reference.address(chunk));
    if (!Allocator.looksLike(word, BlockType.DEQUE_CHUNK)) {
      throw Damage.at(header, "no chunk of a deque is at " + Reference.describe(chunk));
    }
  }

  // ---- All ------------------------------------------------------------------------------------

  /** Makes the words of an empty deque in a new header. */
  public static void init(HeapMemory memory, long at, boolean words) {
    for (int i = 0; i < DequeLayout.BYTES; i += 8) {
      memory.initLong(at + i, i == DequeLayout.KIND && words ? 1 : 0);
    }
  }

  /** Forgets all chunks, which the pending frees own now; positions do not come back soon. */
  public void forgetAll() {
    long position = DequeLayout.base(tail() + (1 << 24));
    put(DequeLayout.HEAD, position);
    put(DequeLayout.TAIL, position);
    put(DequeLayout.GONE, 0);
    put(DequeLayout.FIRST, Reference.NULL);
    put(DequeLayout.LAST, Reference.NULL);
  }
}
