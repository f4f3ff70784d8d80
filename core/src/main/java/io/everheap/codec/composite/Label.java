package io.everheap.codec.composite;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The name of a component, a constant or a tag in a description, the names that it had before, and
 * its id, which says that it is the same one in another version: {@code amount~cents#3}. The id is
 * left out if it is its position, from 1 on.
 */
public record Label(String name, List<String> formerly, int id) {
  private static final char SIGN = '#';
  private static final String FORMER = "~";

  /** Reads what {@link #text} wrote; null if it cannot be that. */
  public static @Nullable Label parse(String text, int position) {
    int sign = text.lastIndexOf(SIGN);
    List<String> names = List.of((sign < 0 ? text : text.substring(0, sign)).split(FORMER, -1));
    try {
      int id = sign < 0 ? position + 1 : Integer.parseInt(text, sign + 1, text.length(), 10);
      return new Label(names.getFirst(), names.subList(1, names.size()), id);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** As it stands in a description at a position, from 0 on. */
  public String text(int position) {
    String names = formerly.isEmpty() ? name : name + FORMER + String.join(FORMER, formerly);
    return id == position + 1 ? names : names + SIGN + id;
  }
}
