package io.everheap.testkit;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Writes who is who: each one that is met gets the next number, and is described once. */
final class CollectText<T> {
  private final ToIntFunction<T> age;
  private final Function<T, @Nullable T> friend;
  private final Map<T, Integer> numbers = new HashMap<>();
  private final StringBuilder text = new StringBuilder();

  CollectText(ToIntFunction<T> age, Function<T, @Nullable T> friend) {
    this.age = age;
    this.friend = friend;
  }

  /** Empty if there is nobody and no group. */
  String of(Map<Integer, T> people, Map<Integer, List<T>> groups) {
    people.forEach(
        (key, one) -> {
          text.append(key).append('=');
          describe(one);
        });
    groups.forEach(
        (key, group) -> {
          text.append("group ").append(key).append(": ");
          group.forEach(this::describe);
        });
    return text.toString();
  }

  private void describe(T start) {
    for (T next = start; next != null; next = friend.apply(next)) {
      Integer number = numbers.get(next);
      if (number != null) {
        text.append('#').append(number).append("; ");
        return;
      }
      numbers.put(next, numbers.size());
      text.append(age.applyAsInt(next)).append(" > ");
    }
    text.append("; ");
  }
}
