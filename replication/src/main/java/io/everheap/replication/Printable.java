package io.everheap.replication;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Texts of other machines, which must not send commands to a terminal or fake a line. */
final class Printable {
  private static final int MAX = 1000;

  private Printable() {}

  /** Decodes the rest of a message. */
  static String rest(ByteBuffer b) {
    return of(StandardCharsets.UTF_8.decode(b).toString());
  }

  /** A text whose control and format characters are replaced, and whose end is cut off. */
  static String of(String text) {
    StringBuilder plain = new StringBuilder();
    text.codePoints().limit(MAX).forEach(c -> plain.appendCodePoint(isPlain(c) ? c : '?'));
    return plain.toString();
  }

  /** Why something failed. */
  static String reason(Throwable why) {
    String message = why.getMessage();
    return of(message == null ? why.getClass().getSimpleName() : message);
  }

  private static boolean isPlain(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.PRIVATE_USE,
          Character.SURROGATE,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }
}
