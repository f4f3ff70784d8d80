package io.everheap.structure.common;

import java.util.AbstractCollection;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A view of the keys, values or entries of a map; those of which no two are equal are sets. It
 * holds nothing itself. Bulk changes are one transaction: all of it happens, or nothing.
 *
 * @param <T> the type of elements
 */
public abstract class MapCollection<T> extends AbstractCollection<T> {
  /** The map. */
  protected abstract ConcurrentMap<?, ?> map();

  /** What the map is made of. */
  protected abstract EntryStore<?> store();

  @Override
  public abstract boolean removeIf(Predicate<? super T> filter);

  @Override
  public final int size() {
    return map().size();
  }

  @Override
  public final Object[] toArray() {
    return Contents.toArray(this);
  }

  @Override
  public final <E> E[] toArray(E[] array) {
    return Contents.toArray(this, array);
  }

  @Override
  public final boolean isEmpty() {
    return map().isEmpty();
  }

  @Override
  public final void clear() {
    map().clear();
  }

  @Override
  public final boolean addAll(Collection<? extends T> elements) {
    Objects.requireNonNull(elements, "elements");
    return store().inTransaction(() -> super.addAll(elements));
  }

  /** A set asks for each of the given elements, not for each of its own, if those are fewer. */
  @Override
  public final boolean removeAll(Collection<?> elements) {
    Objects.requireNonNull(elements, "elements");
    if (!(this instanceof Set<?>) || elements.size() > size()) {
      return removeIf(elements::contains);
    }
    return store()
        .inTransaction(
            () -> {
              boolean changed = false;
              for (Object element : elements) {
                changed |= element != null && remove(element);
              }
              return changed;
            });
  }

  @Override
  public final boolean retainAll(Collection<?> elements) {
    Objects.requireNonNull(elements, "elements");
    return removeIf(element -> !elements.contains(element));
  }

  /** Whether a view of entries has this one. */
  protected final boolean containsEntry(@Nullable Object element) {
    if (!(element instanceof Map.Entry<?, ?> entry)
        || entry.getKey() == null
        || entry.getValue() == null) {
      return false;
    }
    return Contents.isSame(entry.getValue(), () -> map().get(entry.getKey()));
  }

  /** Removes an entry; false if it is not there. */
  protected final boolean removeEntry(@Nullable Object element) {
    return element instanceof Map.Entry<?, ?> entry
        && entry.getKey() != null
        && entry.getValue() != null
        && map().remove(entry.getKey(), entry.getValue());
  }

  /** Sets are equal if their elements are, other views if they are the same. */
  @Override
  public final boolean equals(@Nullable Object other) {
    if (other == this || !(this instanceof Set<?>)) {
      return other == this;
    }
    try {
      return other instanceof Set<?> set && set.size() == size() && containsAll(set);
    } catch (ClassCastException | NullPointerException e) {
      return false; // the other set has elements that this one cannot have
    }
  }

  @Override
  public final int hashCode() {
    return this instanceof Set<?> ? Contents.hashOfAll(this) : System.identityHashCode(this);
  }

  @Override
  public final String toString() {
    return Contents.elements(this);
  }
}
