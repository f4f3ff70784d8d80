package io.everheap.jcache;

import io.everheap.cache.BlockCacheBuilder;
import io.everheap.cache.DurableCache;
import io.everheap.cache.RemovalCause;
import io.everheap.cache.codec.CacheCodecs;
import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.encryption.KeyProvider;
import io.everheap.error.EverheapException;
import io.everheap.jcache.event.Listeners;
import io.everheap.jcache.store.CacheDirectory;
import io.everheap.jcache.store.Options;
import java.io.ObjectInputFilter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.event.EventType;

/** Opens the durable cache of a cache of JCache, from what its configuration and manager say. */
final class Opening<K, V> {
  private final String name;
  private final EverheapConfiguration<K, V> configuration;
  private final Options options;
  private final Codec<K> keys;
  private final Codec<V> values;

  Opening(EverheapCacheManager manager, String name, EverheapConfiguration<K, V> configuration) {
    this.name = name;
    this.configuration = configuration;
    this.options = manager.options();
    ClassLoader loader = manager.getClassLoader();
    Codec<K> ofKeys = configuration.keys();
    Codec<V> ofValues = configuration.values();
    ObjectInputFilter filter = options.serialFilter(name);
    this.keys =
        ofKeys != null ? ofKeys : CacheCodecs.keys(configuration.getKeyType(), loader, filter);
    this.values =
        ofValues != null
            ? ofValues
            : CacheCodecs.values(configuration.getValueType(), loader, filter);
  }

  Codec<K> keys() {
    return keys;
  }

  /** The listeners of the configuration. */
  Listeners<K, V> listeners(Cache<K, V> source) {
    var listeners = new Listeners<>(source, key -> copy(keys, key), value -> copy(values, value));
    for (CacheEntryListenerConfiguration<K, V> each :
        configuration.getCacheEntryListenerConfigurations()) {
      listeners.add(each);
    }
    return listeners;
  }

  private static <T> T copy(Codec<T> codec, T value) {
    var out = new CodecOutput();
    codec.write(value, out);
    return codec.read(new CodecInput(out.toByteArray()));
  }

  /** Opens the cache; listeners are told of entries whose time is over. */
  DurableCache<K, V> open(Expiry<K, V> expiry, Listeners<K, V> listeners) {
    var directory = new CacheDirectory(base(), name);
    directory.prepare(configuration.getKeyType(), configuration.getValueType());
    Long capacity = configuration.capacity();
    try {
      return DurableCache.builder(
              directory.entries(),
              capacity != null ? capacity : options.capacity(name),
              keys,
              values)
          .blocks(this::set)
          .expireAfter(expiry)
          .executor(Runnable::run)
          .removalListener(
              (key, value, cause) -> expired(key, Objects.requireNonNull(value), listeners),
              Set.of(RemovalCause.EXPIRED))
          .open();
    } catch (EverheapException e) {
      throw new CacheException(
          String.format(Locale.ROOT, "cannot open the cache '%s': %s", name, e.getMessage()), e);
    }
  }

  private static <K, V> void expired(K key, V value, Listeners<K, V> listeners) {
    listeners.tell(EventType.EXPIRED, key, value, value);
  }

  /** The directory of the cache's own one. */
  Path base() {
    Path base = configuration.directory();
    if (base == null) {
      base = options.directory(name);
    }
    if (base == null) {
      throw new CacheException(
          String.format(
              Locale.ROOT,
              "there is no directory for the cache '%s': name one by the property everheap.directory,"
                  + " as a property of the system or of the manager, by the manager's URI, or by"
                  + " EverheapConfiguration.withDirectory",
              name));
    }
    return base;
  }

  private void set(BlockCacheBuilder blocks) {
    blocks.policy(
        Objects.requireNonNullElseGet(configuration.policy(), () -> options.policy(name)));
    if (Objects.requireNonNullElseGet(configuration.strict(), () -> options.isStrict(name))) {
      blocks.strict();
    }
    KeyProvider key = options.key(name);
    if (key != null) {
      blocks.encrypt(key);
    }
    var further = configuration.blocks();
    if (further != null) {
      further.accept(blocks);
    }
  }
}
