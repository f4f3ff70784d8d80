package io.everheap.benchmarks.peers;

import io.everheap.benchmarks.store.Binding;
import io.everheap.benchmarks.store.Mode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import jetbrains.exodus.ArrayByteIterable;
import jetbrains.exodus.ByteIterable;
import jetbrains.exodus.env.Cursor;
import jetbrains.exodus.env.Environment;
import jetbrains.exodus.env.EnvironmentConfig;
import jetbrains.exodus.env.Environments;
import jetbrains.exodus.env.Store;
import jetbrains.exodus.env.StoreConfig;
import org.jspecify.annotations.Nullable;

/** JetBrains Xodus: an exclusive transaction for each write, so that none has to be repeated. */
public final class XodusBinding implements Binding {
  private static final int CACHE_PERCENT = 25;

  /** Makes the binding. */
  public XodusBinding() {}

  @Override
  public io.everheap.benchmarks.store.Store open(Opening opening) {
    EnvironmentConfig config =
        new EnvironmentConfig()
            .setLogDurableWrite(!opening.bulk() && opening.mode() == Mode.POWER)
            .setMemoryUsagePercentage(CACHE_PERCENT)
            .setEnvCloseForcedly(true);
    Environment environment = Environments.newInstance(opening.directory().toFile(), config);
    Store store =
        environment.computeInTransaction(
            txn ->
                environment.openStore(
                    "records", StoreConfig.WITHOUT_DUPLICATES_WITH_PREFIXING, txn));
    return new TreeStore(environment, store);
  }

  private record TreeStore(Environment environment, Store store)
      implements io.everheap.benchmarks.store.Store {
    private static ByteIterable key(String key) {
      return new ArrayByteIterable(key.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static byte[] copy(ByteIterable value) {
      return Arrays.copyOf(value.getBytesUnsafe(), value.getLength());
    }

    @Override
    public byte @Nullable [] get(String key) {
      return environment.computeInReadonlyTransaction(
          txn -> {
            ByteIterable value = store.get(txn, key(key));
            return value == null ? null : copy(value);
          });
    }

    @Override
    public void put(String key, byte[] value) {
      environment.executeInExclusiveTransaction(
          txn -> store.put(txn, key(key), new ArrayByteIterable(value)));
    }

    @Override
    public void putAll(List<String> keys, List<byte[]> values) {
      environment.executeInExclusiveTransaction(
          txn -> {
            for (int i = 0; i < keys.size(); i++) {
              store.put(txn, key(keys.get(i)), new ArrayByteIterable(values.get(i)));
            }
          });
    }

    @Override
    public void scan(String first, int count, Consumer<byte[]> values) {
      environment.executeInReadonlyTransaction(
          txn -> {
            try (Cursor cursor = store.openCursor(txn)) {
              int left = count;
              boolean there = cursor.getSearchKeyRange(key(first)) != null;
              while (there && left-- > 0) {
                values.accept(copy(cursor.getValue()));
                there = cursor.getNext();
              }
            }
          });
    }

    @Override
    public void close() {
      environment.close();
    }
  }
}
