package io.everheap.structure.bytes;

import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.bytes.HeapBytes;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.CorruptException;
import io.everheap.error.GoneException;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.Guard;
import io.everheap.structure.common.MapLayout;
import io.everheap.structure.common.OptimisticReads;
import io.everheap.structure.common.StructureContext;
import java.lang.foreign.MemorySegment;

/**
 * Bytes of any number in chunks, as {@link ChunkedLayout} describes them: what arrays, texts and
 * buffers are made of. Loads may come from any thread, under a guard; stores belong inside a
 * transaction. Offsets are checked by the callers.
 */
public final class ChunkedBytes {
  private static final int CHUNK = ChunkedLayout.CHUNK;
  private static final int ATTEMPTS = OptimisticReads.ATTEMPTS;

  public final StructureContext heap;
  public final HeapMemory memory;
  public final Transactions tx;
  final Stripes stripes;
  public final Allocator allocator;
  public final HeapBytes bytes;
  public final OptimisticReads reads;
  public final long reference;
  public final long header;
  private final long headerWord;
  private final int base;
  private boolean fixed; // neither the length nor the only chunk ever changes
  private volatile long onlyChunk; // of a fixed structure without a directory, once it was seen

  private ChunkedBytes(StructureContext heap, long reference, long header, long headerWord) {
    this.heap = heap;
    this.memory = heap.memory();
    this.tx = heap.transactions();
    this.stripes = heap.stripes();
    this.allocator = heap.allocator();
    this.bytes = new HeapBytes(memory);
    this.reads = new OptimisticReads(memory, tx);
    this.reference = reference;
    this.header = header;
    this.headerWord = headerWord;
    this.base = MapLayout.stripeBase(header);
  }

  /**
   * Attaches to what exists.
   *
   * @param type of the header
   * @throws GoneException if there is no such block
   * @throws CorruptException if its header is damaged
   */
  public static ChunkedBytes attach(StructureContext heap, long reference, int type) {
    long header = Reference.address(reference);
    return OptimisticReads.of(heap)
        .read(
            new Guard(heap.stripes(), MapLayout.stripeBase(header)),
            guard -> {
              requireHeader(heap, reference, type);
              long word = heap.memory().getLong(header);
              ChunkedBytes chunks = new ChunkedBytes(heap, reference, header, word);
              chunks.checkShape();
              return chunks;
            });
  }

  /** The number of the type of the elements. The caller keeps writers out, or validates. */
  public static long type(StructureContext heap, long reference, int type) {
    requireHeader(heap, reference, type);
    return heap.memory().getLong(Reference.address(reference) + ChunkedLayout.TYPE);
  }

  private static void requireHeader(StructureContext heap, long reference, int type) {
    if (heap.allocator().type(reference) != type
        || heap.allocator().size(reference) < ChunkedLayout.HEADER_BYTES) {
      throw Damage.at(Reference.address(reference), "no header of chunks of type " + type);
    }
  }

  /** Attaches to what exists, or was freed: then {@link #checkAlive} throws. */
  public static ChunkedBytes attachOrDead(StructureContext heap, long reference, int type) {
    try {
      return attach(heap, reference, type);
    } catch (GoneException e) {
      return new ChunkedBytes(heap, reference, 0, ~heap.memory().getLong(0));
    }
  }

  /** Whether it was freed before this was made. */
  public boolean isDead() {
    return header == 0;
  }

  /** Attaches to an array, whose length never changes. */
  public static ChunkedBytes attachFixed(StructureContext heap, long reference, int type) {
    ChunkedBytes chunks = attachOrDead(heap, reference, type);
    chunks.fixed = !chunks.isDead() && chunks.length() <= CHUNK;
    return chunks;
  }

  /** Checks what the header says against the blocks that it leads to. */
  private void checkShape() {
    long root = root();
    long room = room();
    long length = length();
    boolean sound = length >= 0 && room >= 0;
    if (sound && room > 0) {
      sound =
          ChunkedLayout.chunks(length) <= room
              && room <= allocator.maxBlock() / 8
              && is(root, BlockType.CHUNK_DIRECTORY, ChunkedLayout.directoryBytes(room));
    } else if (sound && root != 0) {
      sound = length <= CHUNK && is(root, BlockType.CHUNK, length);
    } else if (sound) {
      sound = length <= CHUNK;
    }
    if (!sound) {
      throw Damage.at(header, "a header of " + length + " bytes in " + room + " chunks");
    }
  }

  private boolean is(long block, int type, long least) {
    try {
      return allocator.type(block) == type && allocator.size(block) >= least;
    } catch (GoneException e) {
      return false;
    }
  }

  public long length() {
    return memory.getLong(header + ChunkedLayout.LENGTH);
  }

  public long flags() {
    return memory.getLong(header + ChunkedLayout.FLAGS);
  }

  public long root() {
    return memory.getLong(header + ChunkedLayout.ROOT);
  }

  public long room() {
    return memory.getLong(header + ChunkedLayout.ROOM);
  }

  /** Throws if the structure was removed. */
  public void checkAlive() {
    if (memory.getLong(header) != headerWord) {
      throw GoneException.reference(
          "what was at " + Reference.describe(reference) + " was removed from its heap");
    }
  }

  // ---- Reading ------------------------------------------------------------------------------

  /** The stripe of a byte. */
  public int stripe(long offset) {
    return base + (int) (offset / CHUNK) % ChunkedLayout.STRIPES;
  }

  /** The stripe of the length. */
  public Guard headerGuard() {
    return new Guard(stripes, base);
  }

  /** A guard over everything. */
  public Guard guard() {
    return new Guard(stripes, base, base + ChunkedLayout.STRIPES, 1);
  }

  /** A guard over a range. */
  public Guard guard(long offset, long n) {
    int first = stripe(offset);
    int last = stripe(offset + Math.max(0, n - 1));
    return n >= (long) CHUNK * (ChunkedLayout.STRIPES - 1) || last < first
        ? guard()
        : new Guard(stripes, first, last + 1, 1);
  }

  /** Loads a value of 1, 2, 4 or 8 bytes, at a multiple of its width below the length. */
  public long get(long offset, int width) {
    int stripe = stripe(offset);
    for (int i = 0; i < ATTEMPTS && !tx.isWriter(); i++) {
      long version = stripes.sample(stripe);
      if ((version & 1) != 0) {
        Thread.onSpinWait();
        continue;
      }
      long block = onlyChunk;
      long value;
      try {
        if (block == 0) {
          checkAlive();
          block = chunk(offset / CHUNK);
        } else if (memory.getCommitted(header) != headerWord) {
          break;
        }
        value = block == 0 ? 0 : committed(Reference.payload(block) + offset % CHUNK);
      } catch (RuntimeException e) {
        break; // the general path reports why
      }
      if (stripes.valid(stripe, version)) {
        tx.checkRead();
        if (fixed && onlyChunk != block) {
          onlyChunk = block; // committed, so it stays as long as the header does
        }
        return value;
      }
    }
    return reads.read(new Guard(stripes, stripe), guard -> load(offset, width));
  }

  /** The bytes of a value that lies in one word. */
  private long committed(long address) {
    int first = (int) address & 7;
    return memory.getCommitted(address - first) >>> (first << 3);
  }

  /** Loads a value; under a guard. */
  public long load(long offset, int width) {
    checkAlive();
    long chunk = offset / CHUNK;
    long block = chunk(chunk);
    return block == 0 ? 0 : bytes.get(Reference.payload(block) + offset % CHUNK, width);
  }

  /** The block of a chunk, or 0 if it is not there; what is in its place is a chunk. */
  public long chunk(long chunk) {
    long block = root();
    long room = room();
    if (room > 0) {
      if (chunk >= room || !looksLike(block, BlockType.CHUNK_DIRECTORY)) {
        throw Damage.at(header, "its directory is not there");
      }
      block = memory.getLong(ChunkedLayout.slot(block, chunk));
    } else if (chunk > 0) {
      throw Damage.at(header, "it has no directory");
    }
    if (block != 0 && !looksLike(block, BlockType.CHUNK)) {
      throw Damage.at(header, "chunk " + chunk + " is not there");
    }
    return block;
  }

  private boolean looksLike(long block, int type) {
    long word = memory.getLong(Reference.address(block));
    return Allocator.looksLike(word, type) && (word ^ block) >>> 40 == 0;
  }

  /** Copies bytes out; under a guard that holds when this is called. */
  public void load(long offset, MemorySegment target, long at, long n) {
    long done = 0;
    while (done < n) {
      long from = offset + done;
      int inside = (int) (from % CHUNK);
      int part = (int) Math.min(n - done, CHUNK - inside);
      long block = chunk(from / CHUNK);
      if (block == 0) {
        target.asSlice(at + done, part).fill((byte) 0);
      } else {
        requireSize(block, inside + part);
        bytes.copyOut(Reference.payload(block) + inside, target, at + done, part);
      }
      done += part;
    }
  }

  private void requireSize(long block, long least) {
    if (!is(block, BlockType.CHUNK, least)) {
      throw Damage.at(Reference.address(block), "a chunk that is too short or not there");
    }
  }

  /** Copies bytes out, all of one commit. */
  @SuppressWarnings("CheckReturnValue")
  public void read(long offset, MemorySegment target, long at, long n) {
    reads.read(
        guard(offset, n),
        guard -> {
          checkAlive();
          guard.check();
          load(offset, target, at, n);
          return Boolean.TRUE;
        });
  }

  // ---- Writing, inside a transaction --------------------------------------------------------

  /** Stores a value of 1, 2, 4 or 8 bytes, at a multiple of its width below the length. */
  public void put(long offset, long value, int width) {
    if (!tryPut(offset, value, width)) {
      long fresh = make(offset / CHUNK);
      bytes.init(Reference.payload(fresh) + offset % CHUNK, value, width);
    }
  }

  /** The same if the chunk is there; returns whether it is. A failed store changes nothing. */
  public boolean tryPut(long offset, long value, int width) {
    long block = chunk(offset / CHUNK);
    if (block != 0) {
      bytes.put(stripe(offset), Reference.payload(block) + offset % CHUNK, value, width);
    }
    return block != 0;
  }

  /**
   * Stores bytes of a segment, again from its start after its end.
   *
   * @param at where in the segment to begin
   */
  public void store(long offset, MemorySegment source, long at, long n) {
    long done = 0;
    while (done < n) {
      long to = offset + done;
      int inside = (int) (to % CHUNK);
      int part = (int) Math.min(n - done, CHUNK - inside);
      long block = chunk(to / CHUNK);
      boolean fresh = block == 0;
      if (fresh) {
        block = make(to / CHUNK);
      } else {
        requireSize(block, inside + part);
      }
      storePart(fresh, stripe(to), Reference.payload(block) + inside, source, at + done, part);
      done += part;
    }
  }

  private void storePart(
      boolean fresh, int stripe, long to, MemorySegment source, long from, int n) {
    int done = 0;
    while (done < n) {
      long at = (from + done) % source.byteSize();
      long part = Math.min(n - done, source.byteSize() - at);
      if (fresh) {
        memory.initBytes(to + done, source, at, part);
      } else {
        bytes.copyIn(stripe, to + done, source, at, part);
      }
      done += (int) part;
    }
  }

  /** Makes a chunk that is not there, of zeros, in the level that then stores to it. */
  private long make(long chunk) {
    long room = room();
    long left = length() - chunk * CHUNK;
    long size = room == 0 ? Math.max(8, (left + 7) & -8) : CHUNK;
    long block = allocator.allocate(BlockType.CHUNK, Math.min(CHUNK, size));
    long slot = room == 0 ? header + ChunkedLayout.ROOT : ChunkedLayout.slot(root(), chunk);
    memory.putLong(base + (int) (chunk % ChunkedLayout.STRIPES), slot, block);
    return block;
  }

  /** Touches all stripes, so that no present reader validates. */
  public void touchAll() {
    for (int i = 0; i < ChunkedLayout.STRIPES; i++) {
      memory.touch(base + i);
    }
  }

  /** Stores a word of the header. */
  public void putHeader(int field, long value) {
    memory.putLong(base, header + field, value);
  }
}
