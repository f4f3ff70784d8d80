package io.everheap.durable.type;

/** A version of a type that a heap's type table holds, with its layout. Compared by identity. */
public final class StoredVersion {
  private final TypeDescriptor type;
  private final ObjectLayout layout;

  StoredVersion(TypeDescriptor type) {
    this.type = type;
    this.layout = ObjectLayout.of(type);
  }

  /** The type in this version. */
  public TypeDescriptor type() {
    return type;
  }

  /** Where the fields lie in objects of this version. */
  public ObjectLayout layout() {
    return layout;
  }
}
