package io.everheap.codec.composite;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The encoding of the elements of a collection or an array.
 *
 * <pre>
 *   LEB128: number of elements &lt;&lt; 1 | 1 if one of them is null
 *   for each element
 *     without nulls  the element, at least one byte: a 0 stands for an element without bytes
 *     with nulls     a byte 0 for null, or a byte 1 and the element
 * </pre>
 *
 * Each element has at least one byte, so the number can be compared with what remains before a list
 * of that size is allocated, whatever the codec of the elements does.
 */
final class Elements {
  /** The limit of a list's initial capacity: a larger stored number may be damaged. */
  private static final int TRUSTED = 1024;

  private Elements() {}

  @SuppressWarnings("unchecked") // the caller took the elements out of a collection of E
  static <E> void write(@Nullable Object[] elements, Codec<E> codec, CodecOutput out) {
    boolean nulls = false;
    for (Object element : elements) {
      nulls |= element == null;
    }
    out.writeVarLong((long) elements.length << 1 | (nulls ? 1 : 0));
    for (Object element : elements) {
      if (nulls) {
        out.writeByte(element == null ? 0 : 1);
      }
      if (element != null) {
        int before = out.size();
        codec.write((E) element, out);
        if (!nulls && out.size() == before) {
          out.writeByte(0);
        }
      }
    }
  }

  static <E> List<@Nullable E> read(Codec<E> codec, CodecInput in) {
    long header = in.readVarLong();
    long size = header >>> 1;
    if (size > in.remaining()) {
      throw in.corrupt(
          "found " + size + " elements where only " + in.remaining() + " bytes remain");
    }
    boolean nulls = (header & 1) != 0;
    List<@Nullable E> elements = new ArrayList<>((int) Math.min(size, TRUSTED));
    for (int i = 0; i < size; i++) {
      if (nulls) {
        elements.add(in.readBoolean() ? codec.read(in) : null);
      } else {
        int before = in.position();
        elements.add(codec.read(in));
        if (in.position() == before && in.readByte() != 0) {
          throw in.corrupt("found a byte that is not 0 for an element without bytes");
        }
      }
    }
    return elements;
  }
}
