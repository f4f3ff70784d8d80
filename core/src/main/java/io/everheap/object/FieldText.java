package io.everheap.object;

import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** The fields of an object for people. Objects that it leads to are named only. */
record FieldText(DurableObject object) {
  private static final int MOST = 100;

  @Override
  public String toString() {
    StringJoiner text = new StringJoiner(", ", "{", "}");
    for (BoundField field : object.type.fields) {
      text.add(field.name + "=" + text(object.memory().value(object, field)));
    }
    return text.toString();
  }

  private static String text(@Nullable Object value) {
    String text;
    if (value instanceof DurableObject other) {
      text =
          other.memory().isThere(other.reference)
              ? other.name()
              : "<stale reference " + other.name() + '>';
    } else if (value != null && value.getClass().isArray()) {
      text =
          value.getClass().getComponentType().getSimpleName()
              + '['
              + java.lang.reflect.Array.getLength(value)
              + ']';
    } else {
      text = String.valueOf(value);
    }
    return text.length() <= MOST ? text : text.substring(0, MOST) + "...";
  }
}
