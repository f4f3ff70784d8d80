package io.everheap.structure.map;

import io.everheap.codec.Codec;
import io.everheap.collection.DurableSet;
import io.everheap.collection.StructureId;
import io.everheap.engine.alloc.BlockType;
import io.everheap.structure.common.Contents;
import io.everheap.structure.common.MapHash;
import io.everheap.structure.common.StructureContext;
import java.util.AbstractSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.Objects;
import java.util.Set;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The handle of a {@link DurableSet}. */
public final class SetHandle<E> extends AbstractSet<E> implements DurableSet<E> {
  private final MapHandle<E, Boolean> map;
  private final Set<E> elements;

  SetHandle(MapHandle<E, Boolean> map) {
    this.map = map;
    this.elements = map.keySet();
  }

  static <E> SetHandle<E> attach(StructureContext heap, long reference, Codec<E> element) {
    return new SetHandle<>(
        MapHandle.attach(
            heap, BlockType.SET_HEADER, reference, element, NoValue.INSTANCE, MapHash.ALL_BITS));
  }

  /** A handle to what was freed: every method throws. */
  static <E> SetHandle<E> dead(StructureContext heap, long reference, Codec<E> element) {
    return new SetHandle<>(
        MapHandle.dead(heap, BlockType.SET_HEADER, reference, element, NoValue.INSTANCE));
  }

  @Override
  public StructureId id() {
    return map.id();
  }

  @Override
  public long sizeLong() {
    return map.sizeLong();
  }

  @Override
  public int size() {
    return map.size();
  }

  @Override
  public boolean isEmpty() {
    return map.isEmpty();
  }

  @Override
  public boolean contains(@Nullable Object element) {
    return map.containsKey(element);
  }

  @Override
  public boolean add(E element) {
    return map.putIfAbsent(element, Boolean.TRUE) == null;
  }

  @Override
  public boolean addAll(Collection<? extends E> added) {
    Objects.requireNonNull(added, "added");
    return map.store()
        .inTransaction(
            () -> {
              boolean changed = false;
              for (E element : added) {
                changed |= add(element);
              }
              return changed;
            });
  }

  @Override
  public boolean remove(@Nullable Object element) {
    return elements.remove(element);
  }

  @Override
  public boolean removeAll(Collection<?> removed) {
    return elements.removeAll(removed);
  }

  @Override
  public boolean retainAll(Collection<?> kept) {
    return elements.retainAll(kept);
  }

  @Override
  public boolean removeIf(Predicate<? super E> filter) {
    return elements.removeIf(filter);
  }

  @Override
  public void clear() {
    map.clear();
  }

  @Override
  public Iterator<E> iterator() {
    return elements.iterator();
  }

  @Override
  public Spliterator<E> spliterator() {
    return elements.spliterator();
  }

  @Override
  public void forEach(Consumer<? super E> action) {
    elements.forEach(action);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other == this || elements.equals(other);
  }

  @Override
  public int hashCode() {
    return elements.hashCode();
  }

  @Override
  public String toString() {
    return Contents.elements(this);
  }
}
