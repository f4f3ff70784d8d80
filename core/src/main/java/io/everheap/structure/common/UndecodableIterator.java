package io.everheap.structure.common;

import io.everheap.collection.Undecodable;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Goes over the stored elements of a structure that do not decode. Used by one thread. */
public final class UndecodableIterator implements Iterator<Undecodable> {
  /** A walk over all stored elements of a structure, none of which it decodes by itself. */
  public interface Walk {
    /** Moves to the next element; false if there is none. */
    boolean advance();

    /** Tries to decode the current element; null if it decodes. */
    @Nullable Undecodable failure();

    /** Returns what removes the current element, if it is still there, after the walk moved on. */
    Runnable removal();
  }

  private final Walk walk;
  private @Nullable Undecodable next;
  private @Nullable Runnable removalOfNext;
  private @Nullable Runnable removal;

  /** The elements of a walk that do not decode. */
  public UndecodableIterator(Walk walk) {
    this.walk = walk;
  }

  @Override
  public boolean hasNext() {
    while (next == null && walk.advance()) {
      next = walk.failure();
      removalOfNext = next == null ? null : walk.removal();
    }
    return next != null;
  }

  @Override
  public Undecodable next() {
    Undecodable found = hasNext() ? next : null;
    if (found == null) {
      throw new NoSuchElementException();
    }
    removal = removalOfNext;
    next = null;
    return found;
  }

  @Override
  public void remove() {
    Runnable last = removal;
    if (last == null) {
      throw new IllegalStateException("no element to remove: call next first");
    }
    removal = null;
    last.run();
  }
}
