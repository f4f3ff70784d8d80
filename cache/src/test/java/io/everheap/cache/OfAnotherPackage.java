package io.everheap.cache;

import java.io.Serializable;

/** A serializable class that is in no package of the codecs. */
public final class OfAnotherPackage implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Without contents. */
  public OfAnotherPackage() {}
}
