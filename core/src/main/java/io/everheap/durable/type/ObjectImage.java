package io.everheap.durable.type;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.ObjectReference;
import io.everheap.codec.WordCodec;
import io.everheap.engine.HeapContext;
import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.error.CorruptException;
import io.everheap.error.GoneException;
import io.everheap.error.UnsupportedTypeException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An object in the heap, read by its stored type alone. The caller holds the writer lock, or
 * validates that no commit was applied meanwhile.
 */
public final class ObjectImage {
  private final HeapMemory memory;
  private final Allocator allocator;
  private final ObjectLayouts layouts;
  private final ObjectLayout layout;
  private final long reference;
  private final long base;

  private ObjectImage(
      HeapContext heap, ObjectLayouts layouts, ObjectLayout layout, long reference, long base) {
    this.layouts = layouts;
    this.memory = heap.memory();
    this.allocator = heap.allocator();
    this.layout = layout;
    this.reference = reference;
    this.base = base;
  }

  /** Whether blocks of a type are objects. */
  public static boolean isObject(int blockType) {
    return blockType > BlockType.FIRST_USER_TYPE || blockType == ObjectLayout.MOVED;
  }

  /**
   * Returns the number of the version that an object was written with.
   *
   * @throws GoneException if there is no such block
   * @throws CorruptException if it is not an object
   */
  public static long versionOf(HeapContext heap, long reference) {
    int type = heap.allocator().type(reference);
    if (!isObject(type)) {
      throw damaged(reference, "the block there has type " + type + ", which objects do not have");
    }
    return type == ObjectLayout.MOVED
        ? heap.memory().getLong(Reference.address(body(heap, reference)) + ObjectLayout.VERSION)
        : ObjectLayout.number(type);
  }

  /**
   * Returns an object.
   *
   * @throws GoneException if there is no such block
   * @throws CorruptException if it is not an object, or damaged
   */
  public static ObjectImage of(HeapContext heap, ObjectLayouts layouts, long reference) {
    ObjectLayout layout = layouts.of(versionOf(heap, reference));
    boolean moved = heap.allocator().type(reference) == ObjectLayout.MOVED;
    long body = moved ? body(heap, reference) : Reference.NULL;
    long size = moved ? heap.allocator().size(body) - 8 : heap.allocator().size(reference);
    if (size < layout.payload()) {
      throw damaged(reference, "it has " + size + " bytes, its type takes " + layout.payload());
    }
    long base =
        moved ? Reference.address(body) + ObjectLayout.BODY_BASE : Reference.address(reference);
    return new ObjectImage(heap, layouts, layout, reference, base);
  }

  private static long body(HeapContext heap, long reference) {
    long body = heap.memory().getLong(Reference.address(reference) + ObjectLayout.TO_BODY);
    try {
      if (heap.allocator().type(body) == ObjectLayout.BODY && heap.allocator().size(body) >= 16) {
        return body;
      }
    } catch (GoneException e) {
      // thrown below
    }
    throw damaged(reference, "its body is missing at " + Reference.describe(body));
  }

  private static CorruptException damaged(long reference, String why) {
    return CorruptException.heap(
        "The object at " + Reference.describe(reference) + " is damaged: " + why);
  }

  /** Its stored type. */
  public TypeDescriptor type() {
    return layout.type();
  }

  /** The body of an object that was moved, else 0. */
  public long body() {
    return base == Reference.address(reference)
        ? Reference.NULL
        : memory.getLong(Reference.address(reference) + ObjectLayout.TO_BODY);
  }

  /** Address of a field, by its position in the type. */
  public long address(int field) {
    return base + layout.offset(field);
  }

  /** Returns the bits of a field, zero-extended. */
  public long bits(int field) {
    return bits(base + layout.offset(field), storage(field).bytes());
  }

  /** The byte that says whether the word of a {@link Storage#WORD} is there. */
  public long flag(int field) {
    return bits(base + layout.flag(field), 1);
  }

  private long bits(long at, int bytes) {
    long word = memory.getLong(at & -8) >>> ((at & 7) << 3);
    return bytes == 8 ? word : word & ((1L << (8 * bytes)) - 1);
  }

  private Storage storage(int field) {
    return type().fields().get(field).type().storage();
  }

  /**
   * Returns the value of a field as tools show it: decoded by described codecs, enum constants as
   * their names, references as {@link ObjectReference}.
   *
   * @throws UnsupportedTypeException if its codec is the program's own
   * @throws io.everheap.error.EverheapException if it is damaged
   */
  public @Nullable Object value(int field) {
    FieldType type = type().fields().get(field).type();
    long bits = bits(field);
    return switch (type.storage()) {
      case BOOLEAN -> (bits & 1) != 0;
      case BYTE -> (byte) bits;
      case SHORT -> (short) bits;
      case CHAR -> (char) bits;
      case INT -> (int) bits;
      case FLOAT -> Float.intBitsToFloat((int) bits);
      case LONG -> bits;
      case DOUBLE -> Double.longBitsToDouble(bits);
      case ENUM -> constant(type.constants(), bits);
      case WORD -> flag(field) == 0 ? null : word(type.detail(), bits);
      case CELL -> bits == 0 ? null : decode(type.detail(), cell(bits));
      case REF -> bits == 0 ? null : new ObjectReference(type.detail(), bits);
    };
  }

  private @Nullable Object constant(List<String> constants, long code) {
    if (code < 0 || code > constants.size()) {
      throw damaged(reference, "an enum field holds " + code);
    }
    return code == 0 ? null : constants.get((int) code - 1);
  }

  private Object word(String codec, long bits) {
    if (layouts.codec(codec) instanceof WordCodec<Object> words) {
      return words.fromWord(bits);
    }
    throw damaged(reference, "its type names '" + codec + "', which is not a codec of words");
  }

  private Object decode(String name, byte[] bytes) {
    Codec<Object> codec = layouts.codec(name);
    CodecInput in = new CodecInput(bytes);
    Object value = codec.read(in);
    in.expectEnd();
    return value;
  }

  /**
   * Returns the bytes of a field that is a {@link Storage#CELL} and not null.
   *
   * @throws CorruptException if they are missing
   */
  public byte[] bytes(int field) {
    return cell(bits(field));
  }

  /** The bytes of a cell of this object. */
  private byte[] cell(long cell) {
    if (!isCell(cell)) {
      throw damaged(reference, "the value of a field is missing at " + Reference.describe(cell));
    }
    long size = allocator.size(cell);
    if (size < 0 || size > Integer.MAX_VALUE - 16) {
      throw damaged(reference, "the value of a field has " + size + " bytes");
    }
    byte[] bytes = new byte[(int) size];
    if (size > 0) {
      memory.copyOut(Reference.payload(cell), bytes, 0, bytes.length);
    }
    return bytes;
  }

  private boolean isCell(long cell) {
    try {
      return allocator.type(cell) == ObjectLayout.CELL;
    } catch (GoneException e) {
      return false;
    }
  }

  /** Returns the bytes of its block, of its body and of the blocks of its fields' values. */
  public long bytes() {
    long bytes = allocator.size(reference);
    if (body() != Reference.NULL) {
      bytes += allocator.size(body());
    }
    for (int i = 0; i < type().fields().size(); i++) {
      if (storage(i) == Storage.CELL && bits(i) != 0) {
        bytes += allocator.size(bits(i));
      }
    }
    return bytes;
  }

  /** Frees the object with the values of its fields, in the running transaction. */
  public void free() {
    int stripe = ObjectLayout.stripe(reference);
    for (int i = 0; i < type().fields().size(); i++) {
      if (storage(i) == Storage.CELL && bits(i) != 0) {
        allocator.free(stripe, bits(i), ObjectLayout.CELL);
      }
    }
    if (body() != Reference.NULL) {
      allocator.free(stripe, body(), ObjectLayout.BODY);
    }
    allocator.free(stripe, reference);
  }
}
