package io.everheap.support.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Fills a cache whose keys may have any class with all {@linkplain ReleasedKey released keys}, and
 * requires that a cache of a release has them.
 *
 * @param found the forms of keys that find their entry in another process
 * @param get looks up a key; null if it is not there
 * @param put stores a value
 * @param remove removes a key
 * @param entries all entries
 */
public record ReleasedCache(
    Set<ReleasedKey.Form> found,
    Function<Object, @Nullable Object> get,
    BiConsumer<Object, Object> put,
    Consumer<Object> remove,
    Supplier<Iterable<? extends Map.Entry<?, ?>>> entries) {

  /** The forms that are found where serialized bytes are compared. */
  public static final Set<ReleasedKey.Form> BY_BYTES =
      Set.of(ReleasedKey.Form.STABLE, ReleasedKey.Form.STABLE_BYTES);

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
   * Requires all keys of a release: a new key that was made in the same way finds the value, an
   * equal key of another class never finds another value, and iteration meets each key once.
   *
   * @param contents what the release listed
   */
  public void requireAll(Map<String, String> contents) {
    List<ReleasedKey> keys = listed(contents);
    for (ReleasedKey key : keys) {
      if (found.contains(key.form())) {
        assertThat(get.apply(key.key())).as(key.name()).isEqualTo(key.value());
      }
      for (Object equal : key.equal()) {
        assertThat(get.apply(equal)).as(key.name()).isIn(key.value(), null);
      }
    }
    assertThat(valuesOf(keys)).hasSize(keys.size());
    assertThat(entries.get()).hasSize(keys.size());
  }

  /**
   * Replaces and removes all keys whose form finds their entry; the others stay.
   *
   * @param contents what the release listed
   */
  public void replaceAndRemove(Map<String, String> contents) {
    List<ReleasedKey> keys = listed(contents);
    List<ReleasedKey> left = new ArrayList<>(keys);
    for (ReleasedKey key : keys) {
      if (found.contains(key.form())) {
        put.accept(key.key(), "replaced");
        assertThat(get.apply(key.key())).as(key.name()).isEqualTo("replaced");
        remove.accept(key.key());
        assertThat(get.apply(key.key())).as(key.name()).isNull();
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
