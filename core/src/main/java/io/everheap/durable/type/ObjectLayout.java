package io.everheap.durable.type;

import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.Stripes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Where the fields of one version of a type lie in its objects. Offsets are bytes from the
 * <i>base</i> of an object, which is where its block header is, unless it was moved.
 *
 * <pre>
 * object, type 256 + n          moved object, type 12           its body, type 13
 *  0  block header               0  block header                 0  block header
 *  8  fields of 8 bytes          8  reference of the body        8  n             &lt;- base
 *  :  fields of 4 bytes                                         16  fields
 *  :  fields of 2 bytes
 *  :  fields of 1 byte, then the flags of words
 *
 * n: number in the type table of the version that the object was written with
 * </pre>
 *
 * <p>Fields of one size lie by ascending id, so the layout follows from the descriptor alone. An
 * object is moved when it needs fields that its block has no room for, since references to it must
 * not change. Immutable.
 */
public final class ObjectLayout {
  /** The type of a block that only leads to the body of an object. */
  public static final int MOVED = BlockType.OBJECT_MOVED;

  /** The type of the block with the fields of an object that was moved. */
  public static final int BODY = BlockType.OBJECT_BODY;

  /** The type of the block with the bytes of a field's value. */
  public static final int CELL = BlockType.OBJECT_CELL;

  /** Offset of the reference of the body in a moved object. */
  public static final int TO_BODY = 8;

  /** Offset of the number of the version in a body. */
  public static final int VERSION = 8;

  /** Bytes from the start of a body to its base. */
  public static final int BODY_BASE = 8;

  private static final int FIRST = 8;

  private final TypeDescriptor type;
  private final int[] offsets;
  private final int[] flags;
  private final int payload;

  private ObjectLayout(TypeDescriptor type) {
    this.type = type;
    int count = type.fields().size();
    this.offsets = new int[count];
    this.flags = new int[count];
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      order.add(i);
    }
    order.sort(Comparator.comparingInt(i -> -storage(i).bytes())); // stable: by id within a size
    int end = FIRST;
    for (int i : order) {
      offsets[i] = end;
      end += storage(i).bytes();
    }
    for (int i = 0; i < count; i++) {
      if (storage(i) == Storage.WORD) {
        flags[i] = end++;
      }
    }
    this.payload = Math.max(FIRST, (end - FIRST + 7) & -8);
  }

  /** Returns the layout of a version. */
  public static ObjectLayout of(TypeDescriptor type) {
    return new ObjectLayout(type);
  }

  /** Returns the block type of objects whose version has this number in the type table. */
  public static int blockType(long number) {
    return Math.toIntExact(BlockType.FIRST_USER_TYPE + number);
  }

  /**
   * Returns the number of the version of objects with this block type; 0 or less for no objects.
   */
  public static long number(int blockType) {
    return (long) blockType - BlockType.FIRST_USER_TYPE;
  }

  /** Returns the stripe that readers of an object validate when they load more than one word. */
  public static int stripe(long reference) {
    return (int) ((Reference.address(reference) * 0x9E37_79B9_7F4A_7C15L) >>> 32)
        & (Stripes.COUNT - 1);
  }

  /** The version. */
  public TypeDescriptor type() {
    return type;
  }

  /** Offset of a field, by its position in the descriptor. */
  public int offset(int field) {
    return offsets[field];
  }

  /** Offset of the byte that is 0 if a {@link Storage#WORD} is null. */
  public int flag(int field) {
    return flags[field];
  }

  /** Bytes of all fields, a multiple of 8 and at least 8. */
  public int payload() {
    return payload;
  }

  private Storage storage(int field) {
    return type.fields().get(field).type().storage();
  }
}
