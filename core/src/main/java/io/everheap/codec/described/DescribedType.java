package io.everheap.codec.described;

import io.everheap.codec.composite.Label;
import java.util.List;

/** The codec of a record, an enum or a sealed type that was made from the description alone. */
public interface DescribedType {
  /** Name of the type, with its type arguments. */
  String type();

  /** Names and ids of its members, in the order in which they are stored. */
  List<Label> labels();
}
