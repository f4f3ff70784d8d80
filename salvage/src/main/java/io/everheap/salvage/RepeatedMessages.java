package io.everheap.salvage;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects messages about places. Messages that differ in numbers alone are reported once, with the
 * first place and their count: one page of zeros makes a message for each of its slots.
 */
final class Repeated {
  private final Map<String, Same> all = new LinkedHashMap<>();

  private record Same(long address, String message, long count) {}

  void add(long address, String message) {
    all.merge(
        message.replaceAll("[0-9]+", "#"),
        new Same(address, message, 1),
        (first, next) -> new Same(first.address, first.message, first.count + 1));
  }

  /** The messages, each prefixed with the name of its subject. */
  List<String> texts(String what) {
    return all.values().stream().map(same -> text(what, same)).toList();
  }

  private static String text(String what, Same same) {
    String first = what + " at address " + same.address + ": " + same.message;
    return same.count == 1 ? first : first + " (and " + (same.count - 1) + " more like that)";
  }
}
