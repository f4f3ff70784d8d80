package io.everheap.structure.map;

import io.everheap.structure.common.Encoded;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Iterates over the elements of a view; {@link #remove} writes through. Used by one thread. */
final class MapIterator<T> implements Iterator<T> {
  private final MapCursor cursor;
  private final Function<MapCursor, T> element;
  private final MapStore<?, ?> store;
  private boolean loaded; // the cursor stands on an element that was not returned yet
  private @Nullable Encoded returned; // key of the element that remove() removes

  /**
   * An iterator.
   *
   * @param element decodes the element at which the cursor stands
   */
  MapIterator(MapCursor cursor, Function<MapCursor, T> element, MapStore<?, ?> store) {
    this.cursor = cursor;
    this.element = element;
    this.store = store;
  }

  @Override
  public boolean hasNext() {
    if (!loaded) {
      loaded = cursor.advance();
    }
    return loaded;
  }

  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    returned = cursor.key(); // first, so that an entry that does not decode can be removed
    loaded = false;
    return element.apply(cursor);
  }

  @Override
  public void remove() {
    Encoded key = returned;
    if (key == null) {
      throw new IllegalStateException("no element to remove: call next first");
    }
    returned = null;
    store.removeEncoded(key);
  }

  @Override
  public void forEachRemaining(Consumer<? super T> action) {
    Objects.requireNonNull(action, "action");
    while (hasNext()) {
      action.accept(next());
    }
  }
}
