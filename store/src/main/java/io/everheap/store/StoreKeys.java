package io.everheap.store;

import io.everheap.encryption.KeyProvider;
import io.everheap.memory.Medium;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The keys of the parts of an encrypted store, or of its backups: the data key of each part is
 * wrapped with a key that is derived from the data key of the whole. So one file of keys, which is
 * replaced as a whole, opens all of it, and no part fits into another store. Stateless.
 */
final class StoreKeys {
  private StoreKeys() {}

  /**
   * Wraps the data key of a part.
   *
   * @param whole the directory of the store, or of its backups
   * @param part the name of the part
   * @return null if the whole is not encrypted
   */
  static @Nullable KeyProvider of(Medium whole, String part) {
    if (!whole.encrypted()) {
      return null;
    }
    byte[] key = whole.derivedKey(part);
    KeyProvider keys = KeyProvider.of(key);
    Arrays.fill(key, (byte) 0);
    return keys;
  }
}
