package io.everheap.jcache;

import io.everheap.support.Limit;
import io.everheap.support.SilentMessages;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import javax.cache.Cache;
import javax.cache.configuration.Factory;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CompletionListenerFuture;
import javax.cache.processor.EntryProcessorResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No message of the provider has a value or a key (rule E4 of docs/encryption.md). */
class NoValuesInJCacheMessagesTest {
  private static final String SECRET = "4111-1111";
  private static final String KEY = "key-8080";

  @TempDir private Path directory;
  private Caches caches;
  private SilentMessages messages;

  @BeforeEach
  void open() {
    caches = new Caches(directory);
    messages = new SilentMessages(NoValuesInJCacheMessagesTest.class, SECRET, KEY);
  }

  @AfterEach
  void close() {
    caches.close();
    messages.close();
  }

  /** Refuses what it was deserialized to, with the value in the message. */
  static final class Refuses implements Serializable {
    private static final long serialVersionUID = 1L;
    private final String number;

    Refuses(String number) {
      this.number = number;
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      throw new InvalidObjectException("not a number: " + number);
    }
  }

  /** Cannot be stored. */
  static final class Unserializable {
    @Override
    public String toString() {
      return SECRET;
    }
  }

  private static IllegalStateException failure() {
    return new IllegalStateException("cannot use " + SECRET + " of " + KEY);
  }

  private static MutableConfiguration<String, Object> any() {
    return new MutableConfiguration<String, Object>().setTypes(String.class, Object.class);
  }

  private static MutableConfiguration<String, String> texts() {
    return new MutableConfiguration<String, String>().setTypes(String.class, String.class);
  }

  @Test
  void valuesThatAreRefusedOrDoNotFit() {
    Cache<String, Object> cache = caches.create("any", any());
    messages.attempt(() -> cache.put(KEY, new Refuses(SECRET)));
    messages.attempt(() -> cache.get(KEY));
    messages.attempt(() -> cache.getAll(Set.of(KEY)));
    messages.attempt(() -> cache.getAndPut(KEY, SECRET));
    messages.attempt(() -> cache.iterator().next().getValue());
    messages.fails(() -> cache.put(KEY, new Unserializable()));
    messages.attempt(() -> cache.replace(KEY, new Unserializable()));
    messages.attempt(() -> cache.put(KEY, SECRET.repeat(1 << 20)));
    messages.attempt(() -> cache.put(KEY.repeat(1 << 18), SECRET));
  }

  @Test
  @SuppressWarnings({"unchecked", "rawtypes", "UnnecessaryStringBuilder"}) // what erasure lets pass
  void valuesOfAnotherClass() {
    Cache<String, Integer> cache = caches.create("numbers", Caches.numbers());
    messages.fails(() -> ((Cache) cache).put(KEY, SECRET));
    messages.fails(() -> ((Cache) cache).put(new StringBuilder(KEY), 1));
    messages.fails(() -> caches.manager().getCache("numbers", String.class, String.class));
  }

  @Test
  void processorsThatFail() {
    Cache<String, String> cache = caches.create("texts", texts());
    cache.put(KEY, SECRET);
    messages.fails(
        () ->
            cache.invoke(
                KEY,
                (entry, arguments) -> {
                  throw failure();
                }));
    Map<String, EntryProcessorResult<Object>> results =
        cache.invokeAll(
            Set.of(KEY),
            (entry, arguments) -> {
              throw failure();
            });
    messages.fails(() -> results.get(KEY).get());
  }

  /** Loads and writes nothing. */
  private static final class Source
      implements CacheLoader<String, String>, CacheWriter<String, String> {
    @Override
    public String load(String key) {
      throw failure();
    }

    @Override
    public Map<String, String> loadAll(Iterable<? extends String> keys) {
      throw failure();
    }

    @Override
    public void write(Cache.Entry<? extends String, ? extends String> entry) {
      throw failure();
    }

    @Override
    public void writeAll(Collection<Cache.Entry<? extends String, ? extends String>> entries) {
      throw failure();
    }

    @Override
    public void delete(Object key) {
      throw failure();
    }

    @Override
    public void deleteAll(Collection<?> keys) {
      throw failure();
    }
  }

  @Test
  void loadersAndWritersThatFail() {
    Cache<String, String> cache =
        caches.create(
            "sourced",
            texts()
                .setReadThrough(true)
                .setWriteThrough(true)
                .setCacheLoaderFactory((Factory<CacheLoader<String, String>>) Source::new)
                .setCacheWriterFactory(
                    (Factory<CacheWriter<? super String, ? super String>>) Source::new));
    messages.fails(() -> cache.get(KEY));
    messages.fails(() -> cache.getAll(Set.of(KEY)));
    messages.fails(() -> cache.put(KEY, SECRET));
    messages.fails(() -> cache.putAll(Map.of(KEY, SECRET)));
    messages.fails(() -> cache.remove(KEY));
    messages.attempt(cache::removeAll);
    var told = new CompletionListenerFuture();
    cache.loadAll(Set.of(KEY), true, told);
    messages.fails(
        () -> {
          try {
            told.get(Limit.seconds(), java.util.concurrent.TimeUnit.SECONDS);
          } catch (ExecutionException e) {
            throw e.getCause();
          }
        });
  }

  @Test
  void listenersAndPoliciesThatFail() {
    CacheEntryCreatedListener<String, String> listener =
        events -> {
          throw failure();
        };
    var configuration =
        texts()
            .addCacheEntryListenerConfiguration(
                new javax.cache.configuration.MutableCacheEntryListenerConfiguration<>(
                    () -> listener, null, true, true));
    Cache<String, String> cache = caches.create("heard", configuration);
    messages.attempt(() -> cache.put(KEY, SECRET));
    Cache<String, String> expiring =
        caches.create("expiring", texts().setExpiryPolicyFactory(() -> new Failing()));
    messages.attempt(() -> expiring.put(KEY, SECRET));
    messages.attempt(() -> expiring.get(KEY));
    messages.attempt(() -> expiring.put(KEY, SECRET));
  }

  /** A policy that fails. */
  private static final class Failing implements ExpiryPolicy {
    @Override
    public Duration getExpiryForCreation() {
      throw failure();
    }

    @Override
    public Duration getExpiryForAccess() {
      throw failure();
    }

    @Override
    public Duration getExpiryForUpdate() {
      throw failure();
    }
  }
}
