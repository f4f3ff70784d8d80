package io.everheap.cache.codec;

import java.io.Serializable;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A list, set, map or entry within a serialized key: the bytes of its one form. Stored by name:
 * neither the class nor its field is ever renamed.
 */
final class StoredForm implements Serializable {
  private static final long serialVersionUID = 1L;

  /** What {@link OneFormCodec} writes. */
  final byte[] form;

  StoredForm(byte[] form) {
    this.form = form;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof StoredForm stored && Arrays.equals(form, stored.form);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(form);
  }
}
