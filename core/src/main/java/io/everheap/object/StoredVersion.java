package io.everheap.object;

import io.everheap.object.type.ObjectLayout;
import io.everheap.object.type.TypeDescriptor;

/** A version of a type that stands in the heap's type table. Compared by identity. */
final class StoredVersion {
  final TypeDescriptor type;
  final ObjectLayout layout;

  StoredVersion(TypeDescriptor type) {
    this.type = type;
    this.layout = ObjectLayout.of(type);
  }
}
