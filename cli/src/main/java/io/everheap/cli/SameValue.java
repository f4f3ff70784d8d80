package io.everheap.cli;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether two decoded values are the same in every component, contents of arrays included. */
final class SameValue {
  private SameValue() {}

  static boolean of(@Nullable Object a, @Nullable Object b) {
    if (a instanceof Map<?, ?> map && b instanceof Map<?, ?> other) {
      return map.size() == other.size()
          && map.entrySet().stream()
              .allMatch(
                  entry ->
                      other.containsKey(entry.getKey())
                          && of(entry.getValue(), other.get(entry.getKey())));
    }
    if (a instanceof List<?> list && b instanceof List<?> other) {
      return list(list, other);
    }
    if (a instanceof Object[] array && b instanceof Object[] other) {
      return list(Arrays.asList(array), Arrays.asList(other));
    }
    if (a instanceof Optional<?> optional && b instanceof Optional<?> other) {
      return of(optional.orElse(null), other.orElse(null));
    }
    return Objects.deepEquals(a, b);
  }

  private static boolean list(List<?> list, List<?> other) {
    if (list.size() != other.size()) {
      return false;
    }
    Iterator<?> theirs = other.iterator();
    return list.stream().allMatch(element -> of(element, theirs.next()));
  }
}
