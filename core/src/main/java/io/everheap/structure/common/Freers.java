package io.everheap.structure.common;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The {@link Freer}s by the numbers that stand for them in a heap, from 1 on. Immutable. */
public final class Freers {
  private final List<Freer> all;

  /** These freers, whose numbers are 1, 2, 3 and so on. */
  public Freers(List<Freer> all) {
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).number() != i + 1) {
        throw new IllegalArgumentException("freer " + (i + 1) + " is " + all.get(i).number());
      }
    }
    this.all = List.copyOf(all);
  }

  /** The freer of this number, or null if there is none. */
  public @Nullable Freer of(int number) {
    return number >= 1 && number <= all.size() ? all.get(number - 1) : null;
  }
}
