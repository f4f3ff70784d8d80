package io.everheap.cli.console;

import io.everheap.cli.RefusedException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parameters of a request. */
final class Query {
  private final Map<String, String> values;

  private Query(Map<String, String> values) {
    this.values = values;
  }

  /**
   * Reads the parameters.
   *
   * @throws RefusedException if they are not well-formed
   */
  static Query of(@Nullable String raw) {
    Map<String, String> values = new HashMap<>();
    if (raw != null && !raw.isEmpty()) {
      for (String part : raw.split("&", -1)) {
        int equals = part.indexOf('=');
        if (equals < 0) {
          throw new RefusedException("a parameter has no value");
        }
        if (values.put(decoded(part.substring(0, equals)), decoded(part.substring(equals + 1)))
            != null) {
          throw new RefusedException("a parameter is given twice");
        }
      }
    }
    return new Query(values);
  }

  @Nullable String find(String name) {
    return values.get(name);
  }

  String text(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new RefusedException("the parameter " + name + " is missing");
    }
    return value;
  }

  long number(String name, long least, long most) {
    String value = text(name);
    try {
      long number = Long.parseLong(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // refused below
    }
    throw new RefusedException(
        String.format(
            Locale.ROOT, "the parameter %s is a number from %d to %d", name, least, most));
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new RefusedException("a parameter is not well-formed");
    }
  }
}
