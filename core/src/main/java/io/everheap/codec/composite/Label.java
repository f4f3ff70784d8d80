package io.everheap.codec.composite;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The name of a component, a constant or a tag in a description, its former names, and its id,
 * which is the same in all versions of its type: {@code amount~cents#3}. The text leaves out an id
 * that is the position, counted from 1.
 */
public record Label(String name, List<String> formerly, int id) {
  private static final char SIGN = '#';
  private static final String FORMER = "~";

  /** Parses a {@link #text} at a position, counted from 0; null if it is malformed. */
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

  /** The text in a description at a position, counted from 0. */
  public String text(int position) {
    String names = formerly.isEmpty() ? name : name + FORMER + String.join(FORMER, formerly);
    return id == position + 1 ? names : names + SIGN + id;
  }
}
