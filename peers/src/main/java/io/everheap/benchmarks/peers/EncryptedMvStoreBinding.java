package io.everheap.benchmarks.peers;

import io.everheap.benchmarks.store.Binding;
import io.everheap.benchmarks.store.Store;

/** {@link MvStoreBinding} with a file that is encrypted; what is changed in it is not noticed. */
public final class EncryptedMvStoreBinding implements Binding {
  /** Makes the binding. */
  public EncryptedMvStoreBinding() {}

  @Override
  public Store open(Opening opening) {
    return MvStoreBinding.open(opening, "a password");
  }
}
