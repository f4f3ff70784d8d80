package io.everheap.salvage;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects messages about places. Messages that differ in numbers alone are reported once, with the
 * first place and their count: one page of zeros makes a message for each of its slots.
 */
final class RepeatedMessages {
  private final Map<String, Group> all = new LinkedHashMap<>();

  private record Group(long address, String message, long count) {}

  void add(long address, String message) {
    all.merge(
        message.replaceAll("[0-9]+", "#"),
        new Group(address, message, 1),
        (first, next) -> new Group(first.address, first.message, first.count + 1));
  }

  /** The messages, each prefixed with the name of its subject. */
  List<String> texts(String what) {
    return all.values().stream().map(group -> text(what, group)).toList();
  }

  private static String text(String what, Group group) {
    String first = what + " at address " + group.address + ": " + group.message;
    return group.count == 1 ? first : first + " (and " + (group.count - 1) + " more like that)";
  }
}
