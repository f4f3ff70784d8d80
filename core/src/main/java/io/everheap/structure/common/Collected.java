package io.everheap.structure.common;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Copies to arrays that believe no size: it may change meanwhile, or be damaged. */
public final class Collected {
  private Collected() {}

  public static Object[] toArray(Iterator<?> elements) {
    return list(elements).toArray();
  }

  @SuppressWarnings("SuspiciousToArrayCall") // the caller says which array it wants
  public static <T> T[] toArray(Iterator<?> elements, T[] array) {
    return list(elements).toArray(array);
  }

  private static List<Object> list(Iterator<?> elements) {
    List<Object> list = new ArrayList<>();
    elements.forEachRemaining(list::add);
    return list;
  }
}
