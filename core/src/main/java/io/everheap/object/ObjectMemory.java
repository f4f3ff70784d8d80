package io.everheap.object;

import io.everheap.engine.HeapContext;
import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.alloc.SlotShape;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.engine.tx.Transactions;
import io.everheap.engine.tx.WriterLock;
import io.everheap.error.StaleReferenceException;
import io.everheap.memory.Window;
import io.everheap.object.type.FieldType;
import io.everheap.object.type.ObjectLayout;
import io.everheap.object.type.Storage;
import io.everheap.object.type.Widening;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the fields of a heap's objects.
 *
 * <h2>Reads</h2>
 *
 * Most fields are part of one word. A handle knows a moment at which its object was in its place.
 * Outside of a transaction a read loads the word, and then sees that no commit freed any object
 * since that moment. If one did, it looks at the object's header: no place ever has the same header
 * twice, so one that is still the same is another such moment. An object of another layout, and a
 * value of several words, is read under the object's stripe.
 *
 * <h2>Writes</h2>
 *
 * A store to a field that one word holds touches no stripe. What changes several words does: values
 * in cells, words with flags, a conversion to the current layout, and a free.
 */
final class ObjectMemory {
  /** No reference: its address is none of a block. */
  private static final long UNKNOWN = -1;

  final WriterLock lock;
  private final HeapMemory memory;
  final Transactions transactions;
  private final Allocator allocator;
  private final Versions versions;
  private final StripedReads reads;
  private final Cells cells;
  private final Conversion conversion;
  private final ObjectSpace space;

  ObjectMemory(HeapContext heap, Versions versions, ObjectSpace space) {
    this.memory = heap.memory();
    this.transactions = heap.transactions();
    this.lock = transactions.lock;
    this.allocator = heap.allocator();
    this.versions = versions;
    this.space = space;
    this.reads = new StripedReads(memory, transactions);
    this.cells = new Cells(memory, allocator);
    this.conversion = new Conversion(memory, allocator, cells);
  }

  Transactions transactions() {
    return transactions;
  }

  /** The version that an object was written with. */
  StoredVersion version(long reference) {
    Place place =
        reads.read(
            ObjectLayout.stripe(reference),
            check -> Place.find(memory, allocator, versions, reference));
    return Objects.requireNonNull(place).version();
  }

  /**
   * The word of the current layout that holds a field of up to eight bytes.
   *
   * <p>What is not inlined gets nothing of the handle but numbers, so that the compiler need not
   * make a handle that is used only here.
   *
   * @param offset of the field; of the word, only this field's bits are meant
   */
  static long word(DurableObject o, int offset) {
    WriterLock lock = o.lock;
    MemorySegment home = o.window.now();
    if (home != null && !lock.isWriter()) {
      long seen = o.seen;
      try {
        long word = Window.load(home, o.start + (long) (offset & -8));
        if (lock.isStill(seen)) {
          if (lock.hasViews()) {
            o.type.memory.transactions.checkRead();
          }
          return word;
        }
      } catch (IllegalStateException | IndexOutOfBoundsException | InternalError e) {
        // the extent was mapped anew or cut off just now, or the heap is closed
      }
    }
    ObjectMemory objects = o.type.memory;
    long found = objects.find(o.reference, o.header, o.seen);
    if (found != DurableObject.NEVER) {
      o.seen = found;
    }
    return objects.word(o.type, o.reference, offset, found);
  }

  /**
   * Looks whether an object is there, in the current layout.
   *
   * @param seen what the handle has
   * @return what it should have from now on, or {@code NEVER} if it is not there
   */
  private long find(long reference, long header, long seen) {
    long now = lock.frees();
    if (!lock.isWriter()) {
      return isThere(reference, header) ? now : DurableObject.NEVER;
    }
    boolean sure = isSure(seen, now);
    if (!isCurrent(reference, header, sure)) {
      return DurableObject.NEVER;
    }
    return sure ? seen : now | DurableObject.BY_WRITER;
  }

  /** Whether, for the writer, a word that is the header cannot be one of another block. */
  private static boolean isSure(long seen, long now) {
    return (seen & ~DurableObject.BY_WRITER) == now;
  }

  /** Where a block is. */
  Window window(long reference) {
    return memory.window(Reference.address(reference));
  }

  /** The word of an object by the writer, or after objects were freed; see {@link #find}. */
  private long word(ObjectType type, long reference, int offset, long found) {
    if (found != DurableObject.NEVER) {
      long at = Reference.address(reference) + (offset & -8);
      if (lock.isWriter()) {
        return memory.getLong(at);
      }
      Long word = committedWord(at, found);
      if (word != null) {
        return word;
      }
    }
    return otherWord(type, reference, offset);
  }

  /**
   * Whether the writer finds an object alive and in the current layout.
   *
   * @param sure whether a word that is the header cannot be one of another block
   */
  private boolean isCurrent(long reference, long header, boolean sure) {
    return memory.getLong(Reference.address(reference)) == header
        && (sure || allocator.find(reference) == header);
  }

  /** Whether a reader finds an object committed, alive and in the current layout. */
  private boolean isThere(long reference, long header) {
    if (header == DurableObject.OTHER_LAYOUT) {
      return false;
    }
    try {
      return allocator.header(reference) == header;
    } catch (StaleReferenceException | IllegalStateException | IndexOutOfBoundsException e) {
      return false; // told when it is read, if it was not for a change meanwhile
    }
  }

  /** A word of an object that was there when {@code seen} was the number of frees, or null. */
  private @Nullable Long committedWord(long at, long seen) {
    try {
      long word = memory.getCommitted(at);
      if (lock.isStill(seen)) {
        transactions.checkRead();
        return word;
      }
    } catch (IllegalStateException e) {
      // the extent is being mapped anew
    }
    return null;
  }

  /** The same, of an object that may have another layout. */
  private long otherWord(ObjectType type, long reference, int offset) {
    BoundField field = type.at(offset);
    Long bits = read(type, reference, check -> bits(type, reference, field));
    return Objects.requireNonNull(bits) << ((offset & 7) << 3);
  }

  private <T> @Nullable T read(ObjectType type, long reference, StripedReads.Attempt<T> attempt) {
    try {
      return reads.read(ObjectLayout.stripe(reference), attempt);
    } catch (StaleReferenceException e) {
      throw type.gone(reference, e);
    }
  }

  /** Whether a reference leads to a block: for texts. */
  boolean isThere(long reference) {
    try {
      return allocator.find(reference) != 0;
    } catch (IllegalStateException | IndexOutOfBoundsException e) {
      return true; // an extent is being mapped anew: it does not matter for a text
    }
  }

  /** Offset of an object's block in its window. */
  int start(long reference) {
    return memory.windowOffset(Reference.address(reference));
  }

  private Place find(long reference) {
    return Place.find(memory, allocator, versions, reference);
  }

  /** The bits of a field of any layout, at the low end, as the current one has them. */
  private long bits(ObjectType object, long reference, BoundField field) {
    Place place = find(reference);
    int stored = object.positions(place.version())[field.position];
    if (stored < 0) {
      return 0;
    }
    FieldType type = place.version().type.fields().get(stored).type();
    long at = place.base() + place.version().layout.offset(stored);
    long bits = memory.getLong(at & -8) >>> ((at & 7) << 3);
    return Widening.widen(type, field.descriptor.type(), narrow(type.storage(), bits));
  }

  private static long narrow(Storage storage, long bits) {
    return storage.bytes() == 8 ? bits : bits & ((1L << (8 * storage.bytes())) - 1);
  }

  /** The value of a field that is no primitive one. */
  @Nullable Object value(DurableObject o, BoundField field) {
    long bits;
    switch (field.storage) {
      case CELL -> {
        Object loaded = read(o.type, o.reference, check -> loadCell(o, field, check));
        return switch (loaded) {
          case null -> null;
          case EarlierValue value -> field.decode(value.bytes, value.type);
          default -> field.decode((byte[]) loaded);
        };
      }
      case WORD -> {
        Long word = read(o.type, o.reference, check -> loadWord(o, field));
        return word == null ? null : field.fromWord(word);
      }
      case REF -> {
        return reference(o, field);
      }
      default -> bits = word(o, field.offset) >>> ((field.offset & 7) << 3);
    }
    return switch (field.storage) {
      case BOOLEAN -> (bits & 1) != 0;
      case BYTE -> (byte) bits;
      case SHORT -> (short) bits;
      case CHAR -> (char) bits;
      case INT -> (int) bits;
      case FLOAT -> Float.intBitsToFloat((int) bits);
      case DOUBLE -> Double.longBitsToDouble(bits);
      case ENUM -> field.constant(bits & 0xffff_ffffL);
      default -> bits;
    };
  }

  /**
   * The object that a field refers to.
   *
   * <p>What is called here and in {@link #follow(DurableObject, BoundField, long)} gets nothing of
   * the handle but its parts, and there is little code, so it becomes a part of what calls it: then
   * the compiler need not make a handle that is used only for a moment.
   */
  static @Nullable Object reference(DurableObject o, BoundField field) {
    ObjectMemory objects = o.type.memory;
    long moment = objects.moment();
    long reference = objects.follow(o.window, o.start, o.reference, o.header, o.seen, field);
    if (reference == UNKNOWN) {
      long found = objects.findAgain(o.reference, o.header, o.seen);
      if (found != DurableObject.NEVER) {
        o.seen = found;
      }
      return objects.reference(o.type, o.reference, field, found);
    }
    o.found(moment);
    ObjectType type = field.target;
    return reference == Reference.NULL || type == null
        ? null
        : objects.space.handle(type, reference, moment);
  }

  /** For {@link FieldAccess#follow}. */
  static long follow(DurableObject o, BoundField field, long moment) {
    ObjectMemory objects = o.type.memory;
    if (objects.space.hasIdentities()) {
      return UNKNOWN;
    }
    long reference = objects.follow(o.window, o.start, o.reference, o.header, o.seen, field);
    if (reference != UNKNOWN) {
      o.found(moment);
    }
    return reference;
  }

  /** What a handle has of an object that this thread finds from now on. */
  long moment() {
    long now = lock.frees();
    return lock.isWriter() ? now | DurableObject.BY_WRITER : now;
  }

  /**
   * The reference in a field, if it is null, or leads to an object of just the type of the field,
   * whose shape is known.
   *
   * <p>With more than 325 bytes of code it is too large for the compiler to put it into others. If
   * it did, there would be no room for the handles.
   *
   * @param home where the object is that has the field
   * @param start its offset there
   * @param from its reference
   * @param header that it must have
   * @param seen when it was found
   * @return {@code UNKNOWN} if that is not so, or the object is not there in the current layout
   */
  private long follow(Window home, int start, long from, long header, long seen, BoundField field) {
    ObjectType type = field.target;
    SlotShape shape = type == null ? null : type.shape;
    if (shape == null) {
      type = target(field);
      shape = space.shape(type);
      if (shape == null) {
        return UNKNOWN;
      }
    }
    try {
      if (lock.isWriter()) {
        boolean sure = isSure(seen, lock.frees());
        if (!isCurrent(from, header, sure)) {
          return UNKNOWN;
        }
        long reference = memory.getLong(Reference.address(from) + field.offset);
        boolean known =
            reference == Reference.NULL || shape.isBlock(reference, allocator.find(reference));
        return known ? reference : UNKNOWN;
      }
      long moment = seen;
      for (int tries = 0; tries < 2; tries++) {
        MemorySegment here = home.now();
        if (here == null) {
          return UNKNOWN;
        }
        long reference = Window.load(here, start + (long) field.offset);
        long found = 0;
        if (reference != Reference.NULL) {
          MemorySegment there = window(reference).now();
          found = there == null ? 0 : Window.load(there, start(reference));
        }
        if (lock.isStill(moment)) {
          if (reference != Reference.NULL && !shape.isBlock(reference, found)) {
            return UNKNOWN;
          }
          if (lock.hasViews()) {
            transactions.checkRead();
          }
          return reference;
        }
        moment = lock.frees();
        if (header == DurableObject.OTHER_LAYOUT || allocator.find(from) != header) {
          return UNKNOWN;
        }
      }
      return UNKNOWN;
    } catch (StaleReferenceException | IllegalStateException | IndexOutOfBoundsException e) {
      return UNKNOWN; // an extent is being mapped anew, or the object is gone, or the heap closed
    }
  }

  /** As {@link #find}, which a reader does not need while nothing was freed. */
  private long findAgain(long reference, long header, long seen) {
    return !lock.isWriter() && lock.isStill(seen) ? seen : find(reference, header, seen);
  }

  /** The object that a field refers to, whatever it is, of an object of any layout. */
  private @Nullable Object reference(ObjectType owner, long from, BoundField field, long found) {
    long reference = word(owner, from, field.offset, found);
    return reference == Reference.NULL
        ? null
        : follow(owner, from, field, reference, target(field));
  }

  /**
   * A reference that was replaced, and its object freed, since it was loaded, is loaded again.
   *
   * @param from reference of the object that has the field
   */
  private @Nullable Object follow(
      ObjectType owner, long from, BoundField field, long reference, ObjectType type) {
    while (reference != Reference.NULL) {
      try {
        return space.attach(reference, type);
      } catch (StaleReferenceException e) {
        long now = otherWord(owner, from, field.offset);
        if (now == reference) {
          return followAlone(owner, from, field, type);
        }
        reference = now;
      }
    }
    return null;
  }

  /** Between commits: while one is applied, a freed object may still be referred to. */
  @SuppressWarnings("NullAway") // it does not follow the type of the result into the lambda
  private @Nullable DurableObject followAlone(
      ObjectType owner, long from, BoundField field, ObjectType type) {
    return transactions.<@Nullable DurableObject, RuntimeException>exclusively(
        () -> {
          long reference = otherWord(owner, from, field.offset);
          return reference == Reference.NULL ? null : space.attachOrStale(reference, type);
        });
  }

  private ObjectType target(BoundField field) {
    ObjectType known = field.target;
    if (known == null) {
      known = space.bind(field.javaType);
      field.target = known;
    }
    return known;
  }

  /** The bytes of a field in an object of a version in which it has another type. */
  @SuppressWarnings("ArrayRecordComponent") // it is never compared
  private record EarlierValue(byte[] bytes, String type) {}

  /** The bytes of a field, or an {@link EarlierValue}, or null. */
  private @Nullable Object loadCell(DurableObject o, BoundField field, StripedReads.Check check) {
    long base = currentBase(o);
    if (base != 0) {
      return loadCell(base + field.offset, check);
    }
    Place place = find(o.reference);
    int stored = o.type.positions(place.version())[field.position];
    if (stored < 0) {
      return null;
    }
    byte[] bytes = loadCell(place.base() + place.version().layout.offset(stored), check);
    FieldType type = place.version().type.fields().get(stored).type();
    return bytes == null || type.equals(field.descriptor.type())
        ? bytes
        : new EarlierValue(bytes, type.detail());
  }

  private byte @Nullable [] loadCell(long at, StripedReads.Check check) {
    long cell = memory.getLong(at);
    return cell == 0 ? null : cells.load(cell, check);
  }

  private @Nullable Long loadWord(DurableObject o, BoundField field) {
    long base = currentBase(o);
    if (base != 0) {
      return loadWord(base + field.flag, base + field.offset);
    }
    Place place = find(o.reference);
    int stored = o.type.positions(place.version())[field.position];
    if (stored < 0) {
      return null;
    }
    ObjectLayout layout = place.version().layout;
    return loadWord(place.base() + layout.flag(stored), place.base() + layout.offset(stored));
  }

  private @Nullable Long loadWord(long flag, long at) {
    return (memory.getLong(flag & -8) >>> ((flag & 7) << 3) & 0xff) == 0
        ? null
        : memory.getLong(at);
  }

  /** Where an object's fields are if it is known to have the current layout; else 0. */
  private long currentBase(DurableObject o) {
    boolean current =
        lock.isWriter()
            ? isCurrent(o.reference, o.header, isSure(o.seen, lock.frees()))
            : o.window.now() != null && lock.isStill(o.seen);
    return current ? Reference.address(o.reference) : 0;
  }

  /** Stores a field of up to eight bytes; in a transaction of its own if there is none. */
  void put(DurableObject o, int offset, int bytes, long bits) {
    long base = transactions.isWriter() ? currentBase(o) : 0;
    if (base != 0) {
      store(base + offset, bytes, bits);
      return;
    }
    // With a savepoint in a transaction: a conversion that fails half-way must not be committed.
    transactions.begin();
    boolean ok = false;
    try {
      store(o, offset, bytes, bits);
      ok = true;
    } finally {
      transactions.lock.endsDue++;
      transactions.end(ok);
    }
  }

  private void store(DurableObject o, int offset, int bytes, long bits) {
    long base = currentBase(o);
    store(base != 0 ? base + offset : place(o, o.type.at(offset)).at(), bytes, bits);
  }

  private void store(long at, int bytes, long bits) {
    if (bytes == 8) {
      memory.putLong(Stripes.NONE, at, bits);
      return;
    }
    store(Stripes.NONE, at, bytes, bits);
  }

  private void store(int stripe, long at, int bytes, long bits) {
    int shift = (int) (at & 7) << 3;
    long mask = ((1L << (8 * bytes)) - 1) << shift;
    long word = memory.getLong(at & -8);
    memory.putLong(stripe, at & -8, (word & ~mask) | (bits << shift & mask));
  }

  /** Where a field is stored, and the flag that belongs to it. */
  private record Slot(long at, long flag) {}

  /** Where a field can be stored: the object is converted if its layout has no room for it. */
  private Slot place(DurableObject o, BoundField field) {
    Place place;
    try {
      place = find(o.reference);
    } catch (StaleReferenceException e) {
      throw o.type.gone(o.reference, e);
    }
    int stored = o.type.positions(place.version())[field.position];
    if (stored >= 0) {
      FieldType type = place.version().type.fields().get(stored).type();
      if (type.equals(field.descriptor.type())) {
        ObjectLayout layout = place.version().layout;
        return new Slot(place.base() + layout.offset(stored), place.base() + layout.flag(stored));
      }
    }
    long base = conversion.convert(o, place);
    return new Slot(base + field.offset, base + field.flag);
  }

  /** Stores a field that is no primitive one. */
  void put(DurableObject o, BoundField field, @Nullable Object value) {
    switch (field.storage) {
      case ENUM -> put(o, field.offset, 4, field.code(value));
      case REF -> transact(() -> store(o, field.offset, 8, space.stored(value)));
      case CELL -> {
        if (field.leads) { // references are encoded by the transaction that stores them
          transact(() -> encodeCell(o, field, value));
        } else {
          encodeCell(o, field, value);
        }
      }
      case WORD -> {
        if (field.leads) {
          transact(() -> encodeWord(o, field, value));
        } else {
          encodeWord(o, field, value);
        }
      }
      default -> throw new AssertionError(field.storage);
    }
  }

  private void encodeCell(DurableObject o, BoundField field, @Nullable Object value) {
    var out = value == null ? null : field.encode(value);
    byte[] bytes = out == null ? null : out.array();
    int length = out == null ? 0 : out.size();
    transact(() -> storeCell(o, field, bytes, length));
  }

  private void encodeWord(DurableObject o, BoundField field, @Nullable Object value) {
    boolean present = value != null;
    long word = value == null ? 0 : field.toWord(value);
    transact(() -> storeWord(o, field, present, word));
  }

  private void storeCell(DurableObject o, BoundField field, byte @Nullable [] bytes, int length) {
    long at = place(o, field).at();
    int stripe = ObjectLayout.stripe(o.reference);
    long old = memory.getLong(at);
    long cell = 0;
    if (bytes == null) {
      cells.free(old, stripe);
    } else {
      cell = cells.store(old, stripe, bytes, length);
    }
    if (cell != old) {
      memory.putLong(stripe, at, cell);
    }
  }

  private void storeWord(DurableObject o, BoundField field, boolean present, long word) {
    Slot slot = place(o, field);
    int stripe = ObjectLayout.stripe(o.reference);
    store(stripe, slot.flag(), 1, present ? 1 : 0);
    memory.putLong(stripe, slot.at(), word);
  }

  /** Frees an object and the values of its fields, inside a transaction. */
  void free(long reference) {
    Place place = Place.find(memory, allocator, versions, reference);
    conversion.free(reference, place);
  }

  void transact(Runnable body) {
    transactions.begin();
    boolean ok = false;
    try {
      body.run();
      ok = true;
    } finally {
      transactions.lock.endsDue++;
      transactions.end(ok);
    }
  }
}
