package io.everheap.support.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Fills a cache whose keys may have any class with all {@linkplain ReleasedKey released keys}, and
 * requires that a cache of a release has them.
 *
 * @param found the keys that find their entry in another process, and whose equal keys find it
 * @param get looks up a key; null if it is not there
 * @param put stores a value
 * @param remove removes a key
 * @param entries all entries
 */
public record ReleasedCache(
    Predicate<ReleasedKey> found,
    Function<Object, @Nullable Object> get,
    BiConsumer<Object, Object> put,
    Consumer<Object> remove,
    Supplier<Iterable<? extends Map.Entry<?, ?>>> entries) {

  /** Stores all keys. */
  public void fill() {
    ReleasedKey.all().forEach(key -> put.accept(key.key(), key.value()));
  }

  /**
   * Returns what {@link #fill} stores, for the release's list of contents.
   *
   * @return the class of each key, by the key's name
   */
  public static Map<String, String> contents() {
    Map<String, String> contents = new TreeMap<>();
    ReleasedKey.all().forEach(key -> contents.put(key.name(), key.key().getClass().getName()));
    return contents;
  }

  /**
   * Requires all keys of a release: a new key that was made in the same way finds the value, and so
   * does an equal key of another class, or at least no other value; iteration meets each key once.
   *
   * @param contents what the release listed
   */
  public void requireAll(Map<String, String> contents) {
    List<ReleasedKey> keys = listed(contents);
    for (ReleasedKey key : keys) {
      Object[] values =
          found.test(key) ? new Object[] {key.value()} : new Object[] {key.value(), null};
      assertThat(get.apply(key.key())).as(key.name()).isIn(values);
      for (Object equal : key.equal()) {
        assertThat(get.apply(equal)).as("%s as %s", key.name(), equal.getClass()).isIn(values);
      }
    }
    assertThat(valuesOf(keys)).hasSize(keys.size());
    assertThat(entries.get()).hasSize(keys.size());
  }

  /**
   * Replaces and removes all keys that find their entry, each by its equal keys; the others stay.
   *
   * @param contents what the release listed
   */
  public void replaceAndRemove(Map<String, String> contents) {
    List<ReleasedKey> keys = listed(contents);
    List<ReleasedKey> left = new ArrayList<>(keys);
    for (ReleasedKey key : keys) {
      if (found.test(key)) {
        List<Object> equal = new ArrayList<>(key.equal());
        equal.add(key.key());
        for (Object other : equal) { // the first one replaces and removes the release's entry
          put.accept(other, "replaced " + other.getClass());
          assertThat(get.apply(key.key())).isEqualTo("replaced " + other.getClass());
          remove.accept(other);
          assertThat(get.apply(key.key())).as(key.name()).isNull();
          put.accept(key.key(), key.value());
        }
        assertThat(entries.get()).hasSize(left.size());
        remove.accept(equal.getFirst());
        left.remove(key);
      }
    }
    assertThat(valuesOf(left)).hasSize(left.size());
    assertThat(entries.get()).hasSize(left.size());
  }

  private static List<ReleasedKey> listed(Map<String, String> contents) {
    List<ReleasedKey> keys =
        ReleasedKey.all().stream().filter(key -> contents.containsKey(key.name())).toList();
    assertThat(keys).hasSize(contents.size());
    return keys;
  }

  /** The names of those keys that the iteration meets with their values. */
  private List<String> valuesOf(List<ReleasedKey> keys) {
    List<String> met = new ArrayList<>();
    for (Map.Entry<?, ?> entry : entries.get()) {
      for (ReleasedKey key : keys) {
        if (key.value().equals(entry.getValue()) && Objects.deepEquals(key.key(), entry.getKey())) {
          met.add(key.name());
        }
      }
    }
    return met;
  }
}
