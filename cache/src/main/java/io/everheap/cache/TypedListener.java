package io.everheap.cache;

import java.util.concurrent.Executor;

/** Tells a listener of objects of blocks that left. */
final class TypedListener<K, V> implements BlockRemovalListener {
  private static final System.Logger LOG = System.getLogger(DurableCache.class.getName());

  private final Coding<K, V> coding;
  private final RemovalListener<? super K, ? super V> listener;
  private final Executor executor;

  TypedListener(
      Coding<K, V> coding, RemovalListener<? super K, ? super V> listener, Executor executor) {
    this.coding = coding;
    this.listener = listener;
    this.executor = executor;
  }

  @Override
  public void removed(byte[] key, byte[] value, RemovalCause cause) {
    executor.execute(
        () -> {
          try {
            listener.onRemoval(coding.key(key), coding.value(value), cause);
          } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.WARNING, "a removal listener failed", e);
          }
        });
  }
}
