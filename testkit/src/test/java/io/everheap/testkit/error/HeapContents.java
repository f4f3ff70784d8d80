package io.everheap.testkit.error;

import io.everheap.Heap;
import io.everheap.durable.Durable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a root holds, in words. */
final class HeapContents {
  /** Root whose entries are people. */
  static final String PEOPLE = "people";

  /** An object of the programs. */
  @Durable(name = "errors.Person")
  interface Person {
    int age();

    void age(int value);

    @Nullable String name();

    void name(@Nullable String value);

    @Nullable Person friend();

    void friend(@Nullable Person value);
  }

  private HeapContents() {}

  static List<String> of(Heap heap, String root) {
    List<String> lines = new ArrayList<>();
    if (root.equals(PEOPLE)) {
      heap.map(PEOPLE, Integer.class, Person.class)
          .forEach((key, person) -> lines.add(key + "=" + text(person)));
    } else {
      try (var entries = heap.entries(root)) {
        entries.forEach(entry -> lines.add(text(entry)));
      }
    }
    lines.sort(null);
    return lines;
  }

  private static String text(Map.Entry<Object, Object> entry) {
    return entry.getKey() + "=" + text(entry.getValue());
  }

  private static String text(@Nullable Object value) {
    return switch (value) {
      case byte[] bytes -> bytes.length + " bytes " + Arrays.hashCode(bytes);
      case Person person -> {
        Person friend = person.friend();
        yield person.age() + " " + person.name() + (friend == null ? "" : " " + friend.age());
      }
      case null -> "null";
      default -> value.toString();
    };
  }
}
