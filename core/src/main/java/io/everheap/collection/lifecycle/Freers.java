package io.everheap.collection.lifecycle;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The {@link Freer}s by the numbers that stand for them in a heap, from 1 on. */
public final class Freers {
  /** Number of {@link ChunksFreer}. */
  static final int CHUNKS = 1;

  /** Number of {@link CellsFreer}. */
  static final int CELLS = 2;

  /** Number of {@link SortedFreer}. */
  static final int SORTED = 5;

  private static final List<Freer> ALL =
      List.of(
          new ChunksFreer(),
          new CellsFreer(),
          TreeFreer.INSTANCE,
          DequeFreer.INSTANCE,
          SortedFreer.INSTANCE);

  private Freers() {}

  /** The number of a freer. */
  static int numberOf(Freer freer) {
    return ALL.indexOf(freer) + 1;
  }

  /** The freer of this number, or null if there is none. */
  public static @Nullable Freer of(int number) {
    return number >= 1 && number <= ALL.size() ? ALL.get(number - 1) : null;
  }
}
