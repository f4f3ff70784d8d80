package io.everheap.durable.handle;

import io.everheap.durable.type.ObjectLayout;
import io.everheap.durable.type.StoredVersion;
import io.everheap.durable.type.TypeDescriptor;
import io.everheap.durable.type.Versions;
import io.everheap.engine.HeapContext;
import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Transactions;
import io.everheap.engine.tx.WriterLock;
import io.everheap.error.GoneException;
import io.everheap.memory.Window;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one open heap as references and headers: where they are, and whether they are
 * still there. {@link ObjectReads}, {@link ReferenceReads} and {@link ObjectWrites} build on it.
 *
 * <p>A block's place never has the same header twice, so a word that is equal to the header of an
 * object proves that the object is there. A <em>moment</em> is a value of {@code WriterLock.frees}:
 * an object that was found after a moment is there as long as {@code WriterLock.isStill} says so of
 * the moment.
 *
 * <p>Safe for use by many threads. Methods for use inside transactions say so.
 */
public final class ObjectMemory {
  /**
   * Takes the place of the header of an object that has another layout; no block has this header.
   */
  static final long OTHER_LAYOUT = -1;

  /** Flag of a moment at which the writer found the block, which may be uncommitted. */
  static final long BY_WRITER = Long.MIN_VALUE;

  /** Takes the place of a moment: the object was not found. */
  static final long NEVER = BY_WRITER | 1;

  final WriterLock lock;
  final HeapMemory memory;
  final Transactions transactions;
  final Allocator allocator;
  final Versions versions;
  final StripedReads reads;
  final Cells cells;

  /** Null unless objects have one handle each; set before the first handle is made. */
  @Nullable IdentityCache identities;

  /** The objects of a heap with these stored versions. */
  public ObjectMemory(HeapContext heap, Versions versions) {
    this.memory = heap.memory();
    this.transactions = heap.transactions();
    this.lock = transactions.lock;
    this.allocator = heap.allocator();
    this.versions = versions;
    this.reads = new StripedReads(memory, transactions);
    this.cells = new Cells(memory, allocator);
  }

  /**
   * Gives each object one handle as long as the program holds it. Called before the first handle is
   * made.
   */
  public void cacheIdentities() {
    identities = new IdentityCache();
  }

  /** The stored versions of the heap. */
  public Versions versions() {
    return versions;
  }

  /** Caches the handle that was made together with its object by the running transaction. */
  void created(long reference, Object handle) {
    IdentityCache cache = identities;
    if (cache != null) {
      cache.put(reference, handle);
      transactions.onAbort(() -> cache.remove(reference));
    }
  }

  /** Where a block is. */
  Window window(long reference) {
    return memory.window(Reference.address(reference));
  }

  /** Offset of an object's block in its window. */
  int start(long reference) {
    return memory.windowOffset(Reference.address(reference));
  }

  /** Finds an object's fields; by the writer, or optimistically under the object's stripe. */
  Place place(long reference) {
    return Place.find(memory, allocator, versions, reference);
  }

  /** The version that an object was written with. */
  StoredVersion version(long reference) {
    Place place = reads.read(ObjectLayout.stripe(reference), check -> place(reference));
    return Objects.requireNonNull(place).version();
  }

  /** The moment of an object that the calling thread finds from now on. */
  long moment() {
    long now = lock.frees();
    return lock.isWriter() ? now | BY_WRITER : now;
  }

  /**
   * Looks for an object of the current layout.
   *
   * @param seen moment of the handle
   * @return the moment that the handle has from now on, or {@code NEVER} if it is not there
   */
  long find(long reference, long header, long seen) {
    long now = lock.frees();
    if (!lock.isWriter()) {
      return isThere(reference, header) ? now : NEVER;
    }
    boolean sure = isSure(seen, now);
    if (!isCurrent(reference, header, sure)) {
      return NEVER;
    }
    return sure ? seen : now | BY_WRITER;
  }

  /** As {@link #find}, which a reader does not need while nothing was freed. */
  long findAgain(long reference, long header, long seen) {
    return !lock.isWriter() && lock.isStill(seen) ? seen : find(reference, header, seen);
  }

  /** Whether, for the writer, a word that is the header cannot be one of another block. */
  static boolean isSure(long seen, long now) {
    return (seen & ~BY_WRITER) == now;
  }

  /**
   * Whether the writer finds an object alive and in the current layout.
   *
   * @param sure whether a word that is the header cannot be one of another block
   */
  boolean isCurrent(long reference, long header, boolean sure) {
    return memory.getLong(Reference.address(reference)) == header
        && (sure || allocator.find(reference) == header);
  }

  /** Whether a reader finds an object committed, alive and in the current layout. */
  private boolean isThere(long reference, long header) {
    if (header == OTHER_LAYOUT) {
      return false;
    }
    try {
      return allocator.header(reference) == header;
    } catch (GoneException | IllegalStateException | IndexOutOfBoundsException e) {
      return false; // the read that follows throws, unless a change was under way
    }
  }

  /** Whether a reference leads to a block; an answer for messages only. */
  boolean isThere(long reference) {
    try {
      return allocator.find(reference) != 0;
    } catch (IllegalStateException | IndexOutOfBoundsException e) {
      return true; // an extent is being remapped
    }
  }

  /** The word at a block's address; 0, which is no block's header, if it cannot be loaded. */
  long header(long reference) {
    Window window = window(reference);
    MemorySegment home = window.now();
    if (home == null) {
      return 0;
    }
    try {
      return window.load(home, start(reference));
    } catch (IllegalStateException | IndexOutOfBoundsException e) {
      return 0;
    }
  }

  /** A word of an object that was there at a moment; null if it may be gone since. */
  @Nullable Long committedWord(long at, long moment) {
    try {
      long word = memory.getCommitted(at);
      if (lock.isStill(moment)) {
        transactions.checkRead();
        return word;
      }
    } catch (IllegalStateException e) {
      // the extent is being remapped
    }
    return null;
  }

  /**
   * Frees an object with its body and the values of its fields, inside a transaction; objects that
   * it refers to stay.
   */
  void free(long reference) {
    Place place = place(reference);
    int stripe = ObjectLayout.stripe(reference);
    ObjectLayout layout = place.version().layout();
    int position = 0;
    for (TypeDescriptor.Field field : place.version().type().fields()) {
      cells.free(field, place.base() + layout.offset(position++), stripe);
    }
    if (place.body() != 0) {
      allocator.free(stripe, place.body(), ObjectLayout.BODY);
    }
    allocator.free(stripe, reference);
  }

  /** Runs a body as a transaction, or as a part of the running one. */
  void transact(Runnable body) {
    transactions.begin();
    boolean ok = false;
    try {
      body.run();
      ok = true;
    } catch (InternalError e) {
      throw transactions.faulted(e);
    } finally {
      transactions.lock.endsDue++;
      transactions.end(ok);
    }
  }
}
