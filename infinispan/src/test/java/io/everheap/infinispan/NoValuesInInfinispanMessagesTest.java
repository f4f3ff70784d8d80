package io.everheap.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.SilentMessages;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.file.Path;
import org.infinispan.Cache;
import org.infinispan.context.Flag;
import org.infinispan.manager.DefaultCacheManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No message of the store has a value (rule E4 of docs/encryption.md). */
@Campaign
class NoValuesInInfinispanMessagesTest {
  private static final String SECRET = "4111-1111";

  /** Whether the program is one that refuses the values. */
  private static boolean later;

  /** Refuses what it was deserialized to, with the value in the message. */
  static final class Card implements Serializable {
    private static final long serialVersionUID = 1;
    private final String number;

    Card(String number) {
      this.number = number;
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      if (later) {
        throw new InvalidObjectException("not a card: " + number);
      }
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      if (later) {
        throw new NotSerializableException("not a card: " + number);
      }
      out.defaultWriteObject();
    }

    @Override
    public String toString() {
      return number;
    }
  }

  @TempDir private Path directory;
  private SilentMessages messages;

  @BeforeEach
  void listen() {
    later = false;
    messages =
        new SilentMessages(NoValuesInInfinispanMessagesTest.class, SECRET)
            .except("org.infinispan.");
  }

  @AfterEach
  void close() {
    later = false;
    messages.close();
  }

  private Cache<Object, Object> cache(DefaultCacheManager manager) {
    return Managers.define(
        manager,
        "cards",
        Managers.cache(store -> store.path(directory.toString()).logSize(16 << 20)).build());
  }

  @Test
  void valuesThatCannotBeRead() throws IOException {
    try (DefaultCacheManager manager = ReleasedInfinispanCaches.manager()) {
      Cache<Object, Object> cache = cache(manager);
      cache.put("a", new Card(SECRET));
      cache.put("b", "sound");
    }
    later = true;
    try (DefaultCacheManager manager = ReleasedInfinispanCaches.manager()) {
      Cache<Object, Object> cache = cache(manager);
      messages.fails(() -> cache.get("a"));
      messages.attempt(() -> cache.put("a", "b"));
      assertThat(cache.entrySet().stream().count()).as("leaves it out").isPositive();
      Managers.store(cache)
          .undecodable()
          .forEachRemaining(
              found -> {
                messages.require(found.toString());
                messages.require(found.reason());
              });
    }
    assertThat(messages.logged()).as("the warning of what is left out").isPositive();
  }

  @Test
  void keysThatCannotBeWritten() throws IOException {
    try (DefaultCacheManager manager = ReleasedInfinispanCaches.manager()) {
      Cache<Object, Object> cache = cache(manager);
      later = true;
      messages.fails(
          () ->
              cache
                  .getAdvancedCache()
                  .withFlags(Flag.SKIP_CACHE_LOAD)
                  .put(new Card(SECRET), "value"));
    }
  }
}
