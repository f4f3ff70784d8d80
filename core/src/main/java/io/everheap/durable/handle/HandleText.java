package io.everheap.durable.handle;

import io.everheap.error.CorruptValueException;
import io.everheap.error.GoneException;
import java.lang.reflect.Array;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Formats objects for {@code toString} and messages. */
public final class HandleText {
  private static final int MAX_LENGTH = 100;

  private HandleText() {}

  /** Type and address of an object. */
  public static String name(ObjectHandle object) {
    return object.type.nameOf(object.reference);
  }

  /**
   * Type, address and fields of an object; of the objects that it refers to, type and address only;
   * {@code <stale reference ...>} if the object is gone. A field that does not decode shows why.
   */
  public static String of(ObjectHandle object) {
    try {
      return name(object) + fields(object);
    } catch (GoneException e) {
      return stale(object);
    }
  }

  private static String fields(ObjectHandle object) {
    StringJoiner text = new StringJoiner(", ", "{", "}");
    for (BoundField field : object.type.fields) {
      text.add(field.name + "=" + value(object, field));
    }
    return text.toString();
  }

  private static String value(ObjectHandle object, BoundField field) {
    try {
      return value(ObjectReads.value(object, field));
    } catch (CorruptValueException e) {
      return "<undecodable: " + e.getMessage() + '>';
    }
  }

  private static String value(@Nullable Object value) {
    String text;
    if (value instanceof ObjectHandle other) {
      text = other.type.memory.isThere(other.reference) ? name(other) : stale(other);
    } else if (value != null && value.getClass().isArray()) {
      text =
          value.getClass().getComponentType().getSimpleName() + '[' + Array.getLength(value) + ']';
    } else {
      text = String.valueOf(value);
    }
    return text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH) + "...";
  }

  private static String stale(ObjectHandle object) {
    return "<stale reference " + name(object) + '>';
  }
}
