package io.everheap.support.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads JSON into maps, lists, strings and numbers ({@code Double}). The words {@code true}, {@code
 * false} and {@code null} become strings, since no report has them.
 */
final class Json {
  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  /**
   * Reads one value.
   *
   * @throws IllegalArgumentException if the text is no JSON
   */
  static Object parse(String text) {
    var json = new Json(text);
    Object value = json.value();
    if (json.next() != '\0') {
      throw json.wrong();
    }
    return value;
  }

  private Object value() {
    return switch (next()) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> string();
      default -> word();
    };
  }

  private Map<String, Object> object() {
    Map<String, Object> members = new LinkedHashMap<>();
    at++;
    while (next() != '}') {
      if (!members.isEmpty()) {
        skip(',');
      }
      String name = string();
      skip(':');
      members.put(name, value());
    }
    at++;
    return members;
  }

  private List<Object> array() {
    var elements = new ArrayList<>();
    at++;
    while (next() != ']') {
      if (!elements.isEmpty()) {
        skip(',');
      }
      elements.add(value());
    }
    at++;
    return elements;
  }

  private String string() {
    skip('"');
    var string = new StringBuilder();
    while (peek() != '"') {
      char c = take();
      string.append(c == '\\' ? escaped() : c);
    }
    at++;
    return string.toString();
  }

  private char escaped() {
    char c = take();
    if (c == 'u' && at + 4 <= text.length()) {
      at += 4;
      return (char) Integer.parseInt(text.substring(at - 4, at), 16);
    }
    return switch (c) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'b' -> '\b';
      case 'f' -> '\f';
      default -> c;
    };
  }

  private Object word() {
    int start = at;
    while (Character.isLetterOrDigit(peek()) || "+-.".indexOf(peek()) >= 0) {
      at++;
    }
    String word = text.substring(start, at);
    if (word.isEmpty()) {
      throw wrong();
    }
    return Character.isLetter(word.charAt(0)) ? word : Double.valueOf(word);
  }

  /** Moves to the next character that is no white space, and returns it; NUL at the end. */
  private char next() {
    while (Character.isWhitespace(peek())) {
      at++;
    }
    return peek();
  }

  private void skip(char expected) {
    if (next() != expected) {
      throw wrong();
    }
    at++;
  }

  private char take() {
    if (at == text.length()) {
      throw wrong();
    }
    return text.charAt(at++);
  }

  private char peek() {
    return at < text.length() ? text.charAt(at) : '\0';
  }

  private IllegalArgumentException wrong() {
    return new IllegalArgumentException("no JSON at character " + at);
  }
}
