package io.everheap.spring;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;

/**
 * Refuses properties of single caches that Spring Boot would bind to another cache, or to none. It
 * ends a name without brackets at the first dot, and drops all characters other than ASCII letters,
 * digits, {@code -} and {@code _}. Stateless.
 */
final class CachePropertyNames {
  private static final String PREFIX = "everheap.cache.caches.";
  private static final Pattern PROPERTY =
      Pattern.compile(
          "everheap\\.cache\\.caches(?:\\.|(?=\\[))(?<rest>.+)", Pattern.CASE_INSENSITIVE);
  private static final Pattern VARIABLE =
      Pattern.compile("EVERHEAP_CACHE_CACHES_(?<name>[^_]+)_(?<option>.+)");
  private static final Pattern OF_VARIABLE = Pattern.compile("EVERHEAP_CACHE_CACHES_.+");
  private static final Pattern BRACKETS = Pattern.compile("\\[.+]\\.(?<option>[^.]+)");
  private static final Pattern PLAIN =
      Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]*\\.(?<option>[^.]+)");

  /** Without separators, in lower case. */
  private static final Set<String> OPTIONS =
      Set.of("capacity", "policy", "timetolive", "timetoidle", "strict", "key", "serialfilter");

  private CachePropertyNames() {}

  /**
   * Checks the names of all properties that can be listed.
   *
   * @throws InvalidConfigurationPropertyValueException if one sets no option of the cache that it
   *     names; tells how to write it
   */
  static void requireBound(Environment environment) {
    if (environment instanceof ConfigurableEnvironment all) {
      for (PropertySource<?> source : all.getPropertySources()) {
        if (source instanceof EnumerablePropertySource<?> listed) {
          for (String name : listed.getPropertyNames()) {
            requireBound(name, source.getProperty(name));
          }
        }
      }
    }
  }

  private static void requireBound(String name, @Nullable Object value) {
    Matcher property = PROPERTY.matcher(name);
    if (property.matches()) {
      String rest = property.group("rest");
      if (!isOption(BRACKETS.matcher(rest)) && !isOption(PLAIN.matcher(rest))) {
        throw new InvalidConfigurationPropertyValueException(name, value, advice(rest));
      }
    } else if (OF_VARIABLE.matcher(name).matches() && !isOption(VARIABLE.matcher(name))) {
      throw new InvalidConfigurationPropertyValueException(
          name,
          value,
          "The variable sets no option of a cache. Variables name only caches of lower-case"
              + " letters and digits; for others write a property such as "
              + PREFIX
              + "[com.shop.Prices].time-to-live.");
    }
  }

  private static boolean isOption(Matcher matcher) {
    return matcher.matches() && isOption(matcher.group("option"));
  }

  private static boolean isOption(String text) {
    return OPTIONS.contains(text.replaceAll("[-_]", "").toLowerCase(Locale.ROOT));
  }

  private static String advice(String rest) {
    int dot = rest.lastIndexOf('.');
    if (dot <= 0 || !isOption(rest.substring(dot + 1))) {
      return "It ends with no option of a cache: capacity, policy, time-to-live, time-to-idle,"
          + " strict, key or serial-filter.";
    }
    return "Spring Boot needs brackets around a name with other characters than letters, digits,"
        + " '-' and '_': "
        + PREFIX
        + "["
        + rest.substring(0, dot)
        + "]"
        + rest.substring(dot)
        + " (in YAML \"["
        + rest.substring(0, dot)
        + "]\", with the quotes).";
  }
}
