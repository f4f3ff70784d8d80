package io.everheap.benchmarks.store;

import io.everheap.encryption.KeyProvider;

/** {@link EverheapBinding} with a heap that is encrypted and authenticated. */
public final class EncryptedEverheapBinding implements Binding {
  private static final int KEY_BYTES = 32;

  /** Makes the binding. */
  public EncryptedEverheapBinding() {}

  @Override
  public Store open(Opening opening) {
    return EverheapBinding.open(opening, KeyProvider.of(new byte[KEY_BYTES]));
  }
}
