package io.everheap.cli;

import io.everheap.codec.Codec;
import org.jspecify.annotations.Nullable;

/** An entry of an export, whose texts become values when the types are known. */
interface TransferEntry {
  /** The key; only of structures that have keys. */
  @Nullable Object key(Codec<?> codec);

  /** The value or element. */
  @Nullable Object value(Codec<?> codec);
}
