package io.everheap.collection;

import java.util.List;

/** Shapes that programs cannot make. */
public final class Shapes {
  private Shapes() {}

  /** A kind of structure and its parts in their order. */
  public static <S> Shape<S> of(String kind, Object... parts) {
    return new Shape<>(kind, List.of(parts));
  }
}
